#pragma once
// Maximum likelihood: least squares, [BP18] Eq. (7). Minimum norm when the data do not determine the coefficients.

#include "bocs/regress/options.hpp"
#include "bocs/regress/regression.hpp"

namespace bocs {

/// Every draw is the same: the method exploits and never explores, as the paper shows.
class Mle final : public Regression {
 public:
  explicit Mle(MleOptions = {}) {}
  [[nodiscard]] std::vector<Draw> sample(const Design& X, const Vector& y, int draws, Rng& rng) const override;
};

}  // namespace bocs
