#include <algorithm>

#include "bocs/regress/gaussian_kernels.hpp"

namespace bocs {
namespace {

/// In R^p, after [Rue01], for p < N. X itself is never stored.
class CoefficientSpace final : public GaussianPosterior {
 public:
  CoefficientSpace(const Design& X, Vector given, Intercept intercept) : X_(X, intercept) {
    const Vector y = std::move(given);
    gram_ = X_.gram();
    Xty_ = X_.transposed_times(y);
    constexpr double kRidge = 1e-10;  // keeps the near solution finite where columns depend on each other
    Matrix L = gram_;
    L.diagonal().array() += kRidge * std::max(1e-300, L.diagonal().maxCoeff());
    cholesky(L);
    near_ = Xty_;
    solve_lower(L, near_);
    solve_lower_transposed(L, near_);
    const Vector residual = y - X_.times(near_);
    squares_ = residual.squaredNorm();
    slope_ = X_.transposed_times(residual);
  }

  void set_scales(const Vector& beta2) override {
    root_ = beta2.cwiseSqrt();
    work_ += (exact_evidence() ? 3 : 1) * cholesky_cost(static_cast<double>(root_.size()));
    scaled_.resize(gram_.rows(), gram_.cols());
    for (Eigen::Index j = 0; j < gram_.cols(); ++j) {
      const Eigen::Index below = gram_.rows() - j;
      scaled_.col(j).tail(below) = root_(j) * gram_.col(j).tail(below).cwiseProduct(root_.tail(below));
    }
  }

  void prepare(double tau2, Factor& factor) const override {
    factor.tau2 = tau2;
    factorize_shifted(scaled_, 1, factor);
    if (!factor.usable) return;
    factor.solution = std::sqrt(tau2) * root_.cwiseProduct(Xty_);
    solve_lower(factor.L, factor.solution);
    solve_lower_transposed(factor.L, factor.solution);
    // y'M^-1 y = |y - X alpha|^2 + |solution|^2 at the mean alpha: y'y - b'A^-1 b would cancel to nothing on noise-free
    // data. With r = y - X near, |y - X alpha|^2 = |r|^2 + 2 r'X (near - alpha) + |X (near - alpha)|^2.
    const Vector away = near_ - mean(tau2, factor.solution);
    const double moved = away.dot(gram_.selfadjointView<Eigen::Lower>() * away);
    factor.quadratic = std::max(0.0, squares_ + 2 * slope_.dot(away) + moved) + factor.solution.squaredNorm();
  }

  [[nodiscard]] bool exact_evidence() const override { return root_.size() <= CentredDesign::kMostMoves; }

 private:
  [[nodiscard]] Vector mean(double tau2, const Vector& solution) const override {
    return std::sqrt(tau2) * root_.cwiseProduct(solution);
  }

  [[nodiscard]] Vector draw(const Solution& given, double sigma) const override {
    Vector z = normals(root_.size(), *given.rng);
    solve_lower_transposed(given.factor->L, z);
    return std::sqrt(given.factor->tau2) * root_.cwiseProduct(given.solution + sigma * z);
  }

  CentredDesign X_;
  Matrix gram_;  // X'X, lower
  Vector Xty_;
  Vector near_;         // nearly least squares
  double squares_ = 0;  // |y - X near|^2
  Vector slope_;        // X' (y - X near)
  Vector root_;         // beta
  Matrix scaled_;       // diag(beta) X'X diag(beta), lower
};

}  // namespace

std::unique_ptr<GaussianPosterior> make_coefficient_space(const Design& X, Vector y, Intercept intercept) {
  return std::make_unique<CoefficientSpace>(X, std::move(y), intercept);
}

}  // namespace bocs
