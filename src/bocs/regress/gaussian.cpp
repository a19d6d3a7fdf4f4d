#include "bocs/regress/gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bocs/numeric/parallel.hpp"
#include "bocs/poly/counts.hpp"

namespace bocs {
namespace {

constexpr int kMaxCoefficients = 12'000;  // a matrix of their products takes a gigabyte
constexpr int kMaxMoves = 4000;  // coefficients; above, moving tau by the evidence would cost two factorizations more

/// X with its columns centred when the intercept is flat.
class CentredDesign {
 public:
  CentredDesign(const Design& X, Intercept intercept) : X_(X), centred_(intercept == Intercept::flat) {}

  [[nodiscard]] const Design& raw() const { return X_; }
  [[nodiscard]] bool centred() const { return centred_; }
  [[nodiscard]] Vector times(const Vector& u) const {
    Vector result = X_.times(u);
    if (centred_) result.array() -= X_.means().dot(u);
    return result;
  }
  [[nodiscard]] Vector transposed_times(const Vector& w) const {
    Vector result = X_.transposed_times(w);
    if (centred_) result -= w.sum() * X_.means();
    return result;
  }
  /// X diag(D) X' w.
  [[nodiscard]] Vector gram_times(const Vector& D, const Vector& w) const {
    return times(D.cwiseProduct(transposed_times(w)));
  }
  /// The same of two vectors at once.
  [[nodiscard]] Design::Two gram_times_both(const Vector& D, const Design::Two& w) const {
    Design::Two u = X_.transposed_times_both(w);
    for (int k = 0; k < 2; ++k) {
      if (centred_) u[k] -= w[k].sum() * X_.means();
      u[k].array() *= D.array();
    }
    Design::Two result = X_.times_both(u);
    if (centred_) {
      for (int k = 0; k < 2; ++k) result[k].array() -= X_.means().dot(u[k]);
    }
    return result;
  }
  /// Lower triangle of X D X'. Centring: (X - 1m')D(X - 1m')' = G - g1' - 1g' + c with g = XDm = G1/N, c = m'Dm =
  /// 1'g/N.
  [[nodiscard]] Matrix weighted_gram(const Vector& D) const {
    Matrix G = X_.weighted_gram(D);
    if (centred_) {
      Vector g = Vector::Zero(G.rows());
      for (Eigen::Index j = 0; j < G.cols(); ++j) {
        const Eigen::Index below = G.rows() - j - 1;
        g(j) += G.col(j).tail(below + 1).sum();
        g.tail(below) += G.col(j).tail(below);
      }
      g /= static_cast<double>(G.rows());
      g.array() -= 0.5 * g.mean();
      for (Eigen::Index j = 0; j < G.cols(); ++j) {
        const Eigen::Index below = G.rows() - j;
        G.col(j).tail(below) -= g.tail(below);
        G.col(j).tail(below).array() -= g(j);
      }
    }
    return G;
  }
  /// Lower triangle of X'X. Centring: X'X - N m m'.
  [[nodiscard]] Matrix gram() const {
    const auto features = X_.basis().features();
    Matrix G = Matrix::Zero(X_.cols(), X_.cols());
    if (std::all_of(features.begin(), features.end(), [](const Feature& f) { return f.scale == 0; })) {
      count_common(X_, G);
      if (centred_) add_outer(G, X_.means(), -X_.rows());
      return G;
    }
    const int block = X_.cols() > kMaxMoves ? 256 : 2048;
    for (int from = 0; from < X_.rows(); from += block) {
      Matrix rows = X_.rows(from, std::min(block, X_.rows() - from));
      if (centred_) rows.rowwise() -= X_.means().transpose();
      add_outer(G, rows.transpose().eval());
    }
    return G;
  }
  [[nodiscard]] Matrix columns(std::span<const int> which) const {
    Matrix result = X_.columns(which);
    if (centred_) result.rowwise() -= result.colwise().mean().eval();
    return result;
  }

 private:
  const Design& X_;
  bool centred_;
};

/// Nanoseconds of X D X' and of X u or X'w for many features: rough counts of operations over measured rates.
double gram_cost(const Design& X) {
  const double NF = static_cast<double>(X.rows()) * static_cast<double>(X.basis().features().size());
  return NF * NF / 8 / 20;  // row-sparse SYRK
}
double product_cost(const Design& X) {
  const double F = static_cast<double>(X.basis().features().size());
  return X.rows() * F * F / 8 / 8;
}
/// Of the Cholesky factor of n x n, and of n x k times its transpose.
double cholesky_cost(double n) { return n * n * n / 3 / 30; }
double outer_cost(double n, double k) { return n * n * k / 40; }

Vector normals(Eigen::Index n, Rng& rng) {
  Vector z(n);
  for (auto& e : z) e = rng.normal();
  return z;
}

/// Factor of diagonal * I + tau2 * lower(G).
void factorize_shifted(const Matrix& G, double diagonal, GaussianPosterior::Factor& factor) {
  const auto fill = [&](Matrix& L) {
    L.resize(G.rows(), G.cols());
    for (Eigen::Index j = 0; j < G.cols(); ++j) {
      const Eigen::Index below = G.rows() - j;
      L.col(j).tail(below) = factor.tau2 * G.col(j).tail(below);
      L(j, j) += diagonal;
    }
  };
  fill(factor.L);
  factor.repairs = cholesky(factor.L, fill);
  factor.usable = factor.repairs >= 0;
  factor.log_determinant = factor.usable ? log_determinant(factor.L) : INFINITY;
}

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

  void factorize(double tau2, Factor& factor) const override {
    factor.tau2 = tau2;
    factorize_shifted(scaled_, 1, factor);
    if (!factor.usable) return;
    factor.solution = std::sqrt(tau2) * root_.cwiseProduct(Xty_);
    solve_lower(factor.L, factor.solution);
    solve_lower_transposed(factor.L, factor.solution);
    // y'M^-1 y = |y - X alpha|^2 + |solution|^2 at the mean alpha: y'y - b'A^-1 b would cancel to nothing on noise-free
    // data. With r = y - X near, |y - X alpha|^2 = |r|^2 + 2 r'X (near - alpha) + |X (near - alpha)|^2.
    const Vector away = near_ - mean(factor);
    const double moved = away.dot(gram_.selfadjointView<Eigen::Lower>() * away);
    factor.quadratic = std::max(0.0, squares_ + 2 * slope_.dot(away) + moved) + factor.solution.squaredNorm();
  }

  [[nodiscard]] bool exact_evidence() const override { return root_.size() <= kMaxMoves; }

  [[nodiscard]] Vector mean(const Factor& factor) const override {
    return std::sqrt(factor.tau2) * root_.cwiseProduct(factor.solution);
  }

  [[nodiscard]] Vector draw(const Factor& factor, double sigma, Rng& rng) const override {
    Vector z = normals(root_.size(), rng);
    solve_lower_transposed(factor.L, z);
    return std::sqrt(factor.tau2) * root_.cwiseProduct(factor.solution + sigma * z);
  }

 private:
  CentredDesign X_;
  Matrix gram_;  // X'X, lower
  Vector Xty_;
  Vector near_;         // nearly least squares
  double squares_ = 0;  // |y - X near|^2
  Vector slope_;        // X' (y - X near)
  Vector root_;         // beta
  Matrix scaled_;       // diag(beta) X'X diag(beta), lower
};

/// In R^N, after [BCM16]: u ~ N(0, D), v = X u + N(0, I), alpha = s (u + D X' M^-1 (y/s - v)).
class DataSpace : public GaussianPosterior {
 public:
  DataSpace(const Design& X, Vector y, Intercept intercept) : X_(X, intercept), y_(std::move(y)) {}

  void set_scales(const Vector& beta2) override {
    work_ += gram_cost(X_.raw()) + 3 * cholesky_cost(X_.raw().rows());
    beta2_ = beta2;
    gram_ = X_.weighted_gram(beta2);
  }

  void factorize(double tau2, Factor& factor) const override {
    factor.tau2 = tau2;
    factorize_shifted(gram_, 1, factor);
    if (!factor.usable) return;
    factor.solution = y_;
    solve_lower(factor.L, factor.solution);
    factor.quadratic = factor.solution.squaredNorm();
    solve_lower_transposed(factor.L, factor.solution);
  }

  [[nodiscard]] Vector mean(const Factor& factor) const override {
    return factor.tau2 * beta2_.cwiseProduct(X_.transposed_times(factor.solution));
  }

  [[nodiscard]] Vector draw(const Factor& factor, double sigma, Rng& rng) const override {
    const Vector u = draw_prior(factor, rng);
    return combine(factor, sigma, u, solve_factor(factor, draw_data(u, rng)));
  }

 protected:
  /// u ~ N(0, D)
  [[nodiscard]] Vector draw_prior(const Factor& factor, Rng& rng) const {
    Vector u = normals(beta2_.size(), rng);
    u.array() *= (factor.tau2 * beta2_.array()).sqrt();
    return u;
  }
  /// v = X u + N(0, I)
  [[nodiscard]] Vector draw_data(const Vector& u, Rng& rng) const { return X_.times(u) + normals(y_.size(), rng); }
  /// The draw from u and M^-1 v.
  [[nodiscard]] Vector combine(const Factor& factor, double sigma, const Vector& u, const Vector& inverse_v) const {
    const Vector w = factor.solution / sigma - inverse_v;
    return sigma * (u + factor.tau2 * beta2_.cwiseProduct(X_.transposed_times(w)));
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

  void factorize(double tau2, Factor& factor) const override {
    factor.tau2 = tau2;
    factorize_shifted(gram_, 1 + tau2 * noise_, factor);
    if (!factor.usable) return;
    factor.solution = y_;
    solve_lower(factor.L, factor.solution);
    factor.quadratic = factor.solution.squaredNorm();
    solve_lower_transposed(factor.L, factor.solution);
  }

  void solve(Factor& factor, Rng* draw) const override {
    if (exact_) return;
    Design::Two v = {y_, Vector::Zero(y_.size())};
    if (draw != nullptr) {
      factor.prior_draw = draw_prior(factor, *draw);
      v[1] = draw_data(factor.prior_draw, *draw);
    }
    Design::Two x = inverse(factor, std::move(v));
    factor.solution = std::move(x[0]);
    factor.prior_solution = std::move(x[1]);
    factor.quadratic = std::max(0.0, y_.dot(factor.solution));
  }

  [[nodiscard]] bool exact_evidence() const override { return exact_; }

  [[nodiscard]] Vector draw(const Factor& factor, double sigma, Rng& rng) const override {
    if (exact_) return DataSpace::draw(factor, sigma, rng);
    return combine(factor, sigma, factor.prior_draw, factor.prior_solution);
  }

 private:
  /// M^-1 of two vectors by one run, which multiplies both with X at once.
  [[nodiscard]] Design::Two inverse(const Factor& factor, Design::Two residual) const {
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
  mutable int iterations_ = 0;  // under the present scales
  double noise_ = 0;
  Vector feature_variance_;
};

/// The kernel with the fewest nanoseconds for one sweep.
GaussianKernel fastest_kernel(const Design& X) {
  const double N = X.rows();
  const double p = X.cols();
  const bool pairs = X.basis().regular_order() == 2 && X.basis().features().size() > 100;
  if (p <= 1.2 * N && p <= kMaxCoefficients) return GaussianKernel::coefficient_space;
  // About 40 products, and something for tau, which moves more slowly without the evidence.
  const double gradients = outer_cost(N, 2 * N) + 60 * product_cost(X);
  return pairs && gradients < gram_cost(X) ? GaussianKernel::conjugate_gradients : GaussianKernel::data_space;
}

}  // namespace

std::unique_ptr<GaussianPosterior> make_gaussian(const Design& X, Vector y, Intercept intercept,
                                                 GaussianKernel kernel) {
  if (kernel == GaussianKernel::fastest) kernel = fastest_kernel(X);
  switch (kernel) {
    case GaussianKernel::coefficient_space:
      return std::make_unique<CoefficientSpace>(X, std::move(y), intercept);
    case GaussianKernel::conjugate_gradients:
      return std::make_unique<ConjugateGradients>(X, std::move(y), intercept);
    default:
      return std::make_unique<DataSpace>(X, std::move(y), intercept);
  }
}

}  // namespace bocs
