#include "bocs/space/condition.hpp"

#include <algorithm>
#include <array>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

std::string unquoted(const std::string& text) {
  const bool quoted = text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw InvalidArgument("when '" + text + "': " + why);
}

}  // namespace

Condition read_condition(const std::string& text) {
  constexpr std::array kRelations{"==", "!=", "<=", ">=", "<", ">", "="};
  const char* const allowed =
      "allowed: NAME == VALUE (or !=, <=, >=, <, >), NAME in {VALUE, VALUE}, and NAME or not NAME of a binary variable";
  for (const std::string relation : kRelations) {
    const auto at = text.find(relation);
    if (at == std::string::npos) continue;
    Condition condition{trimmed(text.substr(0, at)),
                        relation == "=" ? "==" : relation,
                        {unquoted(trimmed(text.substr(at + relation.size())))}};
    if (condition.variable.empty() || condition.values.front().empty()) refuse(text, allowed);
    return condition;
  }
  if (const auto at = text.find(" in "); at != std::string::npos) {
    Condition condition{trimmed(text.substr(0, at)), "in", {}};
    std::string list = trimmed(text.substr(at + 4));
    if (list.size() < 2 || list.front() != '{' || list.back() != '}') refuse(text, allowed);
    list = list.substr(1, list.size() - 2);
    for (std::size_t begin = 0; begin <= list.size();) {
      const auto end = std::min(list.find(',', begin), list.size());
      condition.values.push_back(unquoted(trimmed(list.substr(begin, end - begin))));
      begin = end + 1;
    }
    return condition;
  }
  const std::string name = trimmed(text);
  if (name.empty()) refuse(text, allowed);
  if (name.starts_with("not ")) return {trimmed(name.substr(4)), "==", {"0"}};
  return {name, "==", {"1"}};
}

std::vector<char> holds_by_level(const std::string& text, const Condition& condition, const Coordinate& other) {
  std::vector<std::int32_t> levels;
  try {
    for (const auto& value : condition.values) levels.push_back(parse_level(other, value));
  } catch (const InvalidArgument& error) {
    refuse(text, error.what());
  }
  const std::string& relation = condition.relation;
  const bool equal = relation == "==" || relation == "!=" || relation == "in";
  if (!equal && !other.has_value()) refuse(text, other.name + " has no order; allowed: ==, != and in");
  std::vector<char> holds;
  for (std::int32_t level = 0; level < other.levels; ++level) {
    const std::int32_t bound = levels.front();
    const bool named = std::find(levels.begin(), levels.end(), level) != levels.end();
    const bool yes = relation == "!="   ? !named
                     : relation == "<=" ? level <= bound
                     : relation == ">=" ? level >= bound
                     : relation == "<"  ? level < bound
                     : relation == ">"  ? level > bound
                                        : named;
    holds.push_back(yes && !other.is_absent(level) ? 1 : 0);
  }
  const auto count = std::count(holds.begin(), holds.end(), 1);
  if (count == 0) refuse(text, "it never holds");
  if (count == other.levels) refuse(text, "it always holds: leave it out");
  return holds;
}

}  // namespace bocs
