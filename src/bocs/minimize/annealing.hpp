#pragma once
// Simulated annealing over single moves, [BP18] Sec. 3.4: any order, any kind of variable.

#include "bocs/minimize/minimizer.hpp"
#include "bocs/minimize/options.hpp"

namespace bocs {

class Annealing : public Minimizer {
 public:
  explicit Annealing(AnnealingOptions options = {}) : options_(std::move(options)) {}
  void check(const Space&, const Constraints&, int) const override {}
  [[nodiscard]] Minimum minimize(const Polynomial& f, const Allowed& allowed, Rng& rng) const override;

 private:
  AnnealingOptions options_;
};

}  // namespace bocs
