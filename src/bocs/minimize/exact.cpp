#include "bocs/minimize/exact.hpp"

#include <cmath>

#include "bocs/core/error.hpp"
#include "bocs/minimize/enumerate.hpp"

namespace bocs {

void ExactOptions::describe(OptionTable& table) {
  table.integer("bits", bits, 1, 32, "spaces of up to 2^bits points are enumerated");
}

void Exact::check(const Space& space, int order) const {
  require(space.no_larger_than(std::exp2(options_.bits)), [&] {
    return "minimizer=exact enumerates at most 2^" + std::to_string(options_.bits) + " points, but the space has 2^" +
           std::to_string(static_cast<int>(space.log2_size())) + " and order " + std::to_string(order) +
           "; use minimizer=annealing or tabu";
  });
}

Minimum Exact::minimize(const Polynomial& f, const PointSet& excluded, Rng&) const {
  check(f.space(), f.basis().order());
  return enumerate(f, excluded);
}

}  // namespace bocs
