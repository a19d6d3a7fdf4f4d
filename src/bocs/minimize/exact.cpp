#include "bocs/minimize/exact.hpp"

#include <algorithm>
#include <cmath>

#include "bocs/core/error.hpp"
#include "bocs/minimize/branch_and_bound.hpp"
#include "bocs/minimize/enumerate.hpp"

namespace bocs {

void ExactOptions::describe(OptionTable& table) {
  table.integer("bits", bits, 1, 32, "spaces of up to 2^bits points are enumerated (binary quadratics: of up to 2^24)");
  table.integer("nodes", nodes, 1, 2'000'000'000, "limit of the branch and bound for larger binary quadratics");
}

void Exact::check(const Space& space, int order) const {
  if (space.all_binary() && order <= 2) return;
  require(space.no_larger_than(std::exp2(options_.bits)), [&] {
    return "minimizer=exact enumerates at most 2^" + std::to_string(options_.bits) + " points, but the space has 2^" +
           std::to_string(static_cast<int>(space.log2_size())) + " and order " + std::to_string(order) +
           "; use minimizer=annealing or tabu";
  });
}

Minimum Exact::minimize(const Polynomial& f, const Allowed& allowed, Rng& rng) const {
  check(f.space(), f.basis().order());
  constexpr int kFasterBits = 24;  // beyond, branch and bound is faster
  const bool quadratic = f.space().all_binary() && f.basis().order() <= 2;
  if (quadratic && !enumerable(f.space(), allowed.constraints, std::exp2(std::min(kFasterBits, options_.bits)))) {
    return branch_and_bound(f, allowed, options_.nodes, rng);
  }
  return enumerate(f, allowed);
}

}  // namespace bocs
