#pragma once
// Numbers in JSON that people's programs and pages read. For fronts; needs nlohmann-json.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

namespace bocs {

/// null for what is not finite: JSON has no word for it.
inline nlohmann::ordered_json known(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

inline nlohmann::ordered_json known(const std::optional<double>& value) { return known(value.value_or(NAN)); }

/// With so many digits: enough for what nobody computes with, and pages become smaller.
inline nlohmann::ordered_json rounded(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return std::strtod(text, nullptr);
}

}  // namespace bocs
