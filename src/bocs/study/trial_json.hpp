#pragma once
// A trial as people's programs read it: values by name, in the user's sense. For fronts; needs nlohmann-json.

#include <nlohmann/json.hpp>

#include "bocs/study/study.hpp"

namespace bocs {

/// number, state, point, value (as measured), total (with the penalty), metrics, with goals
/// `goals`, with limits `allowed` and `margins`, seconds, error, origin, member,
/// predicted, bound and gap (of Info, in the user's sense), program; null where unknown.
nlohmann::ordered_json trial_json(const Study& study, const Trial& trial);

/// What the trial has in each goal, in the goal's own sense, without the penalty.
std::vector<double> shown_goals(const Task& task, const Trial& trial);
nlohmann::ordered_json goals_json(const Task& task, const Trial& trial);  // by name

/// How far the proposal is at most above the minimum of its draw over all points; NaN without a bound.
double gap(const Info& info);

}  // namespace bocs
