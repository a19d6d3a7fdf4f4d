#include "bocs/rule/candidates.hpp"

#include <gtest/gtest.h>

#include <set>

#include "bocs/base/error.hpp"
#include "bocs/rule/feasible.hpp"

namespace bocs {
namespace {

const Space kSpace({categorical("base", {"A", "B", "C"}), integer("n", 1, 4), binary("dry")});

/// A random part of all points, as a table.
std::vector<Point> some_points(Rng& rng, double share) {
  std::vector<Point> rows;
  for (int a = 0; a < 3; ++a) {
    for (int n = 0; n < 4; ++n) {
      for (int b = 0; b < 2; ++b) {
        if (rows.empty() || rng.uniform() < share) rows.push_back({a, n, b});
      }
    }
  }
  for (std::size_t k = rows.size(); k > 1; --k) std::swap(rows[k - 1], rows[rng.below(static_cast<std::uint32_t>(k))]);
  return rows;
}

TEST(Candidates, FindsItsRowsAndNothingElse) {
  Rng rng(1);
  for (int round = 0; round < 50; ++round) {
    const std::vector<Point> rows = some_points(rng, 0.4);
    const Candidates table(kSpace, rows);
    const std::set<Point> known(rows.begin(), rows.end());
    for (std::size_t row = 0; row < rows.size(); ++row) EXPECT_EQ(table.find(rows[row]), row);
    for (const Point& x : some_points(rng, 1)) EXPECT_EQ(table.find(x).has_value(), known.contains(x));
  }
}

TEST(Candidates, TheHashIsThatOfTheContent) {
  const std::vector<Point> rows{{0, 0, 0}, {1, 2, 1}};
  const Candidates table(kSpace, rows, {{"price", {"3", "4"}}});
  EXPECT_EQ(table.hash(), Candidates(kSpace, rows, {{"price", {"3", "4"}}}).hash());
  EXPECT_EQ(table.hash().size(), 32);
  std::set<std::string> hashes{table.hash(), Candidates(kSpace, rows).hash()};
  hashes.insert(Candidates(kSpace, {rows[1], rows[0]}).hash());
  hashes.insert(Candidates(kSpace, rows, {{"price", {"34", ""}}}).hash());
  hashes.insert(Candidates(kSpace, rows, {{"cost", {"3", "4"}}}).hash());
  EXPECT_EQ(hashes.size(), 5);
  const auto carried = carried_of(&table, {1, 2, 1});
  ASSERT_EQ(carried.size(), 1);
  EXPECT_EQ(carried.front(), std::pair(std::string("price"), std::string("4")));
  EXPECT_TRUE(carried_of(&table, {2, 2, 1}).empty());
}

TEST(Candidates, RefusesWhatIsNoTable) {
  EXPECT_THROW(Candidates(kSpace, {}), InvalidArgument);
  EXPECT_THROW(Candidates(kSpace, {{0, 4, 0}}), InvalidArgument);
  EXPECT_THROW(Candidates(kSpace, {{0, 0, 0}}, {{"price", {}}}), InvalidArgument);
  EXPECT_THROW(Candidates(kSpace, {{0, 0, 0}}, {{"n", {"1"}}}), InvalidArgument);
  try {
    const Candidates twice(kSpace, {{0, 0, 0}, {1, 1, 1}, {0, 0, 0}});
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("rows 1 and 3"), std::string::npos) << error.what();
  }
}

TEST(Candidates, ConstraintsKeepTheRowsThatSatisfyThem) {
  Rng rng(2);
  for (int round = 0; round < 50; ++round) {
    const std::vector<Point> rows = some_points(rng, 0.5);
    const auto table = std::make_shared<const Candidates>(kSpace, rows);
    std::vector<Point> wanted;  // n <= 3, and not base A where dry
    for (const Point& x : rows) {
      if (x[1] <= 2 && !(x[0] == 0 && x[2] == 1)) wanted.push_back(x);
    }
    const std::vector<Constraint> rules{constraint::rule("n <= 3"), constraint::rule("if dry then base != A")};
    if (wanted.empty()) {
      EXPECT_THROW(Constraints(kSpace, rules, table), InvalidArgument);
      continue;
    }
    const Constraints constraints(kSpace, rules, table);
    const Feasible& feasible = constraints.feasible();
    std::vector<Point> met;
    feasible.for_each([&](const Point& x) { met.push_back(x); });
    EXPECT_EQ(met, wanted);  // in the order of the table
    EXPECT_EQ(feasible.count(), static_cast<double>(wanted.size()));
    const std::set<Point> known(wanted.begin(), wanted.end());
    for (const Point& x : some_points(rng, 1)) EXPECT_EQ(constraints.satisfied(x), known.contains(x));

    for (int k = 0; k < 20; ++k) EXPECT_TRUE(known.contains(feasible.random(rng)));
    const Point centre{static_cast<std::int32_t>(rng.below(3)), -1, static_cast<std::int32_t>(rng.below(2))};
    const auto distance = [&](const Point& x) { return (x[0] != centre[0] ? 1 : 0) + (x[2] != centre[2] ? 1 : 0); };
    int least = 9;
    for (const Point& x : wanted) least = std::min(least, distance(x));
    EXPECT_EQ(distance(feasible.repair(centre, rng)), least);
    PointSet seen;
    for (std::size_t k = 0; k < wanted.size(); ++k) {  // each once, then none
      const auto next = feasible.outside(seen, wanted.front());
      ASSERT_TRUE(next.has_value());
      EXPECT_TRUE(known.contains(*next));
      EXPECT_TRUE(seen.insert(*next).second);
    }
    EXPECT_FALSE(feasible.outside(seen, wanted.front()).has_value());
  }
}

TEST(Candidates, SayWhyAPointIsNone) {
  const auto table = std::make_shared<const Candidates>(kSpace, std::vector<Point>{{0, 0, 0}, {1, 2, 1}});
  const Constraints constraints(kSpace, {}, table);
  EXPECT_TRUE(constraints.list().empty());
  try {
    constraints.check({2, 0, 0});
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("one of the 2 candidates"), std::string::npos) << error.what();
  }
  const Constraints fewer = constraints.with(kSpace, {constraint::rule("dry == 1")});
  EXPECT_FALSE(fewer.satisfied({0, 0, 0}));
  EXPECT_TRUE(fewer.satisfied({1, 2, 1}));
}

}  // namespace
}  // namespace bocs
