#pragma once
// The kernels of the Gaussian part, one file each, and what they share.

#include <cmath>

#include "bocs/regress/centred_design.hpp"
#include "bocs/regress/gaussian.hpp"

namespace bocs {

/// Nanoseconds of X D X' and of X u or X'w for many features: rough counts of operations over measured rates.
inline double gram_cost(const Design& X) {
  const double NF = static_cast<double>(X.rows()) * static_cast<double>(X.basis().features().size());
  return NF * NF / 8 / 20;  // row-sparse SYRK
}
inline double product_cost(const Design& X) {
  const double F = static_cast<double>(X.basis().features().size());
  return X.rows() * F * F / 8 / 8;
}
/// Of the Cholesky factor of n x n, and of n x k times its transpose.
inline double cholesky_cost(double n) { return n * n * n / 3 / 30; }
inline double outer_cost(double n, double k) { return n * n * k / 40; }

/// n independent N(0, 1).
Vector normals(Eigen::Index n, Rng& rng);

/// Factor of diagonal * I + tau2 * lower(G).
void factorize_shifted(const Matrix& G, double diagonal, GaussianPosterior::Factor& factor);

std::unique_ptr<GaussianPosterior> make_coefficient_space(const Design& X, Vector y, Intercept intercept);
std::unique_ptr<GaussianPosterior> make_conjugate_gradients(const Design& X, Vector y, Intercept intercept);

/// In R^N, after [BCM16]: u ~ N(0, D), v = X u + N(0, I), alpha = s (u + D X' M^-1 (y/s - v)).
class DataSpace : public GaussianPosterior {
 public:
  DataSpace(const Design& X, Vector y, Intercept intercept) : X_(X, intercept), y_(std::move(y)) {}

  void set_scales(const Vector& beta2) override {
    work_ += gram_cost(X_.raw()) + 3 * cholesky_cost(X_.raw().rows());
    beta2_ = beta2;
    gram_ = X_.weighted_gram(beta2);
  }

  void prepare(double tau2, Factor& factor) const override {
    factor.tau2 = tau2;
    factorize_shifted(gram_, 1, factor);
    if (!factor.usable) return;
    factor.solution = y_;
    solve_lower(factor.L, factor.solution);
    factor.quadratic = factor.solution.squaredNorm();
    solve_lower_transposed(factor.L, factor.solution);
  }

 protected:
  [[nodiscard]] Vector mean(double tau2, const Vector& solution) const override {
    return tau2 * beta2_.cwiseProduct(X_.transposed_times(solution));
  }

  [[nodiscard]] Vector draw(const Solution& given, double sigma) const override {
    const Vector u = draw_prior(given.factor->tau2, *given.rng);
    return combine(given, sigma, u, solve_factor(*given.factor, draw_data(u, *given.rng)));
  }

  /// u ~ N(0, D)
  [[nodiscard]] Vector draw_prior(double tau2, Rng& rng) const {
    Vector u = normals(beta2_.size(), rng);
    u.array() *= (tau2 * beta2_.array()).sqrt();
    return u;
  }
  /// v = X u + N(0, I)
  [[nodiscard]] Vector draw_data(const Vector& u, Rng& rng) const { return X_.times(u) + normals(y_.size(), rng); }
  /// The draw from u and M^-1 v.
  [[nodiscard]] Vector combine(const Solution& given, double sigma, const Vector& u, const Vector& inverse_v) const {
    const Vector w = given.solution / sigma - inverse_v;
    return sigma * (u + given.factor->tau2 * beta2_.cwiseProduct(X_.transposed_times(w)));
  }
  /// (L L')^-1 v
  [[nodiscard]] static Vector solve_factor(const Factor& factor, Vector v) {
    solve_lower(factor.L, v);
    solve_lower_transposed(factor.L, v);
    return v;
  }

  CentredDesign X_;
  Vector y_;
  Vector beta2_;
  Matrix gram_;  // X diag(beta2) X', lower; for conjugate gradients that of the preconditioner
};

}  // namespace bocs
