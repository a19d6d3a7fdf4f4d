#include "bocs/model/order_kernel.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "bocs/rule/feasible.hpp"

namespace bocs {
namespace {

/// The items by position, from a point that has positions by item.
std::vector<int> order_of(const Point& x) {
  std::vector<int> order(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) order[static_cast<std::size_t>(x[i])] = static_cast<int>(i);
  return order;
}

/// The four distances from their definitions, by sets.
std::array<int, 4> distances(const Point& s, const Point& t) {
  const int n = static_cast<int>(s.size());
  std::array<int, 4> d{};
  using Pairs = std::set<std::pair<int, int>>;
  const auto followers = [n](const Point& x) {
    Pairs pairs;
    int last = n;
    for (const int item : order_of(x)) {
      pairs.insert({last, item});
      last = item;
    }
    pairs.insert({last, n});
    return pairs;
  };
  const Pairs of_s = followers(s), of_t = followers(t);
  for (int a = 0; a < n; ++a) {
    d[0] += s[static_cast<std::size_t>(a)] != t[static_cast<std::size_t>(a)] ? 1 : 0;
    for (int b = 0; b < a; ++b) {
      const bool before_s = s[static_cast<std::size_t>(a)] < s[static_cast<std::size_t>(b)];
      const bool before_t = t[static_cast<std::size_t>(a)] < t[static_cast<std::size_t>(b)];
      d[1] += before_s != before_t ? 1 : 0;
    }
  }
  for (const auto& [a, b] : of_s) {
    d[2] += of_t.contains({a, b}) ? 0 : 1;
    d[3] += of_t.contains({a, b}) || of_t.contains({b, a}) ? 0 : 1;
  }
  return d;
}

std::vector<Point> random_orders(int items, int count, std::uint64_t seed) {
  Rng rng(seed, "orders");
  std::vector<Point> points;
  for (int k = 0; k < count; ++k) {
    Point& x = points.emplace_back(static_cast<std::size_t>(items));
    std::iota(x.begin(), x.end(), 0);
    for (auto i = static_cast<std::uint32_t>(items); i > 1; --i) std::swap(x[i - 1], x[rng.below(i)]);
  }
  return points;
}

TEST(OrderKernel, DistancesAreThoseOfTheirDefinitions) {
  for (const int n : {1, 2, 5, 12, 17}) {
    const OrderKernel kernel(0, n);
    const auto points = random_orders(n, 12, 3);
    for (const Point& s : points) {
      for (const Point& t : points) EXPECT_EQ(kernel.distances(s, t), distances(s, t));
      EXPECT_EQ(kernel.distances(s, s), (std::array<int, 4>{}));
    }
  }
}

TEST(OrderKernel, IsAKernel) {
  const OrderKernel kernel(0, 4);
  std::vector<Point> all;
  const Space space({permutation("p", {"a", "b", "c", "d"})});
  const Constraints constraints(space, {});
  constraints.feasible().for_each([&](const Point& x) { all.push_back(x); });
  ASSERT_EQ(all.size(), 24U);
  for (int part = -1; part < OrderKernel::kDistances; ++part) {
    Vector theta = kernel.defaults();
    for (int f = 0; part >= 0 && f < OrderKernel::kDistances; ++f)
      theta[OrderKernel::kDistances + f] = f == part ? 1 : 1e-12;
    const Matrix R = kernel.over(all, theta)->with(all);
    EXPECT_TRUE(R.isApprox(R.transpose(), 1e-12));
    EXPECT_TRUE(R.diagonal().isApprox(Vector::Ones(24), 1e-12));
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(R).eigenvalues().minCoeff(), -1e-9);
  }
}

TEST(OrderKernel, TheGradientIsThatOfDifferences) {
  const Space space({permutation("p", {"a", "b", "c", "d", "e"}), binary("x"), integer("n", 0, 9)});
  const auto kernel = default_kernel(space);
  std::vector<Point> points = random_orders(5, 9, 7);
  Rng rng(5, "others");
  for (Point& x : points) {
    x.push_back(static_cast<std::int32_t>(rng.below(2)));
    x.push_back(static_cast<std::int32_t>(rng.below(10)));
  }
  Vector theta = kernel->defaults();
  ASSERT_EQ(theta.size(), 8 + 2);
  for (Eigen::Index t = 0; t < theta.size(); ++t) theta[t] *= std::exp(rng.normal());
  Matrix weights = Matrix::Zero(9, 9);
  for (int j = 0; j < 9; ++j) {
    for (int k = 0; k < j; ++k) weights(j, k) = rng.normal();
  }
  const auto sum = [&](const Vector& at) { return kernel->over(points, at)->among_data().cwiseProduct(weights).sum(); };
  const auto over = kernel->over(points, theta);
  const Vector gradient = over->gradient(over->among_data(), weights);
  for (Eigen::Index t = 0; t < theta.size(); ++t) {
    Vector above = theta, below = theta;
    above[t] *= std::exp(1e-5);
    below[t] *= std::exp(-1e-5);
    EXPECT_NEAR(gradient[t], (sum(above) - sum(below)) / 2e-5, 1e-7) << t;
  }
  // Columns of points are those of the data.
  const Matrix among = over->among_data(), with = over->with(points);
  EXPECT_TRUE(
      Matrix(among.triangularView<Eigen::Lower>()).isApprox(Matrix(with.triangularView<Eigen::Lower>()), 1e-12));
}

}  // namespace
}  // namespace bocs
