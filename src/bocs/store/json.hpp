#pragma once
// Specs and trials as JSON text and back, to the last bit. The only place of the store that knows the JSON names.

#include "bocs/store/study_spec.hpp"

namespace bocs {

std::string spec_to_json(const StudySpec& spec);
StudySpec spec_from_json(const std::string& text);  // throws StoreError: not what this program wrote

std::string point_to_json(const Point& x);
Point point_from_json(const std::string& text);  // a list of whole numbers; whether the space has it, others check

std::string info_to_json(const Info& info);
Info info_from_json(const std::string& text);

std::string metrics_to_json(const std::map<std::string, double>& metrics);
std::map<std::string, double> metrics_from_json(const std::string& text);

/// A whole trial, for export: {"number": 3, "state": "complete", "point": [...], "value": ...}.
std::string trial_to_json(const Trial& trial);
Trial trial_from_json(const std::string& text);

/// "complete" <-> State::complete
std::string to_string(State state);
State state_from_text(const std::string& text);
/// "imported" <-> Origin::imported
std::string to_string(Origin origin);
Origin origin_from_text(const std::string& text);

}  // namespace bocs
