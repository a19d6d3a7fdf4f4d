#pragma once
#include "bocs/minimize/minimizer.hpp"

namespace bocs {

/// The minimum of a binary quadratic, proved by the bound of its semidefinite relaxation, or, after `nodes` nodes, the
/// best point found, a valid lower bound and Status::limit. Throws SpaceExhausted when every point is excluded.
Minimum branch_and_bound(const Polynomial& f, const PointSet& excluded, long nodes, Rng& rng);

}  // namespace bocs
