#include "bocs/minimize/exact.hpp"

#include <algorithm>
#include <cmath>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/minimize/branch_and_bound.hpp"
#include "bocs/minimize/enumerate.hpp"
#include "bocs/rule/feasible.hpp"

namespace bocs {

void ExactOptions::describe(OptionTable& table) {
  table.integer("bits", bits, 1, 32,
                "spaces of up to 2^bits points, or 2^bits / 100 under constraints, are enumerated (binary quadratics: "
                "of up to 2^24)");
  table.integer("nodes", nodes, 1, 2'000'000'000, "limit of the branch and bound for larger binary quadratics");
}

void Exact::check(const Space& space, const Constraints& constraints, int order) const {
  const double most = std::exp2(options_.bits);
  if ((space.all_binary() && order <= 2) || space.no_larger_than(most)) return;
  const auto allowed = constraints.empty() ? std::nullopt : constraints.feasible().count();
  if (allowed && kSatisfyingCost * *allowed <= most) return;
  const std::string counted = constraints.empty() ? ""
                              : allowed           ? ", of which " + shortest(*allowed) + " are allowed,"
                                                  : ", of which the allowed ones cannot be counted,";
  throw InvalidArgument("minimizer=exact enumerates at most 2^" + std::to_string(options_.bits) +
                        " points, or a hundredth of that under constraints, but the space has 2^" +
                        std::to_string(static_cast<int>(space.log2_size())) + counted + " and order " +
                        std::to_string(order) + "; use minimizer=annealing or tabu");
}

Minimum Exact::minimize(const Polynomial& f, const Allowed& allowed, Rng& rng) const {
  check(f.space(), allowed.constraints, f.basis().order());
  constexpr int kFasterBits = 24;  // beyond, branch and bound is faster
  const bool quadratic = f.space().all_binary() && f.basis().order() <= 2;
  if (quadratic && !enumerable(f.space(), allowed.constraints, std::exp2(std::min(kFasterBits, options_.bits)))) {
    return branch_and_bound(f, allowed, options_.nodes, rng);
  }
  return enumerate(f, allowed);
}

}  // namespace bocs
