#include "bocs/space/condition.hpp"

#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/space/syntax.hpp"

namespace bocs {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw InvalidArgument("when '" + text + "': " + why);
}

constexpr const char* kAllowed =
    "allowed: NAME == VALUE (or !=, <=, >=, <, >), NAME in {VALUE, VALUE}, and NAME or not NAME of a binary variable; "
    "a "
    "name that is no word in `backquotes`, a value that is none in 'quotes'";

/// The rule that the text is.
Syntax parsed(const std::string& text) {
  try {
    std::vector<Syntax> rules = parse_rules(text);
    if (rules.size() == 1) return std::move(rules.front());
  } catch (const InvalidArgument& error) {
    const std::string what = error.what();  // "rule 'TEXT', column 3: why"
    refuse(text, what.substr(what.rfind("', column ") + 3) + "; " + kAllowed);
  }
  refuse(text, kAllowed);
}

}  // namespace

Condition read_condition(const std::string& text) {
  using Kind = Syntax::Kind;
  const Syntax rule = parsed(text);
  if (is_name(rule)) return {rule.text, "==", {"1"}};
  const Syntax& subject = rule.children.empty() ? rule : rule.children.front();
  if (!is_name(subject)) refuse(text, kAllowed);
  if (rule.kind == Kind::negation) return {subject.text, "==", {"0"}};
  Condition condition{subject.text, rule.text, {}};
  if (rule.kind == Kind::comparison && rule.relations.size() == 1) {
    condition.relation = rule.relations.front();
  } else if (rule.kind != Kind::membership) {
    refuse(text, kAllowed);
  }
  for (std::size_t k = 1; k < rule.children.size(); ++k) {
    const auto level = level_text(rule.children[k]);
    if (!level) refuse(text, kAllowed);
    condition.values.push_back(*level);
  }
  return condition;
}

std::vector<char> holds_by_level(const std::string& text, const Condition& condition, const Coordinate& other) {
  if (other.scale) refuse(text, other.name + " has no step; allowed: a condition on a variable with steps");
  std::vector<std::int32_t> levels;
  try {
    for (const auto& value : condition.values) levels.push_back(parse_level(other, value));
  } catch (const InvalidArgument& error) {
    refuse(text, error.what());
  }
  const std::string& relation = condition.relation;
  const bool equal = relation == "==" || relation == "!=" || relation.ends_with("in");
  if (!equal && !other.has_value()) refuse(text, other.name + " has no order; allowed: ==, != and in");
  std::vector<char> holds;
  for (std::int32_t level = 0; level < other.levels; ++level) {
    const std::int32_t bound = levels.front();
    const bool named = std::find(levels.begin(), levels.end(), level) != levels.end();
    const bool yes = relation == "!="       ? !named
                     : relation == "not in" ? !named
                     : relation == "<="     ? level <= bound
                     : relation == ">="     ? level >= bound
                     : relation == "<"      ? level < bound
                     : relation == ">"      ? level > bound
                                            : named;
    holds.push_back(yes && !other.is_absent(level) ? 1 : 0);
  }
  const auto count = std::count(holds.begin(), holds.end(), 1);
  if (count == 0) refuse(text, "it never holds");
  if (count == other.levels) refuse(text, "it always holds: leave it out");
  return holds;
}

}  // namespace bocs
