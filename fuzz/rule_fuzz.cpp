// Rules over variables of every kind: reading them, compiling them, and what they allow.

#include "bocs/rule/feasible.hpp"
#include "bocs/rule/language.hpp"
#include "fuzz.hpp"

using namespace bocs;

FUZZ(text) {
  static const Space space({binary("a"), binary("s[0]"), binary("s[1]"), integer("n", -2, 5),
                            ordinal("m", {1, 2, 4, 8}), real("r", 0, 1, {.steps = 4}),
                            categorical("kind", {"x", "y", "1"}), integer("w", 0, 99'999)});
  static const Names names(space);
  static const CallMeaning meaning = [](const std::string& function, const std::vector<std::string>& arguments) {
    return function == "position" && arguments.size() == 1 ? std::optional("`" + arguments[0] + "` + 1") : std::nullopt;
  };
  const auto rows = compile_rules(text, names, meaning);
  fuzz::must(compile_rules(text, names, meaning).size() == rows.size());
}
