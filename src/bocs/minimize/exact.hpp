#pragma once
// The true minimum of small problems: every point is looked at, or provably need not be.

#include "bocs/minimize/minimizer.hpp"
#include "bocs/minimize/options.hpp"

namespace bocs {

class Exact : public Minimizer {
 public:
  explicit Exact(ExactOptions options = {}) : options_(options) {}
  /// Refuses spaces of more than 2^bits points, unless the constraints allow less than a hundredth of that, or they are
  /// binary and the order is at most 2: those are treated by branch and bound, which may end at its limit.
  void check(const Space& space, const Constraints& constraints, int order) const override;
  [[nodiscard]] Minimum minimize(const Polynomial& f, const Allowed& allowed, Rng& rng) const override;

 private:
  ExactOptions options_;
};

}  // namespace bocs
