#pragma once
// Multistart tabu search over single moves: any order, any kind of variable.

#include <span>

#include "bocs/minimize/minimizer.hpp"
#include "bocs/minimize/options.hpp"

namespace bocs {

class Tabu : public Minimizer {
 public:
  explicit Tabu(TabuOptions options = {}) : options_(options) {}
  void check(const Space&, const Constraints&, int) const override {}
  [[nodiscard]] Minimum minimize(const Polynomial& f, const Allowed& allowed, Rng& rng) const override {
    return minimize(f, allowed, rng, {});
  }
  /// The first searches start at `starts`, which satisfy the constraints; what is left of `restarts` at random points.
  [[nodiscard]] Minimum minimize(const Polynomial& f, const Allowed& allowed, Rng& rng,
                                 std::span<const Point> starts) const;

 private:
  TabuOptions options_;
};

}  // namespace bocs
