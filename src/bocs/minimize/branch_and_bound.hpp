#pragma once
#include "bocs/minimize/minimizer.hpp"

namespace bocs {

/// The minimum of a binary quadratic, proved by the bound of its semidefinite relaxation, or, after `nodes` nodes, the
/// best point found, a valid lower bound and Status::limit. Throws SpaceExhausted when no point is allowed.
Minimum branch_and_bound(const Polynomial& f, const Allowed& allowed, long nodes, Rng& rng);

}  // namespace bocs
