#pragma once
// A constraint as JSON and back, to the last bit: of the spec of a study, of the batch of a trial.

#include <nlohmann/json.hpp>

#include "bocs/rule/constraint.hpp"

namespace bocs {

nlohmann::json constraint_to_json(const Constraint& constraint);
Constraint constraint_from_json(const nlohmann::json& json);  // throws StoreError, or what the JSON library throws

}  // namespace bocs
