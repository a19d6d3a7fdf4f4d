#include "bocs/acquire/initial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bocs/base/error.hpp"

namespace bocs {

using namespace constraint;

namespace {

Trial complete_trial(int number, Point x, double y) {
  Trial trial;
  trial.number = number;
  trial.state = State::complete;
  trial.x = std::move(x);
  trial.y = y;
  return trial;
}

TEST(DefaultInitial, IsTwentyAsInThePaper) {
  EXPECT_EQ(default_initial(Space::binary(10)), 20);
  EXPECT_EQ(default_initial(Space::binary(25)), 20);
  EXPECT_EQ(default_initial(Space::binary(4)), 8);
  EXPECT_EQ(default_initial(Space::binary(1000)), 20);
}

TEST(InitialPoint, IsAFunctionOfSeedAndNumber) {
  const Task task{Space::binary(30), 0, 0, 5};
  EXPECT_EQ(initial_point(task, {}, 3, false), initial_point(task, {}, 3, false));
  EXPECT_NE(initial_point(task, {}, 3, false), initial_point(task, {}, 4, false));
  EXPECT_NE(initial_point(task, {}, 3, false), initial_point({Space::binary(30), 0, 0, 6}, {}, 3, false));
}

TEST(InitialPoint, IsRedrawnWhenSeen) {
  const Task task{Space::binary(2), 0, 0, 1};
  History history;
  for (int n = 0; n < 4; ++n) {
    const Point x = initial_point(task, history, n, false);
    EXPECT_FALSE(history.seen().contains(x)) << n;
    history.add(complete_trial(n, x, 0));
  }
  EXPECT_EQ(history.seen().size(), 4u);
  EXPECT_THROW(initial_point(task, history, 4, false), SpaceExhausted);
  EXPECT_TRUE(task.space.contains(initial_point(task, history, 4, true)));
}

TEST(InitialPoint, CoversTheSpaceEvenly) {
  const Task task{Space::binary(3), 0, 0, 9};
  std::vector<int> ones(3, 0);
  for (int n = 0; n < 2000; ++n) {
    const Point x = initial_point(task, {}, n, true);
    for (std::size_t i = 0; i < 3; ++i) ones[i] += x[i];
  }
  for (const int count : ones) EXPECT_NEAR(count, 1000, 4.5 * std::sqrt(2000 * 0.25));
}

/// The points of a whole design, each evaluated before the next is asked for.
std::vector<Point> design(const Task& task, const InitialDesign& wanted) {
  History history;
  for (int n = 0; n < wanted.points; ++n) history.add(complete_trial(n, design_point(task, history, n, wanted), 0));
  std::vector<Point> result;
  for (const Trial& trial : history.trials()) result.push_back(trial.x);
  return result;
}
std::vector<Point> design(const Task& task, int points) { return design(task, {.points = points}); }

std::size_t levels_shown(const std::vector<Point>& points, std::size_t i) {
  std::set<std::int32_t> levels;
  for (const Point& x : points) levels.insert(x[i]);
  return levels.size();
}

TEST(DefaultInitial, IsEnoughForEveryLevelOfACategory) {
  std::vector<std::string> labels;
  for (int k = 0; k < 40; ++k) labels.push_back("l" + std::to_string(k));
  EXPECT_EQ(default_initial(Space({binary("b"), categorical("many", labels)})), 40);
}

TEST(DesignPoint, ShowsEveryLevelWhenThePointsJustSuffice) {
  const Space space({categorical("k", {"a", "b", "c", "d", "e", "f"}), binary("b"), integer("n", 0, 99), binary("c"),
                     categorical("m", {"x", "y", "z"})});
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto points = design({.space = space, .seed = seed}, 6);
    EXPECT_EQ(levels_shown(points, 0), 6u);
    EXPECT_EQ(levels_shown(points, 1), 2u);
    EXPECT_GE(levels_shown(points, 2), 2u);
    EXPECT_EQ(levels_shown(points, 3), 2u);
    EXPECT_EQ(levels_shown(points, 4), 3u);
  }
}

TEST(DesignPoint, IsTheRandomPointWhereThatCoversAnyway) {
  int same = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Task task{Space::binary(20), 0, 0, seed};
    const auto points = design(task, 20);
    bool all = true;
    for (int n = 0; n < 20; ++n) all = all && points[static_cast<std::size_t>(n)] == initial_point(task, {}, n, true);
    same += all ? 1 : 0;
  }
  EXPECT_EQ(same, 50);  // a design misses a level with probability 4e-5
}

TEST(DesignPoint, StaysRandomAsLongAsItCan) {
  const Task task{Space::binary(12), 0, 0, 3};
  const auto points = design(task, 8);
  for (int n = 0; n < 6; ++n) EXPECT_EQ(points[static_cast<std::size_t>(n)], initial_point(task, {}, n, true));
}

TEST(DesignPoint, UnderConstraintsShowsWhatCanBeShown) {
  const Space space = Space::binary(20);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    // Two of twenty at a time: ten points just suffice.
    const Task task{.space = space, .seed = seed, .constraints = Constraints(space, {exactly(2, switched_on(space))})};
    const auto points = design(task, 10);
    for (const Point& x : points) EXPECT_TRUE(task.constraints.satisfied(x));
    for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(levels_shown(points, i), 2u);
  }
  // x0 is never 1: that does not disturb the others.
  const Task task{.space = space,
                  .seed = 1,
                  .constraints = Constraints(space, {required({}, {{"x0", "0"}}), at_most(4, switched_on(space))})};
  const auto points = design(task, 12);
  for (std::size_t i = 1; i < 20; ++i) EXPECT_EQ(levels_shown(points, i), 2u) << i;
}

TEST(DesignPoint, ShowsAllValuesOfShortRanges) {
  const Space space({integer("n", -3, 4), binary("b"), integer("m", 1, 9)});
  EXPECT_EQ(default_initial(Space({integer("n", 1, 20)}), 32), 20);
  EXPECT_EQ(default_initial(Space({integer("n", 1, 40)}), 32), 2);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto points = design({.space = space, .seed = seed}, {.points = 8, .all_values = 8});
    EXPECT_EQ(levels_shown(points, 0), 8u);
    EXPECT_GE(levels_shown(points, 2), 2u);
  }
}

/// Ones at the given variables, anything elsewhere.
Point all_of(int dimension, const std::vector<int>& variables) {
  Point pattern(static_cast<std::size_t>(dimension), -1);
  for (const int i : variables) pattern[static_cast<std::size_t>(i)] = 1;
  return pattern;
}

bool shown(const std::vector<Point>& points, const Point& pattern) {
  return std::any_of(points.begin(), points.end(), [&](const Point& x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (pattern[i] >= 0 && x[i] != pattern[i]) return false;
    }
    return true;
  });
}

TEST(DesignPoint, ShowsThePatternsAsLateAsItCan) {
  const std::vector<Point> patterns = {all_of(24, {0, 1, 2, 3, 4, 5, 6, 7, 8}),
                                       all_of(24, {6, 7, 8, 9, 10, 11, 12, 13}),
                                       all_of(24, {1, 3, 5, 7, 9, 11, 13, 15, 17})};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Task task{.space = Space::binary(24), .seed = seed};
    const auto points = design(task, {.points = 20, .patterns = patterns});
    for (const Point& pattern : patterns) EXPECT_TRUE(shown(points, pattern)) << seed;
    for (int n = 0; n < 17; ++n) EXPECT_EQ(points[static_cast<std::size_t>(n)], initial_point(task, {}, n, true));
  }
}

TEST(DesignPoint, ShowsThePatternsThatTheConstraintsAllow) {
  const Space space = Space::binary(20);
  const std::vector<Point> patterns = {all_of(20, {0, 1, 2, 3, 4}), all_of(20, {5, 6, 7, 8, 9, 10, 11}),
                                       all_of(20, {2, 4, 6, 8})};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Task task{.space = space, .seed = seed, .constraints = Constraints(space, {at_most(5, switched_on(space))})};
    const auto points = design(task, {.points = 12, .patterns = patterns});
    for (const Point& x : points) EXPECT_TRUE(task.constraints.satisfied(x));
    EXPECT_TRUE(shown(points, patterns[0])) << seed;
    EXPECT_FALSE(shown(points, patterns[1])) << "seven at a time";
    EXPECT_TRUE(shown(points, patterns[2])) << seed;
  }
}

TEST(InitialPoint, UnderConstraintsMeetsEveryPointThenSaysSo) {
  const Space space = Space::binary(10);
  const Task task{.space = space, .seed = 4, .constraints = Constraints(space, {exactly(2, switched_on(space))})};
  History history;
  for (int n = 0; n < 45; ++n) {
    const Point x = initial_point(task, history, n, false);
    EXPECT_TRUE(task.constraints.satisfied(x));
    EXPECT_FALSE(history.seen().contains(x));
    history.add(complete_trial(n, x, 0));
  }
  EXPECT_THROW(initial_point(task, history, 45, false), SpaceExhausted);
}

// Whatever levels and patterns are missing: a point that was seen shows nothing new, and would be evaluated twice. It
// could be one only where constraints forbid what is missing, so that the nearest allowed point is taken instead.
TEST(DesignPoint, IsNeverOneThatWasSeen) {
  const Space space({binary("a"), binary("b"), categorical("c", {"x", "y", "z"})});
  const Constraints constraints(space, {forbidden({{"a"}, {"b"}})});  // leaves 9 of 12
  int crowded = 0;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    Rng rng(9, "crowded", trial);
    const Task task{space, 0, 0, trial, trial % 2 == 0 ? Constraints() : constraints};
    History history;
    const int number = 1 + static_cast<int>(rng.below(8));
    for (int n = 0; n < number; ++n) {
      history.add(complete_trial(n, initial_point(task, history, 100 + n, false), 0));
    }
    InitialDesign design;
    design.points = number + 1 + static_cast<int>(rng.below(3));
    for (int i = 0; i < 4; ++i) {
      Point pattern = task.space.random(rng);
      pattern[rng.below(3)] = -1;
      design.patterns.push_back(pattern);
    }
    const Point x = design_point(task, history, number, design);
    EXPECT_FALSE(history.seen().contains(x)) << trial;
    crowded += number >= 7 ? 1 : 0;
  }
  EXPECT_GT(crowded, 50);
}

}  // namespace
}  // namespace bocs
