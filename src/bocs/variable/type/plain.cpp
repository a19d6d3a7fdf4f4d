#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/variable/type.hpp"

namespace bocs {

std::string PlainType::described() const {
  constexpr std::size_t kShown = 6;
  const Coordinate& c = coordinate_;
  if (c.flag) return "binary";
  if (!c.has_value()) {
    const std::size_t shown = std::min(c.labels.size(), kShown);
    return "categorical " + joined({c.labels.begin(), c.labels.begin() + static_cast<std::ptrdiff_t>(shown)}) +
           (shown < c.labels.size() ? ", ... (" + std::to_string(c.labels.size()) + " levels)" : "") +
           (c.described.names.empty() ? "" : ", described by " + std::to_string(c.described.names.size()) + " numbers");
  }
  if (c.scale) {
    return std::string(word_) + " " + shortest(c.scale->low()) + " to " + shortest(c.scale->high()) +
           (c.scale->log() ? ", logarithmic" : "");
  }
  const std::string range = shortest(c.value(0)) + " to " + shortest(c.value(c.levels - 1));
  return std::string(word_) + " " + range + (c.values.empty() ? "" : " in " + std::to_string(c.levels) + " values");
}

Value::Map PlainType::definition() const {
  const Coordinate& c = coordinate_;
  if (c.flag) return {};
  if (!c.typed.empty()) {
    Value::List levels;
    for (const LevelValue& level : c.typed) {
      const auto* object = std::get_if<Unstorable>(&level);
      levels.push_back(object == nullptr ? Value(level) : Value(Value::Map{{"text", object->text}}));
    }
    Value::Map definition{{"levels", std::move(levels)}};
    if (!c.described.names.empty()) {
      Value::List rows;
      for (const auto& row : c.described.rows) rows.emplace_back(Value::List(row.begin(), row.end()));
      const auto& names = c.described.names;
      definition.emplace_back(
          "describe", Value::Map{{"names", Value::List(names.begin(), names.end())}, {"rows", std::move(rows)}});
    }
    return definition;
  }
  if (!c.labels.empty()) return {{"labels", Value::List(c.labels.begin(), c.labels.end())}};
  if (c.scale) return {{"low", c.scale->low()}, {"high", c.scale->high()}, {"log", c.scale->log()}};
  if (!c.values.empty()) return {{"values", Value::List(c.values.begin(), c.values.end())}};
  return {{"low", c.low}, {"high", c.low + (c.levels - 1)}};
}

std::vector<Coordinate> PlainType::coordinates(const std::string& name) const {
  Coordinate own = coordinate_;
  own.name = name;
  return {std::move(own)};
}

Value PlainType::decode(Levels x) const {
  const Coordinate& c = coordinate_;
  const auto level = x[0];
  if (!c.typed.empty()) return c.typed[static_cast<std::size_t>(level)];
  if (!c.labels.empty()) return c.labels[static_cast<std::size_t>(level)];
  const double value = c.value(level);
  return c.whole ? Value(static_cast<std::int64_t>(value)) : Value(value);
}

Point PlainType::encode(const std::string& who, const Value& value) const {
  Coordinate c = coordinate_;
  c.name = who;
  const LevelValue* scalar = value.scalar();
  const bool has_null = std::find(c.typed.begin(), c.typed.end(), LevelValue()) != c.typed.end();
  require(scalar != nullptr && (has_null || !std::holds_alternative<std::monostate>(*scalar)),
          [&] { return who + ": found " + text_of(value) + "; allowed: a number, true, false or a text"; });
  const auto same = std::find(c.typed.begin(), c.typed.end(), *scalar);
  if (same != c.typed.end()) return {static_cast<std::int32_t>(same - c.typed.begin())};
  return {parse_level(c, value.text() != nullptr ? *value.text() : text_of(value))};
}

}  // namespace bocs
