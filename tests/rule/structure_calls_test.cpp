#include "bocs/rule/structure_calls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "bocs/base/error.hpp"
#include "bocs/rule/feasible.hpp"
#include "bocs/rule/language.hpp"
#include "random_polynomial.hpp"

namespace bocs {
namespace {

using constraint::rule;

TEST(StructureCalls, FunctionsOfStructuredVariablesAreTextsOverTheirCoordinates) {
  // An order of three items: the position of each, all different.
  const Space space({integer("route: a", 0, 2), integer("route: b", 0, 2), integer("route: c", 0, 2),
                     categorical("place: a", {"x", "y"})});
  const CallMeaning meaning = [](const std::string& function,
                                 const std::vector<std::string>& arguments) -> std::optional<std::string> {
    const auto route = [&](std::size_t k) { return "`route: " + arguments.at(k) + "`"; };
    require(arguments.size() == (function == "before" ? 2U : 1U), "another number of items");
    if (function == "before") return route(0) + " < " + route(1);
    if (function == "position") return route(0) + " + 1";
    if (function == "place") return "`place: " + arguments[0] + "`";
    return std::nullopt;
  };
  const auto satisfied = [&](const std::string& text, const Point& x) {
    for (const RowSource& source : compile_rules(text, Names(space), meaning)) {
      double sum = 0;
      if (const auto* range = std::get_if<RangeSource>(&source)) {
        for (const RowTerm& t : range->terms) {
          const auto level = x[static_cast<std::size_t>(t.variable)];
          sum += t.weight * (t.level < 0 ? space[t.variable].value(level) : (level == t.level ? 1 : 0));
        }
        if (sum < range->low || sum > range->high) return false;
        continue;
      }
      const auto& table = std::get<TableSource>(source);
      for (const int v : table.variables) sum = sum * space[v].levels + x[static_cast<std::size_t>(v)];
      if (!std::binary_search(table.allowed.begin(), table.allowed.end(), sum)) return false;
    }
    return true;
  };
  test::for_each_point(space, [&](const Point& x) {
    EXPECT_EQ(satisfied("before(a, b)", x), x[0] < x[1]);
    EXPECT_EQ(satisfied("before(c, a) or position(b) == 2", x), x[2] < x[0] || x[1] == 1);
    EXPECT_EQ(satisfied("2 * position(c) <= 5", x), 2 * (x[2] + 1) <= 5);
    EXPECT_EQ(satisfied("place(a) == y and position(a) >= 2", x), x[3] == 1 && x[0] >= 1);
  });
  const auto message = [&](const std::string& text) {
    try {
      (void)compile_rules(text, Names(space), meaning);
    } catch (const InvalidArgument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(message("position(d) <= 2").find("rule 'position(d) <= 2', column 1: there is no variable 'route: d'"),
            std::string::npos);
  EXPECT_NE(message("1 <= position(a, b)").find("column 6: another number of items"), std::string::npos);
}

TEST(StructureCalls, KnowsTheStructures) {
  const Space space({permutation("route", {"a", "b", "c", "d"}), subset("team", {"x", "y", "z"}, 1, 3),
                     assignment("job", {"p", "q"}, {"here", "there"}),
                     mixture("mix", {"salt", "water"}, {.total = 1, .step = 0.25})});
  const auto expect_means = [&](const std::string& text, const auto& expected) {
    const Constraints all(space, {}), some(space, {rule(text)});
    double count = 0;
    all.feasible().for_each([&](const Point& x) {
      EXPECT_EQ(some.satisfied(x), expected(x)) << text << " at " << space.format(x);
      count += expected(x) ? 1 : 0;
    });
    EXPECT_EQ(some.feasible().count(), count) << text;
    EXPECT_GT(count, 0);
  };
  expect_means("before(a, b)", [](const Point& x) { return x[0] < x[1]; });
  expect_means("adjacent(a, d)", [](const Point& x) { return std::abs(x[0] - x[3]) == 1; });
  expect_means("position(c) <= 2 or before(c, a)", [](const Point& x) { return x[2] <= 1 || x[2] < x[0]; });
  expect_means("if chosen(x) then not chosen(y) and size(team) == 2",
               [](const Point& x) { return x[4] == 0 || (x[5] == 0 && x[4] + x[5] + x[6] == 2); });
  expect_means("place(p) == there and place(q) != place(p)", [](const Point& x) { return x[7] == 1 && x[8] == 0; });
  expect_means("0.25 <= amount(salt) < 0.75", [](const Point& x) { return x[9] == 1 || x[9] == 2; });
  expect_means("route[a] < route[b] and team[x]", [](const Point& x) { return x[0] < x[1] && x[4] == 1; });
  try {
    (void)compile_rules("before(a)", Names(space));
    FAIL();
  } catch (const InvalidArgument& e) {
    EXPECT_STREQ(e.what(), "rule 'before(a)', column 1: before(...) takes 2 of the items, found 1");
  }
}

}  // namespace
}  // namespace bocs
