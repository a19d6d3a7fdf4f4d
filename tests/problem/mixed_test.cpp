#include "bocs/problem/mixed.hpp"

#include <gtest/gtest.h>

#include "random_polynomial.hpp"

namespace bocs {
namespace {

TEST(Mixed, HasTheDocumentedVariablesAndConstraints) {
  const Problem problem = make_problem("mixed", 1);
  EXPECT_EQ(problem.space.dimension(), 20);
  Point x(20, 0);
  EXPECT_FALSE(problem.constraints.satisfied(x));  // three switches must be on
  x[0] = x[4] = x[7] = 1;
  EXPECT_TRUE(problem.constraints.satisfied(x));
  x[14] = 3;  // kind d of block 1, whose switch is on
  EXPECT_FALSE(problem.constraints.satisfied(x));
  x[14] = 2;
  x[18] = 3;  // of block 5, in the second half
  EXPECT_TRUE(problem.constraints.satisfied(x));
  x[8] = x[9] = 9;
  x[10] = 6;
  EXPECT_TRUE(problem.constraints.satisfied(x));  // 24 = 4 * 6
  x[10] = 7;
  EXPECT_FALSE(problem.constraints.satisfied(x));
}

TEST(Mixed, OptimumIsThatOfEnumeration) {
  for (std::uint64_t instance = 0; instance < 3; ++instance) {
    const Problem problem = make_problem("mixed:blocks=2", instance);
    for (const double l1 : {0.0, 0.2}) {
      const Task task{.space = problem.space, .l1 = l1};
      double best = INFINITY;
      test::for_each_point(problem.space, [&](const Point& x) {
        if (problem.constraints.satisfied(x)) best = std::min(best, problem.f(x) + penalty(task, x));
      });
      EXPECT_NEAR(problem.optimum(l1)->value, best, 1e-12);
      EXPECT_EQ(problem.f(problem.optimum(l1)->x) + penalty(task, problem.optimum(l1)->x), problem.optimum(l1)->value);
    }
  }
}

TEST(Mixed, TheBudgetBinds) {
  int binds = 0;
  for (std::uint64_t instance = 0; instance < 10; ++instance) {
    const Point x = make_problem("mixed", instance).optimum(0)->x;
    int sum = 0;
    for (std::size_t i = 8; i < 14; ++i) sum += x[i];
    binds += sum == 24 ? 1 : 0;
  }
  EXPECT_GE(binds, 5);
}

}  // namespace
}  // namespace bocs
