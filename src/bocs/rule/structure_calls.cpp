#include "bocs/rule/structure_calls.hpp"

#include <map>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/variable/type.hpp"

namespace bocs {
namespace {

/// A name in the quotes of the language.
std::string name_text(const std::string& name) {
  std::string text = "`";
  for (const char c : name) text += c == '`' ? std::string(2, c) : std::string(1, c);
  return text + "`";
}

struct Function {
  const char* type;       // of the structure
  std::size_t arguments;  // items of it
};

const std::map<std::string, Function> kFunctions{{"position", {"permutation", 1}}, {"before", {"permutation", 2}},
                                                 {"adjacent", {"permutation", 2}}, {"place", {"assignment", 1}},
                                                 {"amount", {"mixture", 1}},       {"chosen", {"subset", 1}}};

/// The coordinate of an item, as a name: of the only structure of the type that has it.
std::string coordinate(const Space& space, const std::string& type, const std::string& item) {
  std::vector<std::string> found;
  for (int v = 0; v < static_cast<int>(space.variables().size()); ++v) {
    const Variable& variable = space.variables()[static_cast<std::size_t>(v)];
    if (variable.type->word() != type) continue;
    for (int i = space.first(v); i < space.first(v) + space.count(v); ++i) {
      if (space[i].name == element(variable.name, item)) found.push_back(space[i].name);
    }
  }
  require(!found.empty(), [&] { return "no " + type + " has the item '" + item + "'"; });
  require(found.size() == 1,
          [&] { return "'" + item + "' may be " + joined(found, " or ") + ": write which, without the function"; });
  return name_text(found.front());
}

}  // namespace

CallMeaning structure_calls(const Names& names) {
  const Space& space = names.space();
  return
      [&space](const std::string& function, const std::vector<std::string>& arguments) -> std::optional<std::string> {
        if (function == "size" && arguments.size() == 1) return "sum(" + name_text(arguments.front()) + ")";
        const auto known = kFunctions.find(function);
        if (known == kFunctions.end()) return std::nullopt;
        require(arguments.size() == known->second.arguments, [&] {
          return function + "(...) takes " + std::to_string(known->second.arguments) + " of the items, found " +
                 std::to_string(arguments.size());
        });
        std::vector<std::string> items;
        for (const auto& item : arguments) items.push_back(coordinate(space, known->second.type, item));
        if (function == "before") return items[0] + " < " + items[1];
        if (function == "adjacent") return items[0] + " - " + items[1] + " in {-1, 1}";
        return function == "chosen" ? items[0] + " == true" : items[0];
      };
}

}  // namespace bocs
