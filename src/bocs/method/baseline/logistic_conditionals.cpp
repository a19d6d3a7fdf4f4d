#include "bocs/method/baseline/logistic_conditionals.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace bocs {
namespace {

constexpr std::size_t kPredictors = 8;  // at most, those of largest correlation
constexpr int kNewtonSteps = 8;
constexpr double kSurest = 0.98;  // no bit is more certain than this: a population never dies out

double logistic(double t) { return 1 / (1 + std::exp(-t)); }

/// Maximum of the weighted log-likelihood, in units of observations, with a unit normal prior on the slopes and a weak
/// one on the constant, by Newton's method. Rows of Z are (1, predictors).
Vector fit_logistic(const Matrix& Z, const Vector& y, const Vector& counts) {
  Vector prior = Vector::Ones(Z.cols());
  prior[0] = 0.1;
  Vector b = Vector::Zero(Z.cols());
  for (int step = 0; step < kNewtonSteps; ++step) {
    const Vector p = (Z * b).unaryExpr(&logistic);
    const Vector slope = Z.transpose() * (counts.array() * (y - p).array()).matrix() - prior.cwiseProduct(b);
    Matrix H = Z.transpose() * (counts.array() * p.array() * (1 - p.array())).matrix().asDiagonal() * Z;
    H.diagonal() += prior;
    b += H.llt().solve(slope);  // the priors make H positive definite
  }
  return b;
}

}  // namespace

LogisticConditionals::LogisticConditionals(std::span<const Point> particles, const Vector& weights) {
  const std::size_t d = particles.front().size();
  const auto n = static_cast<Eigen::Index>(particles.size());
  Matrix X(n, static_cast<Eigen::Index>(d));
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = 0; i < X.cols(); ++i) {
      X(j, i) = particles[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
    }
  }
  const double effective = 1 / weights.squaredNorm();  // so many equally weighted particles tell as much
  const Vector mean = X.transpose() * weights;
  const Matrix centered = X.rowwise() - mean.transpose();
  const Matrix covariance = centered.transpose() * weights.asDiagonal() * centered;
  const double noticeable = 1.5 / std::sqrt(effective);  // correlations below are likely chance

  for (std::size_t i = 0; i < d; ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    std::vector<std::pair<double, std::size_t>> correlated;
    for (std::size_t k = 0; k < i; ++k) {
      const auto other = static_cast<Eigen::Index>(k);
      const double scale = std::sqrt(covariance(column, column) * covariance(other, other));
      const double size = scale > 0 ? std::abs(covariance(column, other)) / scale : 0;
      if (size > noticeable) correlated.emplace_back(-size, k);
    }
    std::sort(correlated.begin(), correlated.end());
    if (correlated.size() > kPredictors) correlated.resize(kPredictors);
    Conditional conditional;
    Matrix Z(n, static_cast<Eigen::Index>(correlated.size()) + 1);
    Z.col(0).setOnes();
    for (const auto& [size, k] : correlated) {
      conditional.predictors.push_back(k);
      Z.col(static_cast<Eigen::Index>(conditional.predictors.size())) = X.col(static_cast<Eigen::Index>(k));
    }
    conditional.coefficients = fit_logistic(Z, X.col(column), effective * weights);
    conditionals_.push_back(std::move(conditional));
  }
}

double LogisticConditionals::probability(std::size_t i, const Point& x) const {
  const Conditional& c = conditionals_[i];
  double t = c.coefficients[0];
  for (std::size_t k = 0; k < c.predictors.size(); ++k) {
    t += c.coefficients[static_cast<Eigen::Index>(k) + 1] * x[c.predictors[k]];
  }
  return std::clamp(logistic(t), 1 - kSurest, kSurest);
}

Point LogisticConditionals::sample(Rng& rng) const {
  Point x(conditionals_.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = rng.uniform() < probability(i, x) ? 1 : 0;
  return x;
}

double LogisticConditionals::log_probability(const Point& x) const {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double p = probability(i, x);
    sum += std::log(x[i] == 1 ? p : 1 - p);
  }
  return sum;
}

}  // namespace bocs
