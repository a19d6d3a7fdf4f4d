#include "bocs/study/study_file_goals.hpp"

#include <sstream>

#include "bocs/study/point_json.hpp"

namespace bocs {

std::vector<Goal> read_goals(const TomlReader& reader, const toml::node& node, const Space& space) {
  const toml::array* tables = node.as_array();
  if (tables == nullptr || tables->empty() || !tables->is_array_of_tables()) {
    reader.refuse("goals", node, "[[goals]] tables");
  }
  std::vector<Goal> goals;
  for (const auto& entry : *tables) {
    const toml::table& table = *entry.as_table();
    Goal goal{reader.text("name", reader.required(table, "name"))};
    std::string known;
    reader.read(table, {{"name", [](const toml::node&) {}},
                        {"direction",
                         [&](const toml::node& n) {
                           goal.sense = value_of<Sense>(reader.choice("direction", n, words_of<Sense>())).value();
                         }},
                        {"known", [&](const toml::node& n) { known = reader.text("known", n); }},
                        {"reference", [&](const toml::node& n) { goal.reference = reader.number("reference", n); }}});
    if (!known.empty()) {
      const double reference = goal.reference;
      goal = reader.at(*table.get("known"), [&] { return known_goal(space, goal.name, known, goal.sense); });
      goal.reference = reference;
    }
    goals.push_back(std::move(goal));
  }
  return goals;
}

Point read_default(const TomlReader& reader, const toml::table& table, const Space& space) {
  std::ostringstream text;
  text << toml::json_formatter(table);
  return reader.at(table, [&] { return point_from_named_json(space, text.str()); });
}

std::vector<OutcomeLimit> read_outcomes(const TomlReader& reader, const toml::node& node) {
  return reader.list(node, [&](const toml::node& entry) {
    const std::string text = reader.text("outcomes", entry);
    return reader.at(entry, [&] { return parse_outcome_limit(text); });
  });
}

}  // namespace bocs
