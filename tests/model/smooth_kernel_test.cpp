#include "bocs/model/smooth_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bocs/model/distance_kernel.hpp"
#include "bocs/model/gaussian_process.hpp"
#include "bocs/numeric/rng.hpp"

namespace bocs {
namespace {

Space numbers() { return Space({real("a", 0, 1), real("b", 1e-3, 10, {.log = true}), real("c", 0, 1, {.steps = 20})}); }

std::vector<Point> some(const Space& space, int count, std::uint64_t seed) {
  Rng rng(seed, "points", 0);
  std::vector<Point> points;
  for (int k = 0; k < count; ++k) points.push_back(space.random(rng));
  return points;
}

/// Matérn 5/2 as the books have it, from places in the range.
TEST(SmoothKernel, IsMaternOfTheWeightedDistance) {
  const Space space = numbers();
  const SmoothKernel kernel(space, {0, 1, 2});
  const Vector theta = (Vector(3) << 0.5, 2, 4).finished();
  const auto points = some(space, 12, 1);
  Vector column(12);
  kernel.column(points, points[3], theta, column.data());
  for (int j = 0; j < 12; ++j) {
    double square = 0;
    for (int i = 0; i < 3; ++i) {
      square += std::pow(theta[i] * (space[i].place(points[j][i]) - space[i].place(points[3][i])), 2);
    }
    const double r = std::sqrt(square);
    EXPECT_NEAR(column[j], (1 + std::sqrt(5) * r + 5 * r * r / 3) * std::exp(-std::sqrt(5) * r), 1e-12);
  }
}

TEST(SmoothKernel, ColumnsOfNeighboursAndGradientsAreThoseOfThePlainForm) {
  const Space space = numbers();
  const SmoothKernel kernel(space, {0, 1, 2});
  const Vector theta = (Vector(3) << 1, 2, 3).finished();
  const auto data = some(space, 15, 2);
  const auto over = kernel.over(data, theta);
  std::vector<Point> near = some(space, 1, 3);
  for (int i = 0; i < 3; ++i) {
    near.push_back(near.front());
    near.back()[static_cast<std::size_t>(i)] /= 2;
  }
  const Matrix columns = over->with(near);
  for (std::size_t k = 0; k < near.size(); ++k) {
    EXPECT_LT((columns.col(static_cast<Eigen::Index>(k)) - over->with({&near[k], 1}).col(0)).cwiseAbs().maxCoeff(),
              1e-9);
  }
  const Matrix R = over->among_data();
  Matrix weights = Matrix::Zero(15, 15);
  Vector expected = Vector::Zero(3);
  for (int k = 0; k < 14; ++k) {
    for (int j = k + 1; j < 15; ++j) weights(j, k) = std::sin(3 * j + k);
    Vector own = weights.col(k).tail(14 - k);
    kernel.Kernel::gradient(std::span(data).subspan(static_cast<std::size_t>(k) + 1), data[static_cast<std::size_t>(k)],
                            theta, own.data(), expected);
  }
  EXPECT_LT((over->gradient(R, weights) - expected).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(SmoothKernel, PredictsASmoothFunctionBetterThanTheRoughOne) {
  const Space space({real("a", 0, 1), real("b", 0, 1)});
  const auto f = [&](const Point& x) {
    const double a = space[0].value(x[0]), b = space[1].value(x[1]);
    return std::sin(4 * a) + (b - 0.3) * (b - 0.3) * 3 + a * b;
  };
  const auto data = some(space, 25, 4), test = some(space, 100, 5);
  Vector y(25);
  for (int j = 0; j < 25; ++j) y[j] = f(data[static_cast<std::size_t>(j)]);
  const auto error = [&](const std::shared_ptr<const Kernel>& kernel) {
    const Vector mean = fit_gaussian_process(kernel, data, y, 20)->predict(test).mean;
    double sum = 0;
    for (int k = 0; k < 100; ++k) sum += std::pow(mean[k] - f(test[static_cast<std::size_t>(k)]), 2);
    return std::sqrt(sum / 100);
  };
  const double rough = error(std::make_shared<DistanceKernel>(space));
  EXPECT_LT(error(default_kernel(space)), 0.2 * rough);
}

TEST(SmoothKernel, AbsentIsInTheMiddleAndLeavesOtherSpacesAlone) {
  const Space space({categorical("k", {"x", "y"}), when("k == x", real("a", 0, 1))});
  const auto kernel = default_kernel(space);
  Vector column(3);
  const std::int32_t last = space[1].levels - 1;
  const std::vector<Point> data{{0, 1}, {0, last}, {1, 0}};
  kernel->column(data, {1, 0}, kernel->defaults(), column.data());
  EXPECT_NEAR(column[0], column[1], 1e-9);
  EXPECT_EQ(column[2], 1);
  for (const Space& other : {Space::binary(4), Space({integer("n", 1, 9), categorical("c", {"p", "q", "r"})})}) {
    EXPECT_NE(dynamic_cast<const DistanceKernel*>(default_kernel(other).get()), nullptr);
    EXPECT_EQ(usual_steps(other), 5);
  }
}

}  // namespace
}  // namespace bocs
