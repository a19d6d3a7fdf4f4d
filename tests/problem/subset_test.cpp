#include "bocs/problem/subset.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "bocs/rule/feasible.hpp"

namespace bocs {
namespace {

TEST(Subset, PairsAddTheirOwnWorth) {
  const Problem pairs = make_problem("subset:d=5,k=2,density=1", 3), none = make_problem("subset:d=5,k=2,density=0", 3);
  const Problem single = make_problem("subset:d=5,k=1,density=1", 3);
  const auto item = [](int i) {
    Point x(5, 0);
    x[static_cast<std::size_t>(i)] = 1;
    return x;
  };
  for (int i = 0; i < 5; ++i) {
    for (int j = i + 1; j < 5; ++j) {
      Point x = item(i);
      x[static_cast<std::size_t>(j)] = 1;
      EXPECT_NEAR(none.f(x), single.f(item(i)) + single.f(item(j)), 1e-12);
      EXPECT_NE(pairs.f(x), none.f(x));
    }
  }
}

TEST(Subset, OptimumIsThatOfEnumerationAndUnknownWhenTooLarge) {
  const Problem problem = make_problem("subset:d=12,k=4,density=0.5", 1);
  double best = -INFINITY;
  for (int code = 0; code < 1 << 12; ++code) {
    Point x(12);
    int ones = 0;
    for (std::size_t i = 0; i < 12; ++i) ones += x[i] = code >> i & 1;
    if (ones == 4) best = std::max(best, problem.f(x));
  }
  EXPECT_EQ(problem.optimum(0)->value, best);
  EXPECT_NEAR(problem.optimum(0.5)->value, best - 2, 1e-12);
  EXPECT_FALSE(make_problem("subset", 1).optimum(0));
}

TEST(Subset, RefusesToChooseMoreThanThereAre) {
  EXPECT_THROW(make_problem("subset:d=5,k=6", 1), InvalidArgument);
  EXPECT_NO_THROW(make_problem("subset:d=5,k=5", 1));
  EXPECT_EQ(make_problem("subset:d=5,k=0", 1).f(Point(5, 0)), 0);
}

}  // namespace
}  // namespace bocs
