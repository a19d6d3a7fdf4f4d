#include "bocs/regress/bayes.hpp"

#include <cmath>

#include "bocs/base/error.hpp"

// With F = [1 X] and M = I + v F F' (N x N), Woodbury's identity gives the posterior of [BP18] supplement F without a
// (p+1) x (p+1) matrix:
//   mean = m + v F' M^-1 (y - F m),   a = a0 + N/2,   b = b0 + (y - F m)' M^-1 (y - F m) / 2,
// and draws as in [BCM16]. Excluded monomials have m = v = 0.

namespace bocs {
namespace {

struct Factor {
  Vector m;  // prior means, intercept first
  Vector v;  // prior variances
  Matrix L;  // of M
  Vector r;  // y - F m
  Vector w;  // M^-1 r
  int repairs = 0;
};

/// F' w, intercept first.
Vector transposed(const Design& X, const Vector& w) {
  Vector result(X.cols() + 1);
  result(0) = w.sum();
  result.tail(X.cols()) = X.transposed_times(w);
  return result;
}

Vector forward(const Design& X, const Vector& u) {
  Vector result = X.times(u.tail(X.cols()));
  result.array() += u(0);
  return result;
}

Vector inverse(const Matrix& L, Vector v) {
  solve_lower(L, v);
  solve_lower_transposed(L, v);
  return v;
}

Factor factorize(const Design& X, const Vector& y, const BayesOptions& options) {
  require(y.size() == X.rows(), "one observation for each row of the design");
  require(y.allFinite(), "the observations must be finite");
  Factor f;
  Vector included = Vector::Ones(X.cols() + 1);
  included.tail(X.cols()) = X.included();
  f.m = options.prior_mean * included;
  f.v = options.prior_variance * included;
  f.L = X.weighted_gram(f.v.tail(X.cols()));
  f.L.array() += options.prior_variance;
  f.L.diagonal().array() += 1;
  f.repairs = cholesky(f.L);
  if (f.repairs < 0) {  // no rung of the ladder helped: nothing is learnt
    f.L.setIdentity();
    f.repairs = 1;
  }
  f.r = y - forward(X, f.m);
  f.w = inverse(f.L, f.r);
  return f;
}

NormalInverseGamma posterior_of(const Design& X, const Factor& f, const BayesOptions& options) {
  return {f.v.cwiseProduct(transposed(X, f.w)) + f.m, options.a + 0.5 * X.rows(), options.b + 0.5 * f.r.dot(f.w)};
}

}  // namespace

void BayesOptions::describe(OptionTable& table) {
  table.real("prior_mean", prior_mean, -1e6, 1e6, "prior mean of every coefficient");
  table.real("prior_variance", prior_variance, 1e-6, 1e6, "prior variance of a coefficient, in units of sigma^2");
  table.real("a", a, 1e-6, 1e6, "shape of the inverse-gamma prior of sigma^2");
  table.real("b", b, 1e-12, 1e12, "scale of the inverse-gamma prior of sigma^2");
}

NormalInverseGamma Bayes::posterior(const Design& X, const Vector& y) const {
  return posterior_of(X, factorize(X, y, options_), options_);
}

std::vector<Draw> Bayes::sample(const Design& X, const Vector& y, int draws, Rng& rng) const {
  const Factor f = factorize(X, y, options_);
  const NormalInverseGamma posterior = posterior_of(X, f, options_);
  std::vector<Draw> result;
  for (int i = 0; i < draws; ++i) {
    const double sigma2 = rng.inverse_gamma(posterior.a, posterior.b);
    Vector u(X.cols() + 1);
    for (Eigen::Index k = 0; k < u.size(); ++k) u(k) = std::sqrt(f.v(k)) * rng.normal();
    Vector noise(X.rows());
    for (auto& e : noise) e = rng.normal();
    const Vector w = inverse(f.L, forward(X, u) + noise);
    const Vector alpha = posterior.mean + std::sqrt(sigma2) * (u - f.v.cwiseProduct(transposed(X, w)));
    result.push_back({alpha(0), alpha.tail(X.cols()), sigma2, f.repairs});
  }
  return result;
}

}  // namespace bocs
