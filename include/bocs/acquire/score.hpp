#pragma once
// The score of an acquisition: how much a point is worth evaluating, given what a model believes about it.
//
//   bocs::Score score{"upper confidence bound",
//                     [](double mean, double variance, const bocs::ScoreContext&) {
//                       return 2 * std::sqrt(variance) - mean;
//                     },
//                     /*optimistic=*/true};
//   bocs::Optimizer optimizer({space}, bocs::make_ei(space, {.score = score}));

#include <functional>
#include <string>

#include "bocs/numeric/matrix.hpp"

namespace bocs {

/// Values are standardized: those measured have mean 0 and standard deviation 1, and smaller is better, always.
struct ScoreContext {
  double best = 0;      // the lowest total so far, penalty included; under random measurements the lowest prediction
  int number = 0;       // of the trial that is proposed
  int evaluations = 0;  // complete trials
};

/// The point with the largest score is proposed. A score depends on its arguments alone.
struct Score {
  std::string name;  // Info::how of what it proposed
  /// Of f + penalty ~ N(mean, variance) at one point.
  std::function<double(double mean, double variance, const ScoreContext& context)> value = {};
  /// The score never falls when the variance grows. Then an upper bound of the variance can show that a point is not
  /// the best one, which saves time.
  bool optimistic = false;
  /// Instead of `value`: many points at once, one entry per point. For functions that are slow to call, such as
  /// Python's.
  std::function<Vector(const Vector& mean, const Vector& variance, const ScoreContext& context)> values = {};
};

/// log E[max(0, best - F)] for F ~ N(mean, variance); -infinity if there is nothing to be gained for certain.
double log_expected_improvement(double mean, double variance, double best);

/// The score of `ei` and `smac` unless you bring your own.
Score expected_improvement();

}  // namespace bocs
