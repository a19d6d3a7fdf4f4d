#include <algorithm>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/variable/type.hpp"

namespace bocs {
namespace {}  // namespace

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

/// A study of 0.2 wrote the texts of levels of any type, as "labels".
Variable read_categorical(const Definition& definition) {
  definition.allow({"levels", "labels"});
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
  Variable variable = choice(definition.name(), std::move(levels));
  if (typed) return variable;
  Coordinate untyped = coordinate_of(variable);
  untyped.name.clear();
  untyped.typed.clear();
  return {variable.name, std::make_shared<PlainType>("categorical", std::move(untyped))};
}

}  // namespace bocs
