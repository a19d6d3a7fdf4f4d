#pragma once
// Draws of what evaluations report besides the first number, as polynomials on the basis of its model.

#include <vector>

#include "bocs/acquire/acquisition.hpp"
#include "bocs/minimize/minimizer.hpp"
#include "bocs/model/polynomial_model.hpp"
#include "bocs/model/values.hpp"

namespace bocs {

/// What a draw is made of: some of values.complete(), the first of them stable.
struct DrawData {
  std::vector<Point> x;
  std::vector<Eigen::Index> rows;  // of values.complete()
  int stable = 0;

  [[nodiscard]] Vector of(const Vector& y) const;  // of an outcome of values.complete()
};

/// A draw of an outcome that has limits.
struct DrawnLimit {
  Polynomial g;
  double low, high;
  double unit;  // standard deviation of what was reported

  /// -1: below its low bound, 1: above its high one, 0: within.
  [[nodiscard]] int side(const Point& x) const;
};
std::vector<DrawnLimit> draw_limits(const ProposalContext& now, const Values& values, const PolynomialModel& model,
                                    const DrawData& data);

/// The sum of the goals, each with its weight in the direction of the trial. `first` is the draw of the first goal,
/// with the penalty. Sums are minimized by points on the convex part of the front; the dents are left to expected
/// improvement.
Polynomial weighted_goals(const ProposalContext& now, const Values& values, const PolynomialModel& model,
                          const DrawData& data, Polynomial first);

/// The smallest f among the allowed points whose drawn outcomes are within their limits. The limits that a minimum
/// breaks are added to f: their weight grows until none is broken, and is then narrowed down between. If none is found,
/// the point at the largest weight. `unit` is what a difference in f is measured by.
Minimum minimize_within(const Polynomial& f, const std::vector<DrawnLimit>& limits, double unit,
                        const Minimizer& minimizer, const Allowed& allowed, Rng& rng);

}  // namespace bocs
