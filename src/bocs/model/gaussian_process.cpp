#include "bocs/model/gaussian_process.hpp"

#include <algorithm>
#include <cmath>

namespace bocs {
namespace {

constexpr double kNoise = 1e-4;              // default ratio of the variances
constexpr double kPriorScale = 1.0;          // standard deviation of the log parameters around their defaults
constexpr double kRate = 0.3;                // of Adam: no log parameter moves further in one step
constexpr double kSmallestVariance = 1e-12;  // of standardized y

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

GaussianProcess::GaussianProcess(std::shared_ptr<const Kernel> kernel, std::span<const Point> points, const Vector& y,
                                 ProcessParameters parameters, const Matrix& others, Eigen::Index expected,
                                 const GaussianProcess* like)
    : kernel_(std::move(kernel)),
      parameters_(std::move(parameters)),
      correlations_(like != nullptr ? like->correlations_->at(parameters_.kernel) : nullptr) {
  if (correlations_ == nullptr) correlations_ = kernel_->over(points, parameters_.kernel);
  R_ = correlations_->among_data();
  const auto fill = [this](Matrix& K) {
    K = R_;
    K.diagonal().array() += parameters_.noise;
  };
  fill(L_);
  repairs_ = cholesky(L_, fill);
  const Eigen::Index n = R_.rows();
  if (repairs_ < 0) {  // no rung of the ladder helped, the kernel is none: nothing is learnt
    L_.setIdentity(n, n);
    repairs_ = 1;
  }
  L_inverse_ = Matrix::Zero(n, n);
  invert_lower(L_, 0, n, L_inverse_);

  beta_ = solve(Vector::Ones(n));
  first_ = output(y, expected);
  for (Eigen::Index k = 0; k < others.cols(); ++k) others_.push_back(output(others.col(k), expected));
}

Vector GaussianProcess::solve(Vector b) const {
  solve_lower(L_, b);
  solve_lower_transposed(L_, b);
  return b;
}

GaussianProcess::Output GaussianProcess::output(const Vector& y, Eigen::Index expected) const {
  Output made;
  made.mean = beta_.dot(y) / beta_.sum();
  const Vector residual = y.array() - made.mean;
  made.alpha = solve(residual);
  made.variance = std::max(kSmallestVariance, residual.dot(made.alpha) / static_cast<double>(y.size() - expected));
  return made;
}

Prediction GaussianProcess::predict(std::span<const Point> points) const { return predict_if(points, all_matter); }

Prediction GaussianProcess::predict_if(std::span<const Point> points, const Matters& matters) const {
  return std::move(predict_all(points, matters).front());
}

// With K = R + noise I: mean + k' K^-1 (y - mean), and variance (1 - k' K^-1 k + (1 - 1' K^-1 k)^2 / 1' K^-1 1), the
// last term for the mean being estimated. k' K^-1 k = |L^-1 k|^2 is at least what its first rows say, and at least what
// the most similar point alone says: upper bounds of the variance.
std::vector<Prediction> GaussianProcess::predict_all(std::span<const Point> points, const Matters& matters) const {
  const Eigen::Index n = R_.rows();
  Matrix k = correlations_->with(points);
  const Vector doubt = 1 - (k.transpose() * beta_).array();
  const Vector prior = 1 + doubt.array().square() / beta_.sum();
  std::vector<Prediction> all(1 + others_.size());
  Prediction& prediction = all.front();
  prediction.mean = (k.transpose() * first_.alpha).array() + first_.mean;
  for (std::size_t o = 0; o < others_.size(); ++o) {
    all[o + 1].mean = (k.transpose() * others_[o].alpha).array() + others_[o].mean;
  }
  const auto bound = [&](double explained, Eigen::Index j) {
    return first_.variance * std::max(0.0, prior[j] - explained);
  };
  prediction.variance.resize(k.cols());
  std::vector<Eigen::Index> left;  // the points whose columns are still in k, from the left
  for (Eigen::Index j = 0; j < k.cols(); ++j) {
    const double nearest = k.col(j).maxCoeff();
    prediction.variance[j] = bound(nearest * nearest / (1 + parameters_.noise), j);
    left.push_back(j);
  }
  Vector explained = Vector::Zero(k.cols());  // of the columns in k
  const Eigen::Index block = std::max<Eigen::Index>(64, n / 8);
  Matrix half;
  for (Eigen::Index from = 0; from < n; from += block) {
    Eigen::Index kept = 0;
    for (Eigen::Index c = 0; c < static_cast<Eigen::Index>(left.size()); ++c) {
      const Eigen::Index j = left[c];
      if (!matters(j, prediction.mean[j], prediction.variance[j])) continue;
      if (kept != c) k.col(kept) = k.col(c);
      explained[kept] = explained[c];
      left[kept++] = j;
    }
    left.resize(kept);
    if (kept == 0) break;
    const Eigen::Index rows = std::min(block, n - from), to = from + rows;
    multiply(L_inverse_.block(from, 0, rows, to), k.topLeftCorner(to, kept), half);
    explained.head(kept) += half.colwise().squaredNorm().transpose();
    for (Eigen::Index c = 0; c < kept; ++c) {
      double& variance = prediction.variance[left[c]];
      const double rest = bound(explained[c], left[c]);
      variance = to == n ? rest : std::min(variance, rest);
    }
  }
  for (std::size_t o = 0; o < others_.size(); ++o) {
    all[o + 1].variance = prediction.variance * (others_[o].variance / first_.variance);
  }
  return all;
}

// With K = R + noise I and what points have among themselves: k'' - k' K^-1 k, and the mean's part as above.
Matrix GaussianProcess::covariance(std::span<const Point> points) const {
  const Matrix k = correlations_->with(points);
  const Vector doubt = 1 - (k.transpose() * beta_).array();
  Matrix half;
  multiply(L_inverse_, k, half);
  Matrix result = kernel_->over(points, parameters_.kernel)->among_data();
  add_outer(result, half.transpose(), -1);
  add_outer(result, doubt, 1 / beta_.sum());
  return first_.variance * result;
}

double GaussianProcess::log_likelihood() const {
  const auto of = [this](const Output& output) {
    return -0.5 * (static_cast<double>(R_.rows()) * std::log(output.variance) + log_determinant(L_));
  };
  double sum = of(first_);
  for (const Output& output : others_) sum += of(output);
  return sum;
}

// d/dt log p = 1/2 tr((alpha alpha' / variance - K^-1) dK/dt), summed over the outputs.
Vector GaussianProcess::gradient() const {
  const Eigen::Index n = R_.rows();
  Matrix M = Matrix::Zero(n, n);  // lower triangle only
  add_outer(M, first_.alpha, 1 / first_.variance);
  for (const Output& output : others_) add_outer(M, output.alpha, 1 / output.variance);
  const auto outputs = static_cast<double>(1 + others_.size());
  const Eigen::Index block = std::max<Eigen::Index>(64, n / 4);
  Matrix product;
  for (Eigen::Index from = 0; from < n; from += block) {  // K^-1 = L^-T L^-1; rows of L^-1 end at the diagonal
    const Eigen::Index rows = std::min(block, n - from), to = from + rows;
    product.setZero(to, to);
    add_outer(product, L_inverse_.block(from, 0, rows, to).transpose());
    M.topLeftCorner(to, to) -= outputs * product;
  }
  const double noise = 0.5 * parameters_.noise * M.diagonal().sum();
  Vector result(parameters_.kernel.size() + 1);
  result << correlations_->gradient(R_, std::move(M)), noise;
  return result;
}

std::unique_ptr<GaussianProcess> fit_gaussian_process(const std::shared_ptr<const Kernel>& kernel,
                                                      std::span<const Point> points, const Vector& y, int steps,
                                                      double noise, const Matrix& others) {
  ProcessParameters start{kernel->defaults(), kNoise};
  const Eigen::Index d = start.kernel.size();
  std::unique_ptr<GaussianProcess> process;
  const auto make = [&](const Vector& logs) {
    return std::make_unique<GaussianProcess>(
        kernel, points, y, ProcessParameters{logs.head(d).array().exp(), std::exp(logs[d])}, others, 0, process.get());
  };
  start.noise = std::max(start.noise, noise / std::max(0.1, 1 - noise));  // y has variance 1, noise included
  Vector center(d + 1);
  center << start.kernel.array().log().matrix(), std::log(start.noise);
  Vector logs = center, first = Vector::Zero(d + 1), second = Vector::Zero(d + 1);
  process = make(logs);
  if (y.size() < 2 || y.squaredNorm() + others.squaredNorm() == 0) return process;  // nothing to learn from
  for (int step = 1; step <= steps; ++step) {  // Adam, Kingma and Ba 2015, Algorithm 1
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

// Conditioning a process on its own expectations leaves its mean as it is.
std::unique_ptr<Posterior> GaussianProcessModel::fit_all(const Data& data, const Matrix& others,
                                                         const Rng& /*rng*/) const {
  auto process = fit_gaussian_process(kernel_, data.x, data.y, steps_, data.noise, others);
  if (data.under_way.empty()) return process;
  Matrix all_others = others;
  const Data all = with_expected(data, *process, all_others);
  return std::make_unique<GaussianProcess>(kernel_, all.x, all.y, process->parameters(), all_others,
                                           all.y.size() - data.y.size());
}

}  // namespace bocs
