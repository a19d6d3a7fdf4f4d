#include "bocs/problem/labs.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "problem/brute_force.hpp"

namespace bocs {
namespace {

// The Barker sequences of length 13 and 5: every side lobe is 0 or +-1, so E = 6 and E = 2.
TEST(Labs, BarkerSequences) {
  EXPECT_DOUBLE_EQ(make_problem("labs:n=13", 0).f({1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1, 0, 1}), -169.0 / 12);
  EXPECT_DOUBLE_EQ(make_problem("labs:n=5", 0).f({1, 1, 1, 0, 1}), -25.0 / 4);
}

TEST(Labs, AllOnesHasTheSumOfSquaresAsEnergy) {
  EXPECT_DOUBLE_EQ(make_problem("labs:n=50", 0).f(Point(50, 1)), -2500.0 / (2 * (49.0 * 50 * 99 / 6)));
}

// No sequence of length 13 beats the Barker sequence.
TEST(Labs, OptimumIsKnownOrEnumerated) {
  EXPECT_DOUBLE_EQ(make_problem("labs:n=13", 0).optimum(0)->value, -169.0 / 12);
  for (const char* spec : {"labs:n=2", "labs:n=11", "labs:n=14", "labs:n=11,flip=3"}) {
    const Problem problem = make_problem(spec, 0);
    for (const double l1 : {0.0, 0.2, 3.0}) {
      EXPECT_NEAR(problem.optimum(l1)->value, test::brute_force(problem, l1), 1e-12) << spec;
    }
  }
  EXPECT_FALSE(make_problem("labs", 0).optimum(0));
}

TEST(Labs, RefusesBadOptions) {
  EXPECT_THROW(make_problem("labs:n=1", 0), InvalidArgument);
  EXPECT_THROW(make_problem("labs:n=-5", 0), InvalidArgument);
  EXPECT_THROW(make_problem("labs:instance=a.json", 0), InvalidArgument);
}

}  // namespace
}  // namespace bocs
