#pragma once
// The p x p products of a design of zeros and ones are counts of points, and bits count fast.

#include "bocs/poly/design.hpp"

namespace bocs {

/// lower(G) += X'X for a design whose features are all 0 or 1: how many points have both monomials.
void count_common(const Design& X, Matrix& G);

}  // namespace bocs
