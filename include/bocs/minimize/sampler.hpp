#pragma once
// A door for other people's minimizers of quadratic forms over {0,1}^d: annealers, Ising machines, solvers of QUBOs.

#include <cstdint>
#include <functional>
#include <vector>

#include "bocs/poly/quadratic.hpp"
#include "bocs/space/space.hpp"

namespace bocs {

/// Points where the form is small, in any order, at least one. The same arguments should give the same points: then
/// runs can be repeated. Called by the thread that asks for a proposal.
using QuadraticSampler = std::function<std::vector<Point>(const Quadratic& form, std::uint64_t seed)>;

}  // namespace bocs
