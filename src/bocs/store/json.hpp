#pragma once
// Trials as JSON text and back, to the last bit; specs, which the store keeps as text, are in study/spec_json.hpp.

#include "bocs/base/error.hpp"
#include "bocs/trial/trial.hpp"

namespace bocs {

/// The cap on running trials that a spec's text names.
int cap_of_spec(const std::string& text);

std::string point_to_json(const Point& x);
Point point_from_json(const std::string& text);  // a list of whole numbers; whether the space has it, others check

std::string info_to_json(const Info& info);
Info info_from_json(const std::string& text);

std::string metrics_to_json(const std::map<std::string, double>& metrics);
std::map<std::string, double> metrics_from_json(const std::string& text);

/// A whole trial, for export: {"number": 3, "state": "complete", "point": [...], "value": ...}.
std::string trial_to_json(const Trial& trial);
Trial trial_from_json(const std::string& text);

/// The value of a word, such as "complete"; throws StoreError for other words.
template <class Enum>
Enum value_from_store(const std::string& word) {
  const auto value = value_of<Enum>(word);
  if (!value) throw StoreError("unknown value '" + word + "' in the store; was it written by a newer bocs?");
  return *value;
}

}  // namespace bocs
