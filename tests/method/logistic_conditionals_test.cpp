#include "bocs/method/baseline/logistic_conditionals.hpp"

#include <gtest/gtest.h>

namespace bocs {
namespace {

struct Moments {
  Vector mean;
  Matrix covariance;
};

Moments moments(const std::vector<Point>& points, const Vector& weights) {
  Matrix X(points.size(), points[0].size());
  for (Eigen::Index j = 0; j < X.rows(); ++j) {
    for (Eigen::Index i = 0; i < X.cols(); ++i) {
      X(j, i) = points[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
    }
  }
  const Vector mean = X.transpose() * weights;
  const Matrix centered = X.rowwise() - mean.transpose();
  return {mean, centered.transpose() * weights.asDiagonal() * centered};
}

/// Bits 0 and 3 nearly equal, 1 and 2 nearly opposite, 4 rare, 5 a fair coin; weights that matter.
std::pair<std::vector<Point>, Vector> correlated_particles(int n) {
  Rng rng(1, "particles");
  std::vector<Point> points;
  Vector weights(n);
  for (int j = 0; j < n; ++j) {
    Point x(6);
    x[0] = rng.uniform() < 0.5 ? 1 : 0;
    x[3] = rng.uniform() < 0.9 ? x[0] : 1 - x[0];
    x[1] = rng.uniform() < 0.7 ? 1 : 0;
    x[2] = rng.uniform() < 0.9 ? 1 - x[1] : x[1];
    x[4] = rng.uniform() < 0.1 ? 1 : 0;
    x[5] = rng.uniform() < 0.5 ? 1 : 0;
    weights[j] = x[0] == 1 ? 3 : 1;
    points.push_back(x);
  }
  weights /= weights.sum();
  return {points, weights};
}

TEST(LogisticConditionals, ReproducesMeansAndCovariancesOfTheWeightedParticles) {
  const auto [particles, weights] = correlated_particles(1000);
  const LogisticConditionals fitted(particles, weights);
  Rng rng(2, "samples");
  constexpr int kSamples = 20000;
  std::vector<Point> samples;
  for (int k = 0; k < kSamples; ++k) samples.push_back(fitted.sample(rng));
  const Moments expected = moments(particles, weights);
  const Moments got = moments(samples, Vector::Constant(kSamples, 1.0 / kSamples));
  EXPECT_GT(expected.mean[0], 0.7);  // the weights count
  EXPECT_LT((got.mean - expected.mean).cwiseAbs().maxCoeff(), 0.02);
  EXPECT_LT((got.covariance - expected.covariance).cwiseAbs().maxCoeff(), 0.02);
}

TEST(LogisticConditionals, ProbabilitiesSumToOneAndAreThoseOfTheSamples) {
  const auto [particles, weights] = correlated_particles(60);
  const LogisticConditionals fitted(particles, weights);
  constexpr int kSamples = 20000;
  std::vector<int> counts(64);
  Rng rng(3, "samples");
  const auto point = [](int code) {
    Point x(6);
    for (std::size_t i = 0; i < 6; ++i) x[i] = (code >> i) & 1;
    return x;
  };
  for (int k = 0; k < kSamples; ++k) {
    const Point x = fitted.sample(rng);
    int code = 0;
    for (std::size_t i = 0; i < 6; ++i) code |= x[i] << i;
    ++counts[static_cast<std::size_t>(code)];
  }
  double sum = 0;
  for (int code = 0; code < 64; ++code) {
    const double p = std::exp(fitted.log_probability(point(code)));
    sum += p;
    EXPECT_NEAR(counts[static_cast<std::size_t>(code)], kSamples * p, 5 * std::sqrt(kSamples * p) + 1) << code;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(LogisticConditionals, NeverIsCertain) {
  const std::vector<Point> same(10, Point{1, 0, 1});
  const LogisticConditionals fitted(same, Vector::Constant(10, 0.1));
  EXPECT_GT(fitted.log_probability({1, 0, 1}), std::log(0.5));
  EXPECT_GE(fitted.log_probability({0, 1, 0}), 3 * std::log(0.0199));
}

}  // namespace
}  // namespace bocs
