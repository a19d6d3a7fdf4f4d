#include "bocs/problem/maxcut.hpp"

#include <gtest/gtest.h>

#include "problem/brute_force.hpp"

namespace bocs {
namespace {

TEST(Maxcut, OptimumIsThatOfBruteForce) {
  for (const char* spec : {"maxcut:n=2", "maxcut:n=11,density=0.5", "maxcut:n=11,density=1,signs=true,flip=3"}) {
    for (const std::uint64_t instance : {0, 1}) {
      const Problem problem = make_problem(spec, instance);
      for (const double l1 : {0.0, 0.05, 1.0}) {
        EXPECT_NEAR(problem.optimum(l1)->value, test::brute_force(problem, l1), 1e-12) << spec;
      }
    }
  }
  EXPECT_FALSE(make_problem("maxcut", 0).optimum(0));
}

TEST(Maxcut, BothSidesAreAlikeAndNothingIsCutWithoutASide) {
  const Problem problem = make_problem("maxcut:n=30,density=0.4", 5);
  EXPECT_EQ(problem.f(Point(30, 0)), 0);
  Rng rng(1, "maxcut test");
  for (int n = 0; n < 10; ++n) {
    const Point x = problem.space.random(rng);
    Point other = x;
    for (auto& side : other) side = 1 - side;
    EXPECT_EQ(problem.f(x), problem.f(other));
  }
}

// What separating one vertex cuts, over all vertices, is twice the weight of the graph: 0.4 * 435 edges of mean 1/2.
TEST(Maxcut, DensityIsTheShareOfPairs) {
  double twice = 0;
  for (std::uint64_t instance = 0; instance < 40; ++instance) {
    const Problem problem = make_problem("maxcut:n=30,density=0.4", instance);
    for (std::size_t i = 0; i < 30; ++i) {
      Point x(30, 0);
      x[i] = 1;
      twice += problem.f(x) / 40;
    }
  }
  EXPECT_NEAR(twice / 2, 0.4 * 435 / 2, 5);  // 4 standard errors are 4.2
}

}  // namespace
}  // namespace bocs
