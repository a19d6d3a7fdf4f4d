#pragma once
#include "bocs/minimize/minimizer.hpp"

namespace bocs {

/// Looks at every point of the space. lower_bound is the minimum over all points, excluded ones too. Throws
/// SpaceExhausted when every point is excluded.
Minimum enumerate(const Polynomial& f, const PointSet& excluded);

}  // namespace bocs
