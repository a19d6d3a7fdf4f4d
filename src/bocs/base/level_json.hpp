#pragma once
// A LevelValue or a Value as JSON and back, for the JSON library of the includer: core itself has none.

#include <limits>
#include <type_traits>

#include "bocs/base/value.hpp"

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

template <class Json>
Json value_to_json(const Value& value) {
  if (value.scalar() != nullptr) return level_value_to_json<Json>(*value.scalar());
  if (value.list() != nullptr) {
    Json list = Json::array();
    for (const Value& entry : *value.list()) list.push_back(value_to_json<Json>(entry));
    return list;
  }
  Json object = Json::object();
  for (const auto& [name, entry] : *value.map()) object[name] = value_to_json<Json>(entry);
  return object;
}

template <class Json>
Value value_from_json(const Json& json) {
  if (json.is_array()) {
    Value::List list;
    for (const auto& entry : json) list.push_back(value_from_json(entry));
    return list;
  }
  if (!json.is_object()) return level_value_from_json(json);
  Value::Map map;
  for (auto entry = json.begin(); entry != json.end(); ++entry) {
    map.emplace_back(entry.key(), value_from_json(entry.value()));
  }
  return map;
}

}  // namespace bocs
