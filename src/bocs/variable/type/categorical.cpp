#include <algorithm>
#include <cmath>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/variable/type.hpp"

namespace bocs {
namespace {

/// Without the numbers that are the same for all levels.
Descriptions checked(const std::string& name, const Coordinate& c, const Descriptions& given) {
  const auto refuse = [&](const std::string& why) {
    throw InvalidArgument("categorical " + quoted(name) + ": " + why);
  };
  if (given.rows.size() != c.labels.size()) {
    refuse("found descriptions of " + std::to_string(given.rows.size()) + " levels; allowed: one for each of the " +
           std::to_string(c.labels.size()));
  }
  for (std::size_t level = 0; level < given.rows.size(); ++level) {
    const auto& row = given.rows[level];
    if (row.size() != given.names.size())
      refuse("the level " + quoted(c.labels[level]) + " has not a number for each name");
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (!std::isfinite(row[k])) {
        refuse("the level " + quoted(c.labels[level]) + " has no " + quoted(given.names[k]) +
               "; allowed: a finite number");
      }
    }
  }
  Descriptions kept;
  kept.rows.resize(given.rows.size());
  for (std::size_t k = 0; k < given.names.size(); ++k) {
    const auto differs = [&](const std::vector<double>& row) { return row[k] != given.rows.front()[k]; };
    if (std::none_of(given.rows.begin(), given.rows.end(), differs)) continue;
    kept.names.push_back(given.names[k]);
    for (std::size_t level = 0; level < given.rows.size(); ++level) kept.rows[level].push_back(given.rows[level][k]);
  }
  if (kept.names.empty()) refuse("its descriptions are the same for all levels; allowed: numbers that tell them apart");
  return kept;
}

}  // namespace

Variable categorical(std::string name, const std::vector<std::string>& labels) {
  for (const auto& label : labels) {
    require(label.find(',') == std::string::npos,
            [&] { return "categorical " + quoted(name) + ": the level " + quoted(label) + " has a comma in it"; });
  }
  return choice(std::move(name), {labels.begin(), labels.end()});
}

Variable choice(std::string name, std::vector<LevelValue> levels) {
  require(!levels.empty(), [&] { return "categorical " + quoted(name) + " needs at least one level"; });
  std::vector<std::string> labels;
  std::set<std::string> distinct;
  for (const LevelValue& level : levels) {
    std::string& label = labels.emplace_back(text_of(level));
    std::replace(label.begin(), label.end(), ',', ';');
    require(distinct.insert(label).second, [&] {
      return "categorical " + quoted(name) + ": the levels must be distinct, their texts, too; found " + quoted(label) +
             " twice";
    });
  }
  const int count = static_cast<int>(labels.size());
  Coordinate c{.levels = count, .labels = std::move(labels), .typed = std::move(levels)};
  return {std::move(name), std::make_shared<PlainType>("categorical", std::move(c))};
}

Variable choice(std::string name, std::vector<LevelValue> levels, Descriptions described) {
  const Variable plain = choice(std::move(name), std::move(levels));
  Coordinate c = coordinate_of(plain);
  c.described = checked(plain.name, c, described);
  c.name.clear();
  return {plain.name, std::make_shared<PlainType>("categorical", std::move(c))};
}

/// A study of 0.2 wrote the texts of levels of any type, as "labels".
Variable read_categorical(const Definition& definition) {
  definition.allow({"levels", "labels", "describe"});
  const bool typed = definition.has("levels");
  std::vector<LevelValue> levels;
  for (const Value& level : definition.list(typed ? "levels" : "labels")) {
    if (const Value* text = level.find("text"); text != nullptr && text->text() != nullptr) {
      levels.emplace_back(Unstorable{*text->text()});  // what JSON has no word for
      continue;
    }
    if (level.scalar() == nullptr) definition.refuse(typed ? "levels" : "labels", level, "numbers, texts, flags, null");
    levels.push_back(*level.scalar());
  }
  if (definition.has("describe")) {
    const Definition given(definition.name(), definition.at("describe"));
    given.allow({"names", "rows"});
    Descriptions described;
    for (const Value& name : given.list("names")) {
      if (name.text() == nullptr) given.refuse("names", name, "texts");
      described.names.push_back(*name.text());
    }
    for (const Value& row : given.list("rows")) {
      auto& numbers = described.rows.emplace_back();
      if (row.list() == nullptr) given.refuse("rows", row, "lists of numbers");
      for (const Value& number : *row.list()) {
        if (!number.number()) given.refuse("rows", number, "numbers");
        numbers.push_back(*number.number());
      }
    }
    return choice(definition.name(), std::move(levels), std::move(described));
  }
  Variable variable = choice(definition.name(), std::move(levels));
  if (typed) return variable;
  Coordinate untyped = coordinate_of(variable);
  untyped.name.clear();
  untyped.typed.clear();
  return {variable.name, std::make_shared<PlainType>("categorical", std::move(untyped))};
}

}  // namespace bocs
