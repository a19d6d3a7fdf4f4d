#include "bocs/regress/factorization.hpp"

#include <cmath>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

/// One machine over the features x of a design, on standardized values.
class Machine {
 public:
  Machine(const Design& X, Vector y, const FactorizationOptions& options, Rng& rng)
      : X_(X), options_(options), x_(X.features()), residual_(std::move(y)), w_(Vector::Zero(x_.cols())) {
    constexpr double kSpread = 0.1;  // of the first vectors, as in the authors' program libFM
    V_.resize(x_.cols(), options.factors);
    for (double& v : V_.reshaped()) v = kSpread * rng.normal();
    for (const Feature& feature : X.basis().features()) variable_.push_back(feature.variable);
    for (int k = first_pair(); k < X.cols(); ++k) {
      const auto pair = X.basis().monomial(k);
      residual_ -= V_.row(pair[0]).dot(V_.row(pair[1])) * x_.col(pair[0]).cwiseProduct(x_.col(pair[1]));
    }
  }

  /// [RGFS11] Sec. 4.2: y is linear in each parameter, theta h(x) + g(x), so that each has a best value given the
  /// others.
  void sweep() {
    const double shift = residual_.mean();
    w0_ += shift;
    residual_.array() -= shift;
    for (Eigen::Index i = 0; i < x_.cols(); ++i) fit(w_[i], x_.col(i));
    for (Eigen::Index f = 0; f < V_.cols(); ++f) {
      Vector sum = x_ * V_.col(f);
      for (Eigen::Index i = 0; i < x_.cols(); ++i) {
        Vector others = sum;  // of the features of other variables
        for (Eigen::Index j = 0; j < x_.cols(); ++j) {
          if (variable_[j] == variable_[i]) others -= V_(j, f) * x_.col(j);
        }
        const double before = V_(i, f);
        fit(V_(i, f), x_.col(i).cwiseProduct(others));
        sum += (V_(i, f) - before) * x_.col(i);
      }
    }
  }

  [[nodiscard]] Draw draw() const {
    Draw draw{.intercept = w0_,
              .alpha = Vector(X_.cols()),
              .sigma2 = residual_.squaredNorm() / static_cast<double>(x_.rows())};
    draw.alpha.head(w_.size()) = w_;
    for (int k = first_pair(); k < X_.cols(); ++k) {
      const auto pair = X_.basis().monomial(k);
      draw.alpha[k] = V_.row(pair[0]).dot(V_.row(pair[1]));
    }
    return draw;
  }

 private:
  [[nodiscard]] int first_pair() const { return static_cast<int>(x_.cols()); }

  void fit(double& theta, const Vector& h) {
    const double squares = h.squaredNorm();
    const double better = (h.dot(residual_) + theta * squares) / (squares + options_.ridge);
    residual_ -= (better - theta) * h;
    theta = better;
  }

  const Design& X_;
  const FactorizationOptions& options_;
  const Matrix& x_;  // N x F
  Vector residual_;
  double w0_ = 0;
  Vector w_;
  Matrix V_;  // a row per feature
  std::vector<int> variable_;
};

}  // namespace

void FactorizationOptions::describe(OptionTable& table) {
  table.integer("factors", factors, 1, 1000, "length of the vector of each feature");
  table.integer("sweeps", sweeps, 1, 1'000'000, "over all parameters, of alternating least squares");
  table.real("ridge", ridge, 1e-6, 1e6, "pulls every parameter to 0; values have variance 1");
}

void Factorization::check(const Basis& basis) const {
  require(basis.order() <= 2 && basis.size() == basis.regular_size() && basis.excluded().empty(),
          "model=factorization has all products of two features: give no order above 2, extra or exclude");
}

std::vector<Draw> Factorization::sample(const Design& X, const Vector& y, int draws, Rng& rng) const {
  require(y.size() == X.rows(), "one observation for each row of the design");
  require(y.allFinite(), "the observations must be finite");
  check(X.basis());
  const double mean = y.mean(), spread = std::sqrt((y.array() - mean).square().mean());
  const double unit = spread > 0 ? spread : 1;
  const Vector standardized = (y.array() - mean) / unit;
  std::vector<Draw> all;
  for (int k = 0; k < draws; ++k) {
    Machine machine(X, standardized, options_, rng);
    for (int sweep = 0; sweep < options_.sweeps; ++sweep) machine.sweep();
    Draw draw = machine.draw();
    draw.intercept = mean + unit * draw.intercept;
    draw.alpha *= unit;
    draw.sigma2 *= unit * unit;
    all.push_back(std::move(draw));
  }
  return all;
}

}  // namespace bocs
