#pragma once
// The model of [BP18] Sec. 3.1: a polynomial whose coefficients have a posterior distribution.

#include "bocs/model/model.hpp"
#include "bocs/poly/basis.hpp"
#include "bocs/regress/regression.hpp"

namespace bocs {

class PolynomialModel : public Model {
 public:
  /// Throws InvalidArgument for monomials that the space does not have.
  PolynomialModel(const Space& space, BasisOptions options, std::shared_ptr<const Regression> regression)
      : options_(std::move(options)),
        basis_(std::make_shared<const Basis>(space, options_)),
        regression_(std::move(regression)) {
    regression_->check(*basis_);
  }

  /// The same but for its order.
  [[nodiscard]] PolynomialModel of_order(int order) const;

  /// Draws of the coefficients given the data, alpha ~ P(alpha | X, y).
  [[nodiscard]] std::vector<Draw> draw(const Data& data, int draws, Rng& rng) const;
  /// The same, faster when called again and again while data are added behind the stable ones.
  [[nodiscard]] std::vector<Draw> draw(const Data& data, const StablePrefix& stable, int draws, Rng& rng) const;
  /// Predicts by the medians and variances of a few draws: means would follow the heavy tails of a sparse prior.
  [[nodiscard]] std::unique_ptr<Posterior> fit(const Data& data, const Rng& rng) const override;

  [[nodiscard]] const std::shared_ptr<const Basis>& basis() const { return basis_; }

 private:
  BasisOptions options_;
  std::shared_ptr<const Basis> basis_;
  std::shared_ptr<const Regression> regression_;
};

/// False for values at the edge of what a double holds.
bool is_finite(const Draw& draw);

}  // namespace bocs
