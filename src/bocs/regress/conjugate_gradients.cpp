#include <algorithm>
#include <numeric>

#include "bocs/numeric/parallel.hpp"
#include "bocs/regress/gaussian_kernels.hpp"

namespace bocs {
namespace {

/// As DataSpace, with M^-1 by preconditioned conjugate gradients and X never stored. The preconditioner keeps the 2N
/// regular columns with the largest scales and the extra columns exactly and replaces every other product x_i x_j by
/// its linear part m_j x_i + m_i x_j and independent noise of the right size. On data near one point, where few columns
/// vary much, that is a bad picture of the rest: once the iterations have cost more than the exact matrix, the exact
/// matrix is used from there on.
class ConjugateGradients final : public DataSpace {
 public:
  ConjugateGradients(const Design& X, Vector y, Intercept intercept)
      : DataSpace(X, std::move(y), intercept),
        worth_(static_cast<int>(std::clamp(gram_cost(X) / product_cost(X) / 2, 20.0, 250.0))) {}

  static constexpr double kTolerance = 1e-6;  // of the residual, relative to the right-hand side

  void set_scales(const Vector& beta2) override {
    if (!exact_ && iterations_ > 2 * worth_) {
      exact_ = true;
      noise_ = 0;
    }
    iterations_ = 0;
    if (exact_) return DataSpace::set_scales(beta2);
    beta2_ = beta2;
    const Design& X = X_.raw();
    const Basis& basis = X.basis();
    const int features = static_cast<int>(basis.features().size());
    std::vector<int> order(static_cast<std::size_t>(basis.regular_size()));
    std::iota(order.begin(), order.end(), 0);
    const auto active = std::min<std::ptrdiff_t>(2 * X.rows(), basis.regular_size());
    std::nth_element(order.begin(), order.begin() + active - 1, order.end(),
                     [&](int a, int b) { return beta2(a) != beta2(b) ? beta2(a) > beta2(b) : a < b; });
    std::vector<int> kept(order.begin(), order.begin() + active);
    std::sort(kept.begin(), kept.end());
    for (int k = basis.regular_size(); k < X.cols(); ++k) kept.push_back(k);

    Vector linear = Vector::Zero(features);  // weight of feature i from the linear parts of the columns left out
    noise_ = 0;
    Vector left_out = beta2;
    for (const int k : kept) left_out(k) = 0;
    const Vector& mean = X.means();
    std::vector<int> singles(static_cast<std::size_t>(features));
    std::iota(singles.begin(), singles.end(), 0);
    if (feature_variance_.size() == 0) {
      feature_variance_ = X.columns(singles).cwiseAbs2().colwise().mean().transpose() - mean.head(features).cwiseAbs2();
    }
    double constant = 0;
    for (int k = 0; k < X.cols(); ++k) {
      if (left_out(k) == 0) continue;
      const auto members = basis.monomial(k);
      if (members.size() == 1) {
        linear(k) += left_out(k);
        continue;
      }
      const double a = mean(members[0]);
      const double b = mean(members[1]);
      linear(members[0]) += left_out(k) * b * b;
      linear(members[1]) += left_out(k) * a * a;
      noise_ += left_out(k) * feature_variance_(members[0]) * feature_variance_(members[1]);
      constant += left_out(k) * a * a * b * b;
    }

    Matrix columns = X_.columns(kept);
    for (Eigen::Index k = 0; k < columns.cols(); ++k)
      columns.col(k) *= std::sqrt(beta2(kept[static_cast<std::size_t>(k)]));
    gram_ = Matrix::Zero(X.rows(), X.rows());
    if (!X_.centred()) gram_.setConstant(constant);
    add_outer(gram_, columns);
    work_ += outer_cost(X.rows(), static_cast<double>(columns.cols() + features)) + cholesky_cost(X.rows());
    columns = X_.columns(singles) * linear.cwiseSqrt().asDiagonal();
    add_outer(gram_, columns);
  }

  void prepare(double tau2, Factor& factor) const override {
    factor.tau2 = tau2;
    factorize_shifted(gram_, 1 + tau2 * noise_, factor);
    if (!factor.usable) return;
    factor.solution = y_;
    solve_lower(factor.L, factor.solution);
    factor.quadratic = factor.solution.squaredNorm();
    solve_lower_transposed(factor.L, factor.solution);
  }

  /// M^-1 y and the draw in one run.
  [[nodiscard]] Solution solve(const Factor& factor, Rng* rng) override {
    if (exact_) return DataSpace::solve(factor, rng);
    Solution result{this, &factor, rng, 0, {}};
    Design::Two v = {y_, Vector::Zero(y_.size())};
    if (rng != nullptr) {
      result.prior_draw = draw_prior(factor.tau2, *rng);
      v[1] = draw_data(result.prior_draw, *rng);
    }
    Design::Two x = inverse(factor, std::move(v));
    result.solution = std::move(x[0]);
    result.prior_solution = std::move(x[1]);
    result.quadratic = std::max(0.0, y_.dot(result.solution));
    return result;
  }

  [[nodiscard]] bool exact_evidence() const override { return exact_; }

 private:
  [[nodiscard]] Vector draw(const Solution& given, double sigma) const override {
    if (exact_) return DataSpace::draw(given, sigma);
    return combine(given, sigma, given.prior_draw, given.prior_solution);
  }

  /// M^-1 of two vectors by one run, which multiplies both with X at once.
  [[nodiscard]] Design::Two inverse(const Factor& factor, Design::Two residual) {
    Design::Two x, direction;
    double target[2], rho[2];
    const auto running = [&](int k) { return residual[k].norm() > target[k]; };
    for (int k = 0; k < 2; ++k) {
      target[k] = kTolerance * residual[k].norm();
      x[k] = Vector::Zero(residual[k].size());
      direction[k] = solve_factor(factor, residual[k]);
      rho[k] = residual[k].dot(direction[k]);
    }
    const Vector D = factor.tau2 * beta2_;
    bool on[2] = {running(0), running(1)};
    for (int i = 0; i < kMaxIterations && (on[0] || on[1]); ++i) {
      Design::Two product;
      if (on[0] && on[1]) {
        product = X_.gram_times_both(D, direction);
      } else {
        const int k = on[0] ? 0 : 1;
        product[k] = X_.gram_times(D, direction[k]);
      }
      const int count = (on[0] ? 1 : 0) + (on[1] ? 1 : 0);
      iterations_ += count;
      work_ += 2 * count * product_cost(X_.raw());
      parallel_for(2, threads_for(static_cast<double>(y_.size() * y_.size())), [&](int k) {
        if (!on[k]) return;
        const Vector image = direction[k] + product[k];
        const double step = rho[k] / direction[k].dot(image);
        on[k] = std::isfinite(step);  // if not, scales are beyond double precision: the solution so far stands
        if (!on[k]) return;
        x[k] += step * direction[k];
        residual[k] -= step * image;
        on[k] = running(k);
        const Vector z = solve_factor(factor, residual[k]);
        const double next = residual[k].dot(z);
        direction[k] = z + (next / rho[k]) * direction[k];
        rho[k] = next;
      });
    }
    return x;
  }

  static constexpr int kMaxIterations = 500;

  int worth_;  // iterations of a solution that cost as much as the exact matrix, about
  bool exact_ = false;
  int iterations_ = 0;  // under the present scales
  double noise_ = 0;
  Vector feature_variance_;
};

}  // namespace

std::unique_ptr<GaussianPosterior> make_conjugate_gradients(const Design& X, Vector y, Intercept intercept) {
  return std::make_unique<ConjugateGradients>(X, std::move(y), intercept);
}

}  // namespace bocs
