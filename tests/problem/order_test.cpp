#include "bocs/problem/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bocs/rule/feasible.hpp"

namespace bocs {
namespace {

TEST(OrderProblem, TheOptimumIsThatOfEnumeration) {
  for (const char* kind : {"linear", "assignment", "flow", "tardiness", "tour", "setup"}) {
    for (std::uint64_t instance = 0; instance < 3; ++instance) {
      const Problem problem = make_problem(std::string("order:n=6,kind=") + kind, instance);
      double least = std::numeric_limits<double>::infinity(), most = -least;
      int count = 0;
      problem.constraints.feasible().for_each([&](const Point& x) {
        least = std::min(least, problem.f(x));
        most = std::max(most, problem.f(x));
        ++count;
      });
      EXPECT_EQ(count, 720);
      EXPECT_LT(least, most) << kind;
      const auto optimum = problem.optimum(0);
      ASSERT_TRUE(optimum);
      EXPECT_DOUBLE_EQ(optimum->value, least) << kind;
      EXPECT_DOUBLE_EQ(problem.f(optimum->x), least) << kind;
    }
  }
}

/// Costs by hand, on the two orders of two items.
TEST(OrderProblem, ATourOfTwoStopsIsAsLongBackwards) {
  const Problem tour = make_problem("order:n=2,kind=tour", 1), linear = make_problem("order:n=2,kind=linear", 1);
  EXPECT_DOUBLE_EQ(tour.f({0, 1}), tour.f({1, 0}));
  EXPECT_LE(linear.f({0, 1}), 0);
  EXPECT_NE(linear.f({0, 1}), linear.f({1, 0}));
}

}  // namespace
}  // namespace bocs
