#include "bocs/model/kernel.hpp"

#include <gtest/gtest.h>

#include "bocs/model/distance_kernel.hpp"
#include "bocs/model/gaussian_process.hpp"

namespace bocs {
namespace {

const Space kMixed({binary("a"), integer("n", -2, 5), categorical("kind", {"x", "y", "z"}), binary("b")});

/// The same numbers as the default kernel, written plainly: everything else is left to the base class.
struct PlainDistances : Kernel {
  [[nodiscard]] Vector defaults() const override { return Vector::Constant(4, 0.5); }
  void column(std::span<const Point> data, const Point& x, const Vector& w, double* result) const override {
    for (std::size_t j = 0; j < data.size(); ++j) {
      const Point& z = data[j];
      result[j] = std::exp(-(w[0] * (x[0] != z[0]) + w[1] * std::abs(x[1] - z[1]) / 7.0 + w[2] * (x[2] != z[2]) +
                             w[3] * (x[3] != z[3])));
    }
  }
};

struct Sample {
  std::vector<Point> x, more;
  Vector y = Vector(40);
};

Sample sample() {
  Sample data;
  Rng rng(3, "data");
  for (int i = 0; i < 40; ++i) {
    data.x.push_back(kMixed.random(rng));
    data.y[i] = data.x.back()[0] - 0.3 * data.x.back()[1] + 0.2 * rng.normal();
  }
  for (int i = 0; i < 15; ++i) data.more.push_back(kMixed.random(rng));
  return data;
}

TEST(Kernel, ColumnAloneIsEnough) {
  const Sample data = sample();
  const DistanceKernel fast(kMixed);
  const PlainDistances plain;
  EXPECT_TRUE(fast.defaults().isApprox(plain.defaults()));
  const Vector theta{{0.3, 1.2, 0.8, 0.5}};
  const auto ours = fast.over(data.x, theta), theirs = plain.over(data.x, theta);
  EXPECT_TRUE(ours->among_data().isApprox(theirs->among_data(), 1e-12));
  EXPECT_TRUE(ours->with(data.more).isApprox(theirs->with(data.more), 1e-12));
  Vector column(40), other(40);
  fast.column(data.x, data.more[0], theta, column.data());
  plain.column(data.x, data.more[0], theta, other.data());
  EXPECT_TRUE(column.isApprox(other, 1e-12));
}

TEST(Kernel, NumericalGradientAgreesWithTheExactOne) {
  const Sample data = sample();
  const auto fast = default_kernel(kMixed);
  const auto plain = std::make_shared<PlainDistances>();
  const ProcessParameters parameters{Vector{{0.3, 1.2, 0.8, 0.5}}, 0.05};
  const Vector exact = GaussianProcess(fast, data.x, data.y, parameters).gradient();
  const Vector numerical = GaussianProcess(plain, data.x, data.y, parameters).gradient();
  EXPECT_LT((exact - numerical).norm(), 1e-6 * exact.norm());
}

TEST(Kernel, FitsTheSameProcess) {
  const Sample data = sample();
  const auto exact = fit_gaussian_process(default_kernel(kMixed), data.x, data.y, 4);
  const auto kernel = std::make_shared<PlainDistances>();
  const auto numerical = fit_gaussian_process(kernel, data.x, data.y, 4);
  EXPECT_TRUE(exact->parameters().kernel.isApprox(numerical->parameters().kernel, 1e-5));
}

/// No correlation: two points alike in themselves, but opposite to each other.
struct NoKernel : Kernel {
  [[nodiscard]] Vector defaults() const override { return Vector::Ones(1); }
  void column(std::span<const Point> data, const Point& x, const Vector&, double* result) const override {
    for (std::size_t j = 0; j < data.size(); ++j) result[j] = data[j] == x ? 1 : -0.9;
  }
};

TEST(Kernel, WhatIsNoneIsRepairedAndSaidSo) {
  const Sample data = sample();
  const auto kernel = std::make_shared<NoKernel>();
  const auto process = fit_gaussian_process(kernel, data.x, data.y, 3);
  EXPECT_GT(process->repairs(), 0);
  EXPECT_TRUE(process->predict(data.more).mean.allFinite());
}

}  // namespace
}  // namespace bocs
