#include "bocs/method/gaussian_process.hpp"

#include <algorithm>
#include <cmath>

#include "bocs/core/config.hpp"

namespace bocs {
namespace {

constexpr double kNoise = 1e-4;              // default ratio of the variances
constexpr double kPriorScale = 1.0;          // standard deviation of the log parameters around their defaults
constexpr double kRate = 0.3;                // of Adam: no log parameter moves further in one step
constexpr double kSmallestVariance = 1e-12;  // of standardized y

BOCS_MULTIVERSION void add_distances(const double* column, Eigen::Index n, double at, double weight, double* sum) {
  for (Eigen::Index j = 0; j < n; ++j) sum[j] += weight * std::min(1.0, std::abs(column[j] - at));
}

/// Writes the inverse of the lower triangular L[from, from + n) into the same block of `inverse`, which is 0 before. By
/// halves, [A 0; B C]^-1 = [A^-1 0; -C^-1 B A^-1 C^-1], most of the work is matrix products.
void invert_lower(const Matrix& L, Eigen::Index from, Eigen::Index n, Matrix& inverse) {
  constexpr Eigen::Index kSmall = 32;
  if (n <= kSmall) {
    auto block = inverse.block(from, from, n, n);
    block.setIdentity();
    L.block(from, from, n, n).triangularView<Eigen::Lower>().solveInPlace(block);
    return;
  }
  const Eigen::Index half = n / 2, rest = n - half;
  invert_lower(L, from, half, inverse);
  invert_lower(L, from + half, rest, inverse);
  Matrix BA, CBA;
  multiply(L.block(from + half, from, rest, half), inverse.block(from, from, half, half), BA);
  multiply(inverse.block(from + half, from + half, rest, rest), BA, CBA);
  inverse.block(from + half, from, rest, half) = -CBA;
}

}  // namespace

KernelParameters default_kernel(const Space& space) {
  return {Vector::Constant(space.dimension(), 2.0 / space.dimension()), kNoise};
}

GaussianProcess::GaussianProcess(const Space& space, std::span<const Point> points, const Vector& y,
                                 KernelParameters parameters)
    : parameters_(std::move(parameters)), unit_(space.dimension()) {
  for (int i = 0; i < space.dimension(); ++i) {
    unit_[i] = space[i].kind == Kind::integer ? 1.0 / std::max(1, space[i].levels - 1) : 1;
  }
  x_ = coordinates(points);
  R_ = correlations(x_, true);
  const auto fill = [this](Matrix& K) {
    K = R_;
    K.diagonal().array() += parameters_.noise;
  };
  fill(L_);
  repairs_ = cholesky(L_, fill);
  const Eigen::Index n = R_.rows();
  L_inverse_ = Matrix::Zero(n, n);
  invert_lower(L_, 0, n, L_inverse_);

  const auto solve = [this](Vector b) {
    solve_lower(L_, b);
    solve_lower_transposed(L_, b);
    return b;
  };
  beta_ = solve(Vector::Ones(n));
  mean_ = beta_.dot(y) / beta_.sum();
  const Vector residual = y.array() - mean_;
  alpha_ = solve(residual);
  variance_ = std::max(kSmallestVariance, residual.dot(alpha_) / static_cast<double>(n));
}

Matrix GaussianProcess::coordinates(std::span<const Point> points) const {
  Matrix x(static_cast<Eigen::Index>(points.size()), unit_.size());
  for (Eigen::Index j = 0; j < x.rows(); ++j) {
    const Point& point = points[static_cast<std::size_t>(j)];
    for (Eigen::Index i = 0; i < x.cols(); ++i) x(j, i) = unit_[i] * point[static_cast<std::size_t>(i)];
  }
  return x;
}

Matrix GaussianProcess::correlations(const Matrix& x, bool lower_only) const {
  const Eigen::Index n = x_.rows();
  Matrix result = Matrix::Zero(n, x.rows());
  for (Eigen::Index k = 0; k < x.rows(); ++k) {
    const Eigen::Index first = lower_only ? k : 0;
    auto column = result.col(k).tail(n - first);
    for (Eigen::Index i = 0; i < x_.cols(); ++i) {
      add_distances(x_.col(i).data() + first, n - first, x(k, i), parameters_.weights[i], column.data());
    }
    column = (-column).array().exp();
  }
  return result;
}

// With K = R + noise I: mean + k' K^-1 (y - mean), and variance (1 - k' K^-1 k + (1 - 1' K^-1 k)^2 / 1' K^-1 1), the
// last term for the mean being estimated.
Prediction GaussianProcess::predict(std::span<const Point> points) const {
  const Matrix k = correlations(coordinates(points), false);
  Matrix half;
  multiply(L_inverse_, k, half);
  const Vector doubt = 1 - (k.transpose() * beta_).array();
  Prediction prediction;
  prediction.mean = (k.transpose() * alpha_).array() + mean_;
  prediction.variance =
      variance_ * (1 - half.colwise().squaredNorm().transpose().array() + doubt.array().square() / beta_.sum()).max(0);
  return prediction;
}

double GaussianProcess::log_likelihood() const {
  return -0.5 * (static_cast<double>(x_.rows()) * std::log(variance_) + log_determinant(L_));
}

// d/dt log p = 1/2 tr((alpha alpha' / variance - K^-1) dK/dt), and dK/d log w_i = -w_i dist_i R entry by entry.
Vector GaussianProcess::gradient() const {
  const Eigen::Index n = x_.rows(), d = x_.cols();
  Matrix M = Matrix::Zero(n, n);  // lower triangle only
  add_outer(M, L_inverse_.transpose(), -1);
  add_outer(M, alpha_, 1 / variance_);
  Vector result(d + 1);
  result[d] = 0.5 * parameters_.noise * M.diagonal().sum();
  M.array() *= R_.array();
  for (Eigen::Index i = 0; i < d; ++i) {
    double sum = 0;  // over the strict lower triangle: distances are symmetric and 0 on the diagonal
    for (Eigen::Index k = 0; k + 1 < n; ++k) {
      const Eigen::Index below = n - k - 1;
      sum += ((x_.col(i).tail(below).array() - x_(k, i)).abs().min(1.0) * M.col(k).tail(below).array()).sum();
    }
    result[i] = -parameters_.weights[i] * sum;
  }
  return result;
}

std::unique_ptr<GaussianProcess> fit_gaussian_process(const Space& space, std::span<const Point> points,
                                                      const Vector& y, int steps) {
  const int d = space.dimension();
  const auto make = [&](const Vector& logs) {
    return std::make_unique<GaussianProcess>(space, points, y,
                                             KernelParameters{logs.head(d).array().exp(), std::exp(logs[d])});
  };
  const KernelParameters start = default_kernel(space);
  Vector center(d + 1);
  center << start.weights.array().log().matrix(), std::log(start.noise);
  Vector logs = center, first = Vector::Zero(d + 1), second = Vector::Zero(d + 1);
  auto process = make(logs);
  if (y.size() < 2 || y.squaredNorm() == 0) return process;  // nothing to learn from
  for (int step = 1; step <= steps; ++step) {                // Adam, Kingma and Ba 2015, Algorithm 1
    constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;
    const Vector g = process->gradient() - (logs - center) / (kPriorScale * kPriorScale);
    if (!g.allFinite()) break;  // values so large that their squares overflow
    first = kBeta1 * first + (1 - kBeta1) * g;
    second = kBeta2 * second.array() + (1 - kBeta2) * g.array().square();
    logs.array() += kRate * (first / (1 - std::pow(kBeta1, step))).array() /
                    ((second / (1 - std::pow(kBeta2, step))).array().sqrt() + kEpsilon);
    logs[d] = std::max(logs[d], std::log(1e-6));  // keeps R + noise I well conditioned
    process = make(logs);
  }
  return process;
}

}  // namespace bocs
