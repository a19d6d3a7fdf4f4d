#pragma once
// The black box: what turns a trial into an outcome.

#include <functional>

#include "bocs/base/error.hpp"
#include "bocs/trial/trial.hpp"

namespace bocs {

/// An evaluation that came to no outcome: there is nothing to tell, and the point may be evaluated again.
class NoOutcome : public Error {
 public:
  using Error::Error;
};

/// The user or the system asked for an end while an objective was being evaluated.
class Cancelled : public NoOutcome {
 public:
  using NoOutcome::NoOutcome;
};

/// The machine could not begin the evaluation: its program is missing, there are too many open files, no memory. It is
/// not the black box that failed, and it may work in a while.
class MachineTrouble : public NoOutcome {
 public:
  using NoOutcome::NoOutcome;
};

/// Called from several threads at once when work() is given several.
using Objective = std::function<Outcome(const Space& space, const Trial& trial)>;

/// The objective that calls f, in the user's own sense and without the penalty.
Objective callback(std::function<double(const Point&)> f);

/// The outcome of one evaluation, timed. What the objective throws becomes a failure with the exception's text: a
/// crash of the black box is data, never the end of a study. Only NoOutcome passes.
Outcome evaluate(const Objective& objective, const Space& space, const Trial& trial);

}  // namespace bocs
