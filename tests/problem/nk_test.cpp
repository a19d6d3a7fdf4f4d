#include "bocs/problem/nk.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "problem/brute_force.hpp"

namespace bocs {
namespace {

TEST(Nk, OptimumIsThatOfBruteForce) {
  for (const char* spec : {"nk:n=1,k=0", "nk:n=9,k=8", "nk:n=11,k=2", "nk:n=11,k=2,flip=3"}) {
    for (const std::uint64_t instance : {0, 1}) {
      const Problem problem = make_problem(spec, instance);
      for (const double l1 : {0.0, 0.05, 1.0}) {
        EXPECT_NEAR(problem.optimum(l1)->value, test::brute_force(problem, l1), 1e-12) << spec;
      }
    }
  }
  EXPECT_FALSE(make_problem("nk:n=25", 0).optimum(0));
}

/// Pairs of variables (0, j) whose effects do not add: f(00) - f(10) - f(01) + f(11) is not 0 somewhere.
int interactions(const Problem& problem) {
  const int n = problem.space.dimension();
  int count = 0;
  for (int j = 1; j < n; ++j) {
    Rng rng(1, "nk test");
    bool found = false;
    for (int trial = 0; trial < 50 && !found; ++trial) {
      Point x = problem.space.random(rng);
      const auto f = [&](int a, int b) {
        x[0] = a;
        x[static_cast<std::size_t>(j)] = b;
        return problem.f(x);
      };
      found = std::abs(f(0, 0) - f(1, 0) - f(0, 1) + f(1, 1)) > 1e-9;
    }
    count += found ? 1 : 0;
  }
  return count;
}

// Without others every variable counts for itself; with one other, variable 0 meets its own other and those whose other
// it is; with all, everyone.
TEST(Nk, KSaysHowManyInteract) {
  EXPECT_EQ(interactions(make_problem("nk:n=12,k=0", 3)), 0);
  const int one = interactions(make_problem("nk:n=40,k=1", 3));
  EXPECT_GE(one, 1);
  EXPECT_LE(one, 12);
  EXPECT_EQ(interactions(make_problem("nk:n=12,k=11", 3)), 11);
}

TEST(Nk, ValuesAreMeansOfUniformNumbers) {
  const Problem problem = make_problem("nk:n=400,k=5", 1);
  Rng rng(2, "nk test");
  for (int n = 0; n < 20; ++n) {
    EXPECT_NEAR(problem.f(problem.space.random(rng)), 0.5, 5 / std::sqrt(12.0 * 400));
  }
}

TEST(Nk, RefusesBadOptions) {
  EXPECT_THROW(make_problem("nk:n=4,k=4", 0), InvalidArgument);
  EXPECT_THROW(make_problem("nk:n=0", 0), InvalidArgument);
}

}  // namespace
}  // namespace bocs
