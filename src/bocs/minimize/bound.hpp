#pragma once
// How small a polynomial can be at all: a certificate for the point that any minimizer found.

#include "bocs/poly/polynomial.hpp"

namespace bocs {

/// A number that no value of f over its space is below, whatever the constraints; -infinity: none. Of order 2 over
/// binary variables it is that of the semidefinite relaxation, [BP18] Sec. 3.2. Otherwise of a binary quadratic that is
/// nowhere above f: an integer or categorical variable is a group of indicators of its levels, and
/// a product of three or more features is replaced by pairs of them. The nearer x is to the minimum, the better. None
/// is computed beyond kMostIndicators, where it would cost more than finding x. The stream starts the relaxation.
double lower_bound(const Polynomial& f, const Point& x, Rng& rng);

inline constexpr int kMostIndicators = 300;

/// The quadratic of the indicators of the levels 1, 2, ... of all variables, one after the other, that is nowhere above
/// f, and equal to it at x where all features are 0 or 1.
Quadratic quadratic_below(const Polynomial& f, const Point& x);

}  // namespace bocs
