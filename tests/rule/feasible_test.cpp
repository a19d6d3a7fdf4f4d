#include "bocs/rule/feasible.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "bocs/base/error.hpp"
#include "random_constraints.hpp"

namespace bocs {

using namespace constraint;

namespace {

using test::allowed_points;
using test::random_constraints;
using test::random_space;

/// Too many levels for a table of partial sums: forces the searches that work without one.
Space with_a_wide_variable(const Space& space) {
  auto variables = space.variables();
  variables.push_back(integer("wide", 0, 999'999));
  return Space(std::move(variables));
}

TEST(Feasible, AgreesWithEnumerationOnThousandsOfRandomSpaces) {
  int satisfiable = 0;
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    Rng rng(1, "feasible", trial);
    const Space space = random_space(rng, 150);
    const auto list = random_constraints(space, rng);
    const auto truth = allowed_points(space, list);
    if (truth.empty()) {
      EXPECT_THROW(Constraints(space, list), InvalidArgument);
      EXPECT_THROW(Constraints(with_a_wide_variable(space), list), InvalidArgument);
      continue;
    }
    ++satisfiable;
    const Constraints constraints(space, list);
    const Feasible& feasible = constraints.feasible();
    ASSERT_TRUE(feasible.count());
    EXPECT_EQ(*feasible.count(), static_cast<double>(truth.size()));
    std::vector<Point> listed;
    feasible.for_each([&](const Point& x) { listed.push_back(x); });
    std::sort(listed.begin(), listed.end());
    EXPECT_TRUE(std::is_permutation(truth.begin(), truth.end(), listed.begin(), listed.end()));
    for (int k = 0; k < 3; ++k) {
      EXPECT_TRUE(test::holds(space, list, feasible.random(rng)));
      EXPECT_TRUE(test::holds(space, list, feasible.repair(space.random(rng), rng)));
    }
    const Point kept = truth[rng.below(static_cast<std::uint32_t>(truth.size()))];
    EXPECT_EQ(feasible.repair(kept, rng), kept);
    PointSet excluded(truth.begin(), truth.end());
    EXPECT_FALSE(feasible.outside(excluded, space.random(rng)));
    excluded.erase(kept);
    EXPECT_EQ(feasible.outside(excluded, space.random(rng)), kept);
  }
  EXPECT_GT(satisfiable, 1500);
}

TEST(Feasible, SearchesWithoutATableAgreeWithEnumerationToo) {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    Rng rng(2, "feasible", trial);
    const Space space = random_space(rng, 100), wide = with_a_wide_variable(space);
    const auto list = random_constraints(space, rng);
    if (allowed_points(space, list).empty()) continue;
    const Constraints constraints(wide, list);
    EXPECT_FALSE(constraints.feasible().count());
    const Point x = constraints.feasible().random(rng);
    EXPECT_TRUE(wide.contains(x));
    EXPECT_TRUE(test::holds(wide, list, x));
    EXPECT_TRUE(test::holds(wide, list, constraints.feasible().repair(wide.random(rng), rng)));
  }
}

/// Chi-square statistic of how often each of the points is drawn, against all alike.
template <class Draw>
double chi_square(const std::vector<Point>& points, int draws, Draw&& draw) {
  std::map<Point, int> counts;
  for (int k = 0; k < draws; ++k) ++counts[draw()];
  const double expected = static_cast<double>(draws) / static_cast<double>(points.size());
  double sum = 0;
  for (const Point& x : points) sum += std::pow(counts[x] - expected, 2) / expected;
  return sum;
}

TEST(Feasible, RandomPointsAreUniform) {
  const Space space(
      {binary("a"), binary("b"), binary("c"), binary("d"), integer("n", 0, 3), categorical("k", {"x", "y"})});
  const std::vector<Constraint> list{exactly(2, switched_on(space)), linear({{"n"}, {"a"}, {"k", "y"}}, "<=", 3),
                                     required({{"b"}}, {{"k", "x"}})};
  const auto points = allowed_points(space, list);
  ASSERT_GT(points.size(), 25u);
  const double n = static_cast<double>(points.size()) - 1;
  const double limit = n + 5 * std::sqrt(2 * n);  // five standard deviations
  Rng rng(3, "uniform");
  const Constraints constraints(space, list);
  EXPECT_LT(chi_square(points, 20000, [&] { return constraints.feasible().random(rng); }), limit);
  // Without a table: nearly so, by the walk.
  const Constraints wide(with_a_wide_variable(space), list);
  EXPECT_LT(chi_square(points, 4000,
                       [&] {
                         Point x = wide.feasible().random(rng);
                         x.pop_back();
                         return x;
                       }),
            limit);
}

TEST(Feasible, TenOfAHundredAreDrawnUniformly) {
  const Space space = Space::binary(100);
  const Constraints constraints(space, {exactly(10, switched_on(space))});
  EXPECT_NEAR(*constraints.feasible().count(), 1.731030945644e13, 1e3);
  Rng rng(4, "ten");
  std::vector<int> ones(100, 0);
  for (int k = 0; k < 2000; ++k) {
    const Point x = constraints.feasible().random(rng);
    EXPECT_EQ(std::count(x.begin(), x.end(), 1), 10);
    for (std::size_t i = 0; i < x.size(); ++i) ones[i] += x[i];
  }
  for (const int count : ones) EXPECT_NEAR(count, 200, 6 * std::sqrt(2000 * 0.09));
}

TEST(Feasible, RepairKeepsWhatItCan) {
  const Space space = Space::binary(60);
  const Constraints constraints(space, {exactly(10, switched_on(space))});
  Rng rng(5, "repair");
  for (int k = 0; k < 200; ++k) {
    const Point x = space.random(rng), y = constraints.feasible().repair(x, rng);
    int changes = 0;
    for (std::size_t i = 0; i < x.size(); ++i) changes += x[i] != y[i] ? 1 : 0;
    EXPECT_EQ(changes, std::abs(static_cast<int>(std::count(x.begin(), x.end(), 1)) - 10));
  }
}

TEST(Feasible, LargeSystemsAreDecidedByPropagation) {
  // A chain of implications that fixes everything, and one more constraint that contradicts it.
  const Space space = Space::binary(400);
  std::vector<Constraint> list{required({}, {{"x0"}})};
  for (int i = 1; i < 400; ++i) {
    list.push_back(required({{"x" + std::to_string(i - 1)}}, {{"x" + std::to_string(i)}}));
  }
  const Constraints chain(space, list);
  EXPECT_EQ(*chain.feasible().count(), 1);
  list.push_back(at_most(399, switched_on(space)));
  EXPECT_THROW(Constraints(space, list), InvalidArgument);
}

TEST(Feasible, WeightsThatAllDifferNeedNoTable) {
  const int d = 40;
  const Space space = Space::binary(d);
  Rng rng(6, "weights");
  std::vector<Term> terms;
  double all = 0;
  for (int i = 0; i < d; ++i) {
    terms.push_back({"x" + std::to_string(i), {}, rng.uniform()});
    all += terms.back().weight;
  }
  const Constraints constraints(space, {linear(terms, "<=", all / 4), linear(terms, ">=", all / 5)});
  EXPECT_FALSE(constraints.feasible().count());
  PointSet different;
  for (int k = 0; k < 50; ++k) {
    const Point x = constraints.feasible().random(rng);
    EXPECT_TRUE(constraints.satisfied(x));
    different.insert(x);
  }
  EXPECT_EQ(different.size(), 50u);
}

TEST(Feasible, SaysWhenASearchCouldNotDecide) {
  // An even sum that must be odd, over too many different weights for a table and beyond what propagation sees.
  const Space space = Space::binary(60);
  std::vector<Term> terms;
  Rng rng(7, "undecided");
  double all = 0;
  for (int i = 0; i < 60; ++i) {
    terms.push_back({"x" + std::to_string(i), {}, 2.0 * (1 + rng.below(1'000'000'000))});
    all += terms.back().weight;
  }
  try {
    const Constraints constraints(space, {linear(terms, "==", 2 * std::floor(all / 4) + 1)});
    FAIL();
  } catch (const InvalidArgument&) {
    FAIL() << "nothing was proved";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("neither"), std::string::npos);
  }
}

TEST(Feasible, ASearchIsBoundedByItsWorkNotByItsDecisions) {
  // Even sums that must be odd: each decision shrinks the ranges by one value at a time, a million times.
  const Space space({integer("x", 0, 999'999), integer("y", 0, 999'999), integer("z", 0, 999'999)});
  const std::vector<Term> terms{{"x", {}, 2}, {"y", {}, 2}, {"z", {}, -2}};
  try {
    const Constraints constraints(space, {linear(terms, "==", 1)});
    FAIL();
  } catch (const InvalidArgument&) {
    FAIL() << "nothing was proved";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("neither"), std::string::npos);
  }
  const Constraints even(space, {linear(terms, "==", 2)});
  Rng rng(8, "work");
  const Point x = even.feasible().random(rng);
  EXPECT_EQ(2 * x[0] + 2 * x[1] - 2 * x[2], 2);
}

TEST(Feasible, TakesSixtyThousandVariables) {
  const int d = 60'000;
  const Space space = Space::binary(d);
  Rng rng(9, "many");
  std::vector<Constraint> list;
  for (int k = 0; k < d / 2; ++k) {
    Choices choices;
    for (int t = 0; t < 3; ++t) choices.push_back({"x" + std::to_string(rng.below(d)), rng.below(2) == 0 ? "0" : "1"});
    list.push_back(at_least(1, choices));
  }
  const Constraints constraints(space, list);
  EXPECT_FALSE(constraints.feasible().count());
  const Point x = constraints.feasible().repair(Point(static_cast<std::size_t>(d), -1), rng);
  EXPECT_TRUE(constraints.satisfied(x));
}

}  // namespace
}  // namespace bocs
