#pragma once
// Standard Bayesian linear regression, [BP18] supplement F: alpha | s2 ~ N(m 1, s2 v I), s2 ~ IG(a, b), intercept
// included among the coefficients. Conjugate: the posterior is normal-inverse-gamma in closed form.

#include "bocs/regress/options.hpp"
#include "bocs/regress/regression.hpp"

namespace bocs {

/// alpha | s2 ~ N(mean, s2 covariance), s2 ~ IG(a, b). Entry 0 of the mean is the intercept.
struct NormalInverseGamma {
  Vector mean;
  double a = 0;
  double b = 0;
};

class Bayes final : public Regression {
 public:
  explicit Bayes(BayesOptions options = {}) : options_(options) {}
  [[nodiscard]] std::vector<Draw> sample(const Design& X, const Vector& y, int draws, Rng& rng) const override;
  [[nodiscard]] NormalInverseGamma posterior(const Design& X, const Vector& y) const;

 private:
  BayesOptions options_;
};

}  // namespace bocs
