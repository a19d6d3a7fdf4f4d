#pragma once
// A trial as people's programs read it: values by name, in the user's sense. For fronts; needs nlohmann-json.

#include <nlohmann/json.hpp>

#include "bocs/store/study.hpp"

namespace bocs {

/// number, state, point, value (as measured), total (with the penalty), metrics, seconds, error, origin, member; null
/// where unknown.
nlohmann::ordered_json trial_json(const Study& study, const Trial& trial);

}  // namespace bocs
