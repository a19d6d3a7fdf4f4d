#pragma once
// What the regressions know, without an optimizer around them: [BP18] supplements B and F.

#include "bocs/experiment/cell.hpp"

namespace bocs {

/// Throws InvalidArgument unless cell.method is a regression, with an order that the space allows.
void check_model(const Cell& cell, const Space& space);

/// Trains on cell.trials random points, predicts cell.test_points others. The points depend on seed, instance and
/// repeat alone, and smaller training sets are parts of larger ones. Predictions of `bayes` are means over the draws,
/// of all others medians: draws of the horseshoe are heavy-tailed.
CellResult validate(const Cell& cell);

/// Trains on cell.trials random points and counts, by order, the coefficients of a draw that are at least 0.1 in size;
/// the mean over the draws.
CellResult count_large_coefficients(const Cell& cell);

}  // namespace bocs
