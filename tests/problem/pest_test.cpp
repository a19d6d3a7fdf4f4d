#include "bocs/problem/pest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

TEST(Pest, TwentyFiveStagesOfFiveLevels) {
  const Problem problem = make_problem("pest", 0);
  EXPECT_EQ(problem.space.dimension(), 25);
  EXPECT_EQ(problem.space[0].levels, 5);
  EXPECT_FALSE(problem.noisy);
  EXPECT_FALSE(problem.optimum(0));
}

// With one stage the count is taken before the action, so the price is all that differs between levels.
TEST(Pest, PricesWithTheirDiscounts) {
  const Problem problem = make_problem("pest:stages=1", 3);
  const double idle = problem.f({0});
  EXPECT_NEAR(problem.f({1}) - idle, 1.0 * (1 - 0.2), 1e-12);
  EXPECT_NEAR(problem.f({2}) - idle, 0.8 * (1 - 0.3), 1e-12);
  EXPECT_NEAR(problem.f({3}) - idle, 0.7 * (1 - 0.3), 1e-12);
  EXPECT_NEAR(problem.f({4}) - idle, 0.5, 1e-12);
}

// A discount is in proportion to the share of stages: two of four uses take off half of it, on both.
TEST(Pest, DiscountsGrowWithUse) {
  const Problem problem = make_problem("pest:stages=4", 3);
  // Actions at the last stage have no effect on the count; compare prices through them.
  const double once = problem.f({0, 0, 0, 1}) - problem.f({0, 0, 0, 0});
  EXPECT_NEAR(once, 1 - 0.2 / 4, 1e-12);
  const double again = problem.f({1, 0, 0, 1}) - problem.f({1, 0, 0, 0});
  EXPECT_NEAR(again, 2 * (1 - 0.2 / 2) - (1 - 0.2 / 4), 1e-12);
}

/// P(Beta(1, b) > t) = (1 - t)^b.
double tail(double t, double b) { return std::pow(1 - t, b); }

// The reference of the noisy variant against integrals: share above 0.1 before stage 1, and after one idle stage.
TEST(Pest, ReferenceAgreesWithTheLawOfTheProcess) {
  const double first = tail(0.1, 30);
  // 1 - Z_1 = (1 - Z_0)(1 - spread), and -log(1 - Beta(1, b)) is exponential of rate b: a sum of two exponentials.
  const double t = -std::log(0.9), a = 30, b = 17.0 / 3;
  const double second = (a * std::exp(-b * t) - b * std::exp(-a * t)) / (a - b);
  // After one use of pesticide 4: P((1 - C) Z_0 > 0.1), 1 - C = u^(1/b') with b' = 5/7, integrated over u.
  double controlled = 0;
  const int steps = 200000;
  for (int n = 0; n < steps; ++n) {
    const double kept = std::pow((n + 0.5) / steps, 7.0 / 5);
    if (kept > 0.1) controlled += tail(0.1 / kept, 30) / steps;
  }
  double idle_mean = 0, used_mean = 0;
  const int instances = 20;
  for (std::uint64_t n = 0; n < instances; ++n) {
    const Problem problem = make_problem("pest:stages=2,variant=noisy", n);
    idle_mean += problem.f({0, 0}) / instances;
    used_mean += (problem.f({4, 0}) - 0.5) / instances;
  }
  // 200 000 simulations: standard error of a share below 0.0012.
  EXPECT_NEAR(idle_mean, first + second, 0.008);
  EXPECT_NEAR(used_mean, first + controlled, 0.005);
}

/// The whole process once more, from its description, with the generators of the standard library.
double simulate(const Point& x, int simulations) {
  std::mt19937_64 generator(17);
  const auto beta = [&](double b) {
    const double one = std::gamma_distribution<double>(1)(generator);
    return one / (one + std::gamma_distribution<double>(b)(generator));
  };
  const double prices[] = {0, 1, 0.8, 0.7, 0.5}, discounts[] = {0, 0.2, 0.3, 0.3, 0}, growth[] = {0, 1, 2.5, 2, 0.5};
  double total = 0;
  for (const auto p : x) {
    const double uses = static_cast<double>(std::count(x.begin(), x.end(), p));
    total += prices[p] * (1 - discounts[p] / static_cast<double>(x.size()) * uses);
  }
  for (int n = 0; n < simulations; ++n) {
    double b[] = {0, 2.0 / 7, 3.0 / 7, 3.0 / 7, 5.0 / 7};
    double z = beta(30);
    for (const auto p : x) {
      total += z > 0.1 ? 1.0 / simulations : 0;
      z = p > 0 ? z * (1 - beta(b[p])) : z + beta(17.0 / 3) * (1 - z);
      b[p] += growth[p] / 7 / static_cast<double>(x.size());
    }
  }
  return total;
}

TEST(Pest, ReferenceAgreesWithAnIndependentSimulation) {
  const Problem problem = make_problem("pest:variant=noisy", 1);
  Point often(25, 0), mixed(25);  // a pesticide that wears out between idle stages; all levels in turn
  for (int i = 0; i < 25; ++i) {
    often[i] = i % 3 == 0 ? 0 : 2;
    mixed[i] = i * 3 % 5;
  }
  // A simulation's time above the limit deviates by some 3 stages: standard errors 0.03 (10 000) and 0.01 (60 000).
  EXPECT_NEAR(problem.f(often), simulate(often, 60000), 0.13);
  EXPECT_NEAR(problem.f(mixed), simulate(mixed, 60000), 0.13);
}

TEST(Pest, MeasurementsOfTheNoisyVariantScatterAboutTheReference) {
  const Problem problem = make_problem("pest:variant=noisy", 4);
  ASSERT_TRUE(problem.noisy);
  Rng points(5, "test");
  const Point x = problem.space.random(points);
  const int n = 400;
  double mean = 0, square = 0;
  for (int trial = 0; trial < n; ++trial) {
    Rng rng(9, "trial", static_cast<std::uint64_t>(trial));
    const double y = problem.noisy(x, rng);
    mean += y / n;
    square += y * y / n;
  }
  const double deviation = std::sqrt(square - mean * mean);
  EXPECT_GT(deviation, 0.01);
  // The mean over 400 x 100 simulations against one of 10 000.
  EXPECT_NEAR(mean, problem.f(x), 5 * deviation * std::sqrt(1.0 / n + 1.0 / 100));
}

TEST(Pest, SameStreamSameMeasurement) {
  const Problem problem = make_problem("pest:variant=noisy", 4);
  Rng one(9, "trial", 1), same(9, "trial", 1), other(9, "trial", 2);
  const Point x(25, 0);
  const double y = problem.noisy(x, one);
  EXPECT_EQ(y, problem.noisy(x, same));
  EXPECT_NE(y, problem.noisy(x, other));
}

TEST(Pest, FixedVariantDependsOnTheInstanceOnly) {
  Rng rng(2, "test");
  const Problem one = make_problem("pest", 1);
  const Problem other = make_problem("pest", 2);
  int different = 0;
  for (int n = 0; n < 20; ++n) {
    const Point x = one.space.random(rng);
    EXPECT_EQ(one.f(x), make_problem("pest", 1).f(x));
    different += one.f(x) != other.f(x) ? 1 : 0;
    EXPECT_GT(one.f(x), 5);
    EXPECT_LT(one.f(x), 30);
  }
  EXPECT_GT(different, 10);
}

TEST(Pest, RefusesBadOptions) {
  for (const char* spec : {"pest:stages=0", "pest:variant=random", "pest:flip=3"}) {
    EXPECT_THROW(make_problem(spec, 0), InvalidArgument) << spec;
  }
}

}  // namespace
}  // namespace bocs
