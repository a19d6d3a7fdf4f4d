#pragma once
// What the writers and readers of stored JSON share.

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/trial/trial.hpp"

namespace bocs::json_parts {

using Json = nlohmann::json;

// JSON has no word for what is not finite.
inline Json real(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return nullptr;
  return value > 0 ? "inf" : "-inf";
}

inline double real(const Json& json) {
  if (json.is_null()) return kUnknown;
  if (!json.is_string()) return json.get<double>();
  const double infinity = std::numeric_limits<double>::infinity();
  return json.get<std::string>() == "inf" ? infinity : -infinity;
}

/// read(the parsed text); what the JSON library throws becomes a StoreError.
template <class Read>
auto parsed(const std::string& text, const char* what, const Read& read) {
  try {
    if (is_nested_deeply(text)) throw StoreError("the store holds " + std::string(what) + " that is nested too deeply");
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    throw StoreError("the store holds " + std::string(what) + " that this program cannot read: " + error.what());
  }
}

}  // namespace bocs::json_parts
