#include "bocs/rule/moves.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "random_constraints.hpp"

namespace bocs {

using namespace constraint;

namespace {

int differences(const Point& x, const Point& y) {
  int count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) count += x[i] != y[i] ? 1 : 0;
  return count;
}

/// x with variables i of y.
Point with(Point x, const Point& y, std::size_t i) {
  x[i] = y[i];
  return x;
}

TEST(Neighbours, AreAllAllowedPointsOneChangeAwayOrTwoNeitherOfWhichSufficesAlone) {
  int pairs = 0;
  for (std::uint64_t trial = 0; trial < 500; ++trial) {
    Rng rng(1, "neighbours", trial);
    const Space space = test::random_space(rng, 150);
    const auto list = test::random_constraints(space, rng);
    const auto points = test::allowed_points(space, list);
    if (points.empty()) continue;
    const Constraints constraints(space, list);
    const Point x = points[rng.below(static_cast<std::uint32_t>(points.size()))];
    std::vector<Point> expected, met;
    for (const Point& y : points) {
      const int changes = differences(x, y);
      // Two changes are a move when one of them alone is not allowed.
      bool needed = changes == 1;
      for (std::size_t i = 0; changes == 2 && i < x.size(); ++i) {
        if (x[i] != y[i] && !test::holds(space, list, with(x, y, i))) needed = true;
      }
      if (needed) expected.push_back(y);
      pairs += needed && changes == 2 ? 1 : 0;
    }
    for_each_neighbour(space, constraints, x, [&](const Point& y) { met.push_back(y); });
    EXPECT_TRUE(std::is_permutation(met.begin(), met.end(), expected.begin(), expected.end())) << trial;
    const Point random = random_neighbour(space, constraints, x, rng);
    EXPECT_TRUE(test::holds(space, list, random));
    if (!expected.empty()) {
      EXPECT_TRUE(std::find(expected.begin(), expected.end(), random) != expected.end());
    }
  }
  EXPECT_GT(pairs, 100);
}

TEST(Neighbours, WithoutConstraintsAreAllSingleChanges) {
  const Space space({binary("a"), integer("n", 0, 3), categorical("k", {"x", "y", "z"})});
  std::vector<Point> met;
  for_each_neighbour(space, {}, {0, 1, 2}, [&](const Point& y) { met.push_back(y); });
  EXPECT_EQ(met, (std::vector<Point>{{1, 1, 2}, {0, 0, 2}, {0, 2, 2}, {0, 3, 2}, {0, 1, 0}, {0, 1, 1}}));
}

TEST(RandomNeighbour, ReachesEverySwap) {
  const Space space = Space::binary(8);
  const Constraints constraints(space, {exactly(3, switched_on(space))});
  const Point x{1, 1, 1, 0, 0, 0, 0, 0};
  Rng rng(2, "swaps");
  PointSet met;
  for (int k = 0; k < 500; ++k) met.insert(random_neighbour(space, constraints, x, rng));
  EXPECT_EQ(met.size(), 15u);
}

TEST(RandomNeighbour, JumpsFromAPointWithoutNeighbours) {
  // All equal: three variables would have to move at once.
  const Space space = Space::binary(3);
  const Constraints constraints(space,
                                {linear({{"x0"}, {"x1", {}, -1}}, "==", 0), linear({{"x1"}, {"x2", {}, -1}}, "==", 0)});
  Rng rng(3, "jump");
  PointSet met;
  for (int k = 0; k < 50; ++k) met.insert(random_neighbour(space, constraints, {0, 0, 0}, rng));
  EXPECT_EQ(met.size(), 2u);
}

TEST(Position, StaysRightAfterManyMoves) {
  const Space space = Space::binary(20);
  Rng rng(4, "position");
  std::vector<Term> terms;
  for (int i = 0; i < 20; ++i) terms.push_back({"x" + std::to_string(i), {}, rng.uniform()});
  const std::vector<Constraint> list{linear(terms, "<=", 5), at_least(4, switched_on(space))};
  const Constraints constraints(space, list);
  Position position(constraints.feasible(), constraints.feasible().random(rng));
  for (int step = 0; step < 5000; ++step) {
    position.move_to(random_neighbour(space, constraints, position.point(), rng));
    const int i = static_cast<int>(rng.below(20));
    Point y = position.point();
    y[static_cast<std::size_t>(i)] ^= 1;
    EXPECT_EQ(position.allows(i, y[static_cast<std::size_t>(i)]), test::holds(space, list, y));
  }
}

}  // namespace
}  // namespace bocs
