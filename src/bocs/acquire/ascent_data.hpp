#pragma once
// What an ascent learns from, begins at, and has to improve on.

#include <functional>
#include <vector>

#include "bocs/acquire/outcome_models.hpp"

namespace bocs {

using Penalty = std::function<double(const Point&)>;  // on the scale of the model

/// The trials that tell something: complete ones as given, standardized; failed ones at the worst of the complete, at
/// the mean of the other numbers. And the points under way.
Data all_data(const History& history, const Values& values, const Vector& complete, const Matrix& measured,
              Matrix& others);

/// The points with the lowest totals, best first, none twice; those that break no limit before the others.
std::vector<Point> best_points(const std::vector<Point>& x, const Vector& totals, const Vector& violations,
                               std::size_t count);

/// What measured points have: as measured, or as predicted where measurements are random, for the best measurement is a
/// lucky one.
Vector totals_of(const ProposalContext& now, const Values& values, const Vector& standardized,
                 const Posterior& posterior, const OtherNumbers& others, const Penalty& penalty);

/// The smallest total that is expected of the trials under way, if it is allowed: what they will find need not be found
/// again.
double best_expected(const std::vector<Point>& under_way, const Posterior& posterior, const Penalty& penalty,
                     const OtherNumbers& others);

}  // namespace bocs
