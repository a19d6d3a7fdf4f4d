#include "bocs/space/syntax.hpp"

#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"

namespace bocs {
namespace {

using Kind = Syntax::Kind;

const std::vector<std::string> kFunctions{"all", "all_different", "any", "count", "sum"};

void move_to(Syntax& s, std::size_t place) {
  s.at = place;
  for (Syntax& child : s.children) move_to(child, place);
}

/// What the call of a function that the language does not have stands for.
Syntax meaning_of(const std::string& text, const Syntax& call, const CallMeaning& meaning) {
  std::vector<std::string> arguments;
  for (const Syntax& argument : call.children) {
    const auto level = is_name(argument) ? argument.text : level_text(argument);
    if (!level) refuse_rule(text, argument.at, call.text + "(...): found an expression; allowed: names");
    arguments.push_back(*level);
  }
  try {
    const auto found = meaning ? meaning(call.text, arguments) : std::nullopt;
    require(found.has_value(), [&] {
      return "there is no function '" + call.text + "'; allowed: " + joined(kFunctions) +
             "; of structures: adjacent, amount, before, chosen, place, position, size" +
             did_you_mean(call.text, kFunctions);
    });
    Syntax result = std::move(parse_rules(*found).front());
    move_to(result, call.at);
    return result;
  } catch (const InvalidArgument& error) {
    refuse_rule(text, call.at, error.what());
  }
}

}  // namespace

std::optional<std::string> level_text(const Syntax& s) {
  if (s.kind == Kind::negative && s.children.front().kind == Kind::number) return "-" + s.children.front().text;
  if (s.kind == Kind::number || s.kind == Kind::quoted || s.kind == Kind::word) return s.text;
  return std::nullopt;
}

void expand_calls(const std::string& text, Syntax& rule, const CallMeaning& meaning) {
  if (rule.kind == Kind::call && std::find(kFunctions.begin(), kFunctions.end(), rule.text) == kFunctions.end()) {
    rule = meaning_of(text, rule, meaning);
    return;
  }
  for (Syntax& child : rule.children) expand_calls(text, child, meaning);
}

}  // namespace bocs
