#include "bocs/problem/ackley.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

TEST(Ackley, OptimumIsThatOfEnumeration) {
  const Problem problem = make_problem("ackley:d=4,levels=7", 3);
  double best = 1e9;
  int times = 0;
  for (int code = 0; code < 7 * 7 * 7 * 7; ++code) {
    const double value = problem.f({code % 7, code / 7 % 7, code / 49 % 7, code / 343});
    times = value < best ? 1 : times + (value == best ? 1 : 0);
    best = std::min(best, value);
  }
  EXPECT_EQ(best, 0);
  EXPECT_EQ(times, 1);
  EXPECT_EQ(problem.optimum(1)->value, 0);
  EXPECT_EQ(problem.f(problem.optimum(1)->x), 0);
}

// One variable: its values are the textbook formula at the eleven points, whatever their order.
TEST(Ackley, IsTheTextbookFormulaOnAGrid) {
  std::vector<double> expected;
  for (int k = -5; k <= 5; ++k) {
    const double x = 32.768 * k / 5;
    expected.push_back(-20 * std::exp(-0.2 * std::abs(x)) - std::exp(std::cos(2 * std::numbers::pi * x)) + 20 +
                       std::numbers::e);
  }
  std::sort(expected.begin(), expected.end());
  int moved = 0;
  for (std::uint64_t instance = 0; instance < 3; ++instance) {
    const Problem problem = make_problem("ackley:d=1", instance);
    std::vector<double> values;
    for (int level = 0; level < 11; ++level) values.push_back(problem.f({level}));
    moved += values[5] != 0 ? 1 : 0;
    std::sort(values.begin(), values.end());
    for (std::size_t k = 0; k < 11; ++k) EXPECT_NEAR(values[k], expected[k], 1e-12);
  }
  EXPECT_GT(moved, 0);  // the levels were shuffled
}

TEST(Ackley, RefusesBadOptions) { EXPECT_THROW(make_problem("ackley:levels=10", 0), InvalidArgument); }

}  // namespace
}  // namespace bocs
