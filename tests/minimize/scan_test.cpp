#include "bocs/minimize/scan.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "random_polynomial.hpp"

namespace bocs {
namespace {

TEST(Scan, IsTheMinimumOverTheRows) {
  Rng rng(1);
  for (int round = 0; round < 200; ++round) {
    const Space space = test::random_space(rng, 500);
    const Polynomial f = test::random_polynomial(space, test::random_basis(space, rng), rng, test::Tail::heavy);
    std::vector<Point> rows;
    PointSet excluded;
    test::for_each_point(space, [&](const Point& x) {
      if (!rows.empty() && rng.uniform() < 0.5) return;
      rows.push_back(x);
      if (rng.uniform() < 0.2) excluded.insert(x);
    });
    double best = std::numeric_limits<double>::infinity(), lowest = best, largest = 0;
    for (const Point& x : rows) {
      lowest = std::min(lowest, f(x));
      largest = std::max(largest, std::abs(f(x)));
      if (!excluded.contains(x)) best = std::min(best, f(x));
    }
    const Constraints constraints(space, {}, std::make_shared<const Candidates>(space, rows));
    const Allowed allowed(excluded, constraints);
    if (excluded.size() == rows.size()) {
      EXPECT_THROW((void)Scan().minimize(f, allowed, rng), SpaceExhausted);
      continue;
    }
    const Minimum found = Scan().minimize(f, allowed, rng);
    EXPECT_TRUE(allowed.contains(found.x));
    EXPECT_NEAR(found.value, best, 1e-12 * (1 + largest));
    EXPECT_NEAR(f(found.x), best, 1e-12 * (1 + largest));
    EXPECT_NEAR(found.lower_bound, lowest, 1e-12 * (1 + largest));
  }
}

TEST(Scan, OfEqualsTheLowestRow) {
  const Space space({integer("n", 0, 9), binary("b")});
  const Polynomial f(std::make_shared<const Basis>(space, 1), Vector{{0.0, 1.0}});
  const Constraints constraints(
      space, {}, std::make_shared<const Candidates>(space, std::vector<Point>{{1, 1}, {7, 0}, {2, 0}, {5, 0}}));
  Rng rng(1);
  EXPECT_EQ(Scan().minimize(f, {kNoPoints, constraints}, rng).x, (Point{7, 0}));
  EXPECT_EQ(Scan().minimize(f, {PointSet{{7, 0}}, constraints}, rng).x, (Point{2, 0}));
}

}  // namespace
}  // namespace bocs
