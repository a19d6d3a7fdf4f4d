#pragma once
// A value as JSON, TOML and Python have it: nothing, a flag, a number, a text, a list or a map. What a variable is made
// of and what a point says of it are Values, so that every front converts once and each type of variable reads one
// form.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bocs/base/level_value.hpp"

namespace bocs {

struct Value {
  using List = std::vector<Value>;
  using Map = std::vector<std::pair<std::string, Value>>;  // in the order written

  std::variant<LevelValue, List, Map> is;

  Value() = default;
  Value(LevelValue scalar) : is(std::move(scalar)) {}        // NOLINT(google-explicit-constructor): so for all of them
  Value(List list) : is(std::move(list)) {}                  // NOLINT(google-explicit-constructor)
  Value(Map map) : is(std::move(map)) {}                     // NOLINT(google-explicit-constructor)
  Value(bool flag) : is(LevelValue(flag)) {}                 // NOLINT(google-explicit-constructor)
  Value(int whole) : is(LevelValue(std::int64_t{whole})) {}  // NOLINT(google-explicit-constructor)
  Value(std::int64_t whole) : is(LevelValue(whole)) {}       // NOLINT(google-explicit-constructor)
  Value(double number) : is(LevelValue(number)) {}           // NOLINT(google-explicit-constructor)
  Value(const char* text) : is(LevelValue(std::string(text))) {}       // NOLINT(google-explicit-constructor)
  Value(std::string text) : is(LevelValue(std::move(text))) {}         // NOLINT(google-explicit-constructor)
  Value(std::string_view text) : is(LevelValue(std::string(text))) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] const LevelValue* scalar() const { return std::get_if<LevelValue>(&is); }
  [[nodiscard]] const List* list() const { return std::get_if<List>(&is); }
  [[nodiscard]] const Map* map() const { return std::get_if<Map>(&is); }
  /// The entry of a map; nullptr: it has none of that name, or this is no map.
  [[nodiscard]] const Value* find(std::string_view key) const;
  /// A number, whole or not; nothing if it is none.
  [[nodiscard]] std::optional<double> number() const;
  [[nodiscard]] const std::string* text() const;

  bool operator==(const Value&) const = default;
};

/// As JSON writes it, for messages: ["a", "b"], {"x": 1}.
std::string text_of(const Value& value);

}  // namespace bocs
