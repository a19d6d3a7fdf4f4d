#pragma once
// A LevelValue as JSON and back, for the JSON library of whoever includes this: core itself has none.

#include <limits>
#include <type_traits>

#include "bocs/base/level_value.hpp"

namespace bocs {

/// What JSON has no word for becomes its text.
template <class Json>
Json level_value_to_json(const LevelValue& value) {
  return std::visit(
      [](const auto& v) -> Json {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return nullptr;
        } else if constexpr (std::is_same_v<T, Unstorable>) {
          return v.text;
        } else {
          return v;
        }
      },
      value);
}

/// Of null, true, false, a number or a text.
template <class Json>
LevelValue level_value_from_json(const Json& json) {
  if (json.is_null()) return {};
  if (json.is_boolean()) return json.template get<bool>();
  if (json.is_string()) return json.template get<std::string>();
  const auto number = json.template get<double>();
  const bool fits = number < static_cast<double>(std::numeric_limits<std::int64_t>::max());
  if (json.is_number_integer() && fits) return json.template get<std::int64_t>();
  return number;
}

}  // namespace bocs
