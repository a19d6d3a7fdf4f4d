#pragma once
#include "bocs/minimize/minimizer.hpp"

namespace bocs {

/// Looks at every point, or, when they are few among all, at those that satisfy the constraints. lower_bound is the
/// minimum over these, excluded ones too. Throws SpaceExhausted when no point is allowed.
Minimum enumerate(const Polynomial& f, const Allowed& allowed);

/// One of the points that satisfy the constraints costs about as much as so many in Gray-code order.
inline constexpr double kSatisfyingCost = 100;

/// True when `enumerate` looks at no more than `points`.
bool enumerable(const Space& space, const Constraints& constraints, double points);

}  // namespace bocs
