#include "bocs/minimize/local_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "random_polynomial.hpp"

namespace bocs {
namespace {

using test::random_polynomial;
using test::random_space;

TEST(LocalSearch, DescentEndsWhereNoMoveImproves) {
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    Rng rng(1, "local", trial);
    const Space space = trial % 2 == 0 ? Space::binary(9) : random_space(rng, 2000);
    const Polynomial f = random_polynomial(space, 1 + static_cast<int>(trial % 3), rng);
    Incumbent found{Allowed()};
    Walker walker(f, space.random(rng));
    MoveScanner(space).descend(walker, found);
    EXPECT_EQ(found.point(), walker.point());
    for (int i = 0; i < space.dimension(); ++i) {
      for (int level = 0; level < space[i].levels; ++level) {
        Point neighbour = walker.point();
        neighbour[static_cast<std::size_t>(i)] = level;
        EXPECT_GE(f(neighbour), f(walker.point()) - 1e-12);
      }
    }
  }
}

TEST(LocalSearch, ScannerFindsTheFirstBestAllowedMove) {
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    Rng rng(2, "local", trial);
    const Space space = trial % 2 == 0 ? Space::binary(37) : random_space(rng, 2000);
    const Polynomial f = random_polynomial(space, 2, rng);
    const Walker walker(f, space.random(rng));
    std::vector<int> free_from(static_cast<std::size_t>(space.dimension()));
    for (int& t : free_from) t = static_cast<int>(rng.below(3));
    Move best;
    double anywhere = std::numeric_limits<double>::infinity();
    for (int i = 0; i < space.dimension(); ++i) {
      for (int level = 0; level < space[i].levels; ++level) {
        if (level == walker.point()[static_cast<std::size_t>(i)]) continue;
        anywhere = std::min(anywhere, walker.delta(i, level));
        if (free_from[static_cast<std::size_t>(i)] <= 1 && walker.delta(i, level) < best.delta) {
          best = {i, level, walker.delta(i, level)};
        }
      }
    }
    const auto scanned = MoveScanner(space).best(walker, free_from, 1);
    EXPECT_EQ(scanned.allowed.variable, best.variable);
    EXPECT_EQ(scanned.allowed.level, best.level);
    EXPECT_EQ(scanned.allowed.delta, best.delta);
    EXPECT_EQ(scanned.anywhere, anywhere);
  }
}

TEST(LocalSearch, ConcludesWithTheBestPointOfTheNearestShell) {
  Rng rng(4, "local");
  const Space space = Space::binary(6);
  const Polynomial f = random_polynomial(space, 2, rng);
  const Point centre(6, 0);
  const auto distance = [&](const Point& x) { return std::count(x.begin(), x.end(), 1); };
  PointSet excluded;
  double best = std::numeric_limits<double>::infinity();
  test::for_each_point(space, [&](const Point& x) {
    if (distance(x) < 3) excluded.insert(x);
    if (distance(x) == 3) best = std::min(best, f(x));
  });
  const Minimum m = best_or_nearest_allowed(f, Incumbent(excluded), Walker(f, centre), excluded);
  EXPECT_EQ(distance(m.x), 3);
  EXPECT_EQ(m.value, best);
}

}  // namespace
}  // namespace bocs
