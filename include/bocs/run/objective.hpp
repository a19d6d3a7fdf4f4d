#pragma once
// The black box: what turns a trial into an outcome.

#include <functional>

#include "bocs/core/error.hpp"
#include "bocs/core/trial.hpp"

namespace bocs {

/// Somebody asked for an end while an objective was being evaluated: there is no outcome, and none is to be told.
class Cancelled : public Error {
 public:
  using Error::Error;
};

/// Called from several threads at once when work() is given several.
using Objective = std::function<Outcome(const Space& space, const Trial& trial)>;

/// The objective that calls f, in the user's own sense and without the penalty.
Objective callback(std::function<double(const Point&)> f);

/// The outcome of one evaluation, timed. What the objective throws becomes a failure with the exception's text: a
/// crash of the black box is data, never the end of a study. Only Cancelled passes: then there is no outcome.
Outcome evaluate(const Objective& objective, const Space& space, const Trial& trial);

}  // namespace bocs
