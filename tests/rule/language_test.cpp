#include "bocs/rule/language.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bocs/base/error.hpp"
#include "bocs/rule/feasible.hpp"
#include "random_polynomial.hpp"
#include "random_rules.hpp"

namespace bocs {
namespace {

using constraint::rule;

/// Of all kinds of variables, at most so many points; names with an index and with a space among them.
Space mixed_space(Rng& rng, double max_points) {
  std::vector<Variable> variables;
  double points = 1;
  for (int i = 0; points < max_points; ++i) {
    const std::string name = i % 4 == 3   ? "a b" + std::to_string(i)
                             : i % 4 == 2 ? "s[" + std::to_string(i) + "]"
                                          : "v" + std::to_string(i);
    const int levels = 2 + static_cast<int>(rng.below(4));
    switch (rng.below(5)) {
      case 0:
        variables.push_back(binary(name));
        break;
      case 1:
        variables.push_back(integer(name, static_cast<int>(rng.below(5)) - 2, 3));
        break;
      case 2: {
        std::vector<double> values;
        for (int k = 0; k < levels; ++k) values.push_back(1 << k);
        variables.push_back(ordinal(name, values));
        break;
      }
      case 3:
        variables.push_back(real(name, -0.1, std::round(10 * (0.1 * levels - 0.2)) / 10, {.step = 0.1}));
        break;
      default: {
        std::vector<std::string> labels;
        for (int k = 0; k < levels; ++k) labels.push_back(std::string("red") + static_cast<char>('a' + k));
        variables.push_back(categorical(name, labels));
      }
    }
    points *= coordinate_of(variables.back()).levels;
    if (points > max_points && variables.size() > 1) {
      variables.pop_back();
      break;
    }
  }
  return Space(std::move(variables));
}

std::string refusal(const Space& space, const std::string& text) {
  try {
    const Constraints constraints(space, {rule(text)});
  } catch (const InvalidArgument& e) {
    return e.what();
  }
  return "accepted";
}

struct Made {
  std::vector<Constraint> list;
  std::vector<Point> allowed;  // by the meaning that was made beside the texts
};

Made random_rules(const Space& space, Rng& rng, bool simple) {
  Made made;
  std::vector<test::SaidCondition> rules;
  for (std::uint32_t k = 1 + rng.below(3); k > 0; --k) {
    test::RandomRules random(space, rng);
    rules.push_back(simple ? random.simple_rule() : random.rule());
    made.list.push_back(rule(rules.back().text));
  }
  test::for_each_point(space, [&](const Point& x) {
    const bool holds =
        std::all_of(rules.begin(), rules.end(), [&](const auto& r) { return r.holds(x).value_or(false); });
    if (holds) made.allowed.push_back(x);
  });
  return made;
}

/// Satisfied where it should be, the same count, the same list, every drawn and repaired point allowed.
void expect_same(const Space& space, const Made& made, Rng& rng) {
  std::string texts;
  for (const auto& c : made.list) texts += c.rule + "\n";
  SCOPED_TRACE(texts);
  if (made.allowed.empty()) {
    EXPECT_THROW(Constraints(space, made.list), InvalidArgument);
    return;
  }
  std::optional<Constraints> constraints;
  ASSERT_NO_THROW(constraints.emplace(space, made.list));
  const Feasible& feasible = constraints->feasible();
  PointSet allowed(made.allowed.begin(), made.allowed.end());
  test::for_each_point(
      space, [&](const Point& x) { ASSERT_EQ(constraints->satisfied(x), allowed.contains(x)) << space.format(x); });
  ASSERT_EQ(feasible.count().value_or(-1), static_cast<double>(allowed.size()));
  std::size_t listed = 0;
  feasible.for_each([&](const Point& x) { listed += allowed.contains(x) ? 1 : made.allowed.size() + 1; });
  ASSERT_EQ(listed, allowed.size());
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(allowed.contains(feasible.random(rng)));
    ASSERT_TRUE(allowed.contains(feasible.repair(space.random(rng), rng)));
  }
}

TEST(Language, AgreesWithBruteForceOnThousandsOfRandomRules) {
  int satisfiable = 0;
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    Rng rng(1, "rules", trial);
    const Space space = mixed_space(rng, 150);
    const Made made = random_rules(space, rng, false);
    satisfiable += made.allowed.empty() ? 0 : 1;
    expect_same(space, made, rng);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(satisfiable, 1500);
}

TEST(Language, TakesLargeRulesApart) {  // where there are too many combinations for a table: clauses
  int satisfiable = 0;
  for (std::uint64_t trial = 0; trial < 150; ++trial) {
    Rng rng(2, "rules", trial);
    const Space space = mixed_space(rng, 12'000);
    const Made made = random_rules(space, rng, true);
    satisfiable += made.allowed.empty() ? 0 : 1;
    expect_same(space, made, rng);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(satisfiable, 75);
}

TEST(Language, SearchesWithoutATableAgreeToo) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    Rng rng(3, "rules", trial);
    const Space space = mixed_space(rng, 100);
    const Made made = random_rules(space, rng, false);
    auto variables = space.variables();
    variables.push_back(integer("wide", 0, 999'999));
    const Space wide(variables);
    if (made.allowed.empty()) {
      EXPECT_THROW(Constraints(wide, made.list), InvalidArgument);
      continue;
    }
    const Constraints constraints(wide, made.list);
    EXPECT_FALSE(constraints.feasible().count());
    const PointSet allowed(made.allowed.begin(), made.allowed.end());
    for (int k = 0; k < 5; ++k) {
      Point x = k < 3 ? constraints.feasible().random(rng) : constraints.feasible().repair(wide.random(rng), rng);
      x.pop_back();
      EXPECT_TRUE(allowed.contains(x)) << made.list.front().rule;
    }
  }
}

TEST(Language, DrawsAreUniform) {
  for (std::uint64_t trial = 0; trial < 6; ++trial) {
    Rng rng(4, "rules", trial);
    const Space space = mixed_space(rng, 80);
    const Made made = random_rules(space, rng, false);
    if (made.allowed.size() < 5) continue;
    const Constraints constraints(space, made.list);
    std::map<Point, int> counts;
    const int draws = 200 * static_cast<int>(made.allowed.size());
    for (int k = 0; k < draws; ++k) ++counts[constraints.feasible().random(rng)];
    double sum = 0;
    for (const Point& x : made.allowed) sum += std::pow(counts[x] - 200.0, 2) / 200;
    const double n = static_cast<double>(made.allowed.size()) - 1;
    EXPECT_LT(sum, n + 5 * std::sqrt(2 * n));
  }
}

/// Both allow the same because they come down to the same rows.
void expect_rows(const Space& space, const std::string& text, const Constraint& builder) {
  const Constraints said(space, {rule(text)}), built(space, {builder});
  ASSERT_EQ(said.feasible().rows().size(), built.feasible().rows().size()) << text;
  for (std::size_t r = 0; r < said.feasible().rows().size(); ++r) {
    const LinearRow &a = said.feasible().rows()[r], &b = built.feasible().rows()[r];
    EXPECT_EQ(a.low, b.low) << text;
    EXPECT_EQ(a.high, b.high) << text;
    ASSERT_EQ(a.terms.size(), b.terms.size()) << text;
    for (std::size_t k = 0; k < a.terms.size(); ++k) {
      EXPECT_EQ(a.terms[k].variable, b.terms[k].variable);
      EXPECT_EQ(a.terms[k].offset, b.terms[k].offset);
      EXPECT_EQ(a.terms[k].slope, b.terms[k].slope);
      EXPECT_EQ(a.terms[k].by_level, b.terms[k].by_level);
      EXPECT_EQ(a.terms[k].rounder, b.terms[k].rounder);
    }
  }
  EXPECT_TRUE(said.same(built)) << text;
}

const Space kSpace({binary("a"), binary("b"), binary("s[0]"), binary("s[1]"), binary("s[2]"), integer("n", -1, 4),
                    integer("m", 0, 9), real("r", 0, 1, {.step = 0.1}), categorical("kind", {"x", "y", "z"}),
                    categorical("depot", {"north", "river"}), binary("on site")});

TEST(Language, SaysWhatTheBuildersSayNumberForNumber) {
  using namespace constraint;
  const Choices s{{"s[0]"}, {"s[1]"}, {"s[2]"}};
  expect_rows(kSpace, "a + 2*n <= 4", linear({{"a"}, {"n", {}, 2}}, "<=", 4));
  expect_rows(kSpace, "2*(n - a) - -1 >= s[1] + s[2]/2",
              linear({{"n", {}, 2}, {"a", {}, -2}, {"s[1]", {}, -1}, {"s[2]", {}, -0.5}}, ">=", -1));
  expect_rows(kSpace, "0.1*r + 0.3*m <= 0.7", linear({{"r", {}, 0.1}, {"m", {}, 0.3}}, "<=", 0.7));
  expect_rows(kSpace, "n == 2", linear({{"n"}}, "==", 2));
  expect_rows(kSpace, "sum(s) <= 2", linear({{"s[0]"}, {"s[1]"}, {"s[2]"}}, "<=", 2));
  expect_rows(kSpace, "s == 2", linear({{"s[0]"}, {"s[1]"}, {"s[2]"}}, "==", 2));
  expect_rows(kSpace, "n + 3*(kind == 'x') <= 3", linear({{"n"}, {"kind", "x", 3}}, "<=", 3));
  expect_rows(kSpace, "kind == x", required({}, {{"kind", "x"}}));
  expect_rows(kSpace, "a and not b and n == 2", required({}, {{"a"}, {"b", "0"}, {"n", "2"}}));
  expect_rows(kSpace, "a != 1", required({}, {{"a", "0"}}));
  expect_rows(kSpace, "on site", required({}, {{"on site"}}));
  expect_rows(kSpace, "count(s) == 2", exactly(2, s));
  expect_rows(kSpace, "count(s, kind == x) <= 2", at_most(2, {{"s[0]"}, {"s[1]"}, {"s[2]"}, {"kind", "x"}}));
  expect_rows(kSpace, "count(s == 0) >= 1", at_least(1, {{"s[0]", "0"}, {"s[1]", "0"}, {"s[2]", "0"}}));
  expect_rows(kSpace, "not all(a, kind == z)", forbidden({{"a"}, {"kind", "z"}}));
  expect_rows(kSpace, "if all(a, n == 3) then all(b, kind == x)",
              required({{"a"}, {"n", "3"}}, {{"b"}, {"kind", "x"}}));
  expect_rows(kSpace, "`on site` + m <= 4", linear({{"on site"}, {"m"}}, "<=", 4));
}

/// The rule holds exactly where `expected` says so.
template <class Expected>
void expect_means(const std::string& text, Expected&& expected) {
  const Space space({binary("a"), integer("n", -1, 4), integer("m", 0, 9), categorical("kind", {"x", "y", "z"}),
                     categorical("other", {"z", "x"}), binary("s[0]"), binary("s[1]")});
  const Constraints constraints(space, {rule(text)});
  test::for_each_point(space, [&](const Point& x) {
    const bool holds = expected(x[0], x[1] - 1, x[2], x[3], x[4], x[5], x[6]);
    ASSERT_EQ(constraints.satisfied(x), holds) << text << " at " << space.format(x);
  });
}

TEST(Language, MeansWhatItSays) {
  using I = int;
  expect_means("n*m <= 6", [](I, I n, I m, I, I, I, I) { return n * m <= 6; });
  expect_means("m / n == 2", [](I, I n, I m, I, I, I, I) { return n != 0 && m == 2 * n; });
  expect_means("n == 0 or m / n <= 2", [](I, I n, I m, I, I, I, I) { return n == 0 || (n > 0 ? m <= 2 * n : true); });
  expect_means("12 % n == 0", [](I, I n, I, I, I, I, I) { return n != 0 && 12 % n == 0; });
  expect_means("-7 % 3 == 2 and m > 3", [](I, I, I m, I, I, I, I) { return m > 3; });
  expect_means("2**m >= 2**3 * 2**-1", [](I, I, I m, I, I, I, I) { return m >= 2; });
  expect_means("-2**2 + m > 0", [](I, I, I m, I, I, I, I) { return m > 4; });
  expect_means("1 <= n + m < 5", [](I, I n, I m, I, I, I, I) { return 1 <= n + m && n + m < 5; });
  expect_means("if kind == x then n >= 2", [](I, I n, I, I k, I, I, I) { return k != 0 || n >= 2; });
  expect_means("kind == other", [](I, I, I, I k, I o, I, I) { return (k == 2 && o == 0) || (k == 0 && o == 1); });
  expect_means("kind != other", [](I, I, I, I k, I o, I, I) { return !((k == 2 && o == 0) || (k == 0 && o == 1)); });
  expect_means("kind in {x, 'z'}", [](I, I, I, I k, I, I, I) { return k != 1; });
  expect_means("n not in {-1, 3}", [](I, I n, I, I, I, I, I) { return n != -1 && n != 3; });
  expect_means("n + m in {3, 5}", [](I, I n, I m, I, I, I, I) { return n + m == 3 || n + m == 5; });
  expect_means("(kind, n) in {(x, 1), (y, -1), (y, 2)}",
               [](I, I n, I, I k, I, I, I) { return (k == 0 && n == 1) || (k == 1 && (n == -1 || n == 2)); });
  expect_means("(n, kind) not in {(1, x)}", [](I, I n, I, I k, I, I, I) { return k != 0 || n != 1; });
  expect_means("all_different(n, m, a)", [](I a, I n, I m, I, I, I, I) { return n != m && n != a && m != a; });
  expect_means("all(s == 0) or a", [](I a, I, I, I, I, I s, I t) { return a == 1 || s + t == 0; });
  expect_means("any(s)", [](I, I, I, I, I, I s, I t) { return s + t >= 1; });
  expect_means("s", [](I, I, I, I, I, I s, I t) { return s + t == 2; });
  expect_means("count(s, n > m) = 2", [](I, I n, I m, I, I, I s, I t) { return s + t + (n > m ? 1 : 0) == 2; });
  expect_means("a + s <= 1; m = 3", [](I a, I, I m, I, I, I s, I t) { return a + s + t <= 1 && m == 3; });
  expect_means("not (a and m > 3) and (n < m or a)",
               [](I a, I n, I m, I, I, I, I) { return !(a == 1 && m > 3) && (n < m || a == 1); });
  expect_means("a == true", [](I a, I, I, I, I, I, I) { return a == 1; });
}

TEST(Language, RefusesWithTheReasonAndTheColumn) {
  const auto says = [&](const std::string& text, const std::string& words) {
    const std::string message = refusal(kSpace, text);
    EXPECT_NE(message.find(words), std::string::npos) << text << " gave: " << message;
    EXPECT_TRUE(message.starts_with("rule '") || message.starts_with("no point")) << message;
  };
  says("m*kindd <= 4",
       "column 3: there is no variable 'kindd'; allowed: a, b, s, n, m, r, kind, depot, on site; did you mean 'kind'?");
  says("s[7] <= 2", "'s' has the elements 0 to 2");
  says("m <=", "column 5: found the end");
  says("größe <= 2", "column 1: there is no variable 'größe'");
  says("'größe' <= 2 + q", "column 1: the text 'größe' has no size");
  says("(kind == 'größe') + q <= 2", "column 10: kind: 'größe' is not one of its levels: x, y, z");
  says("kind <= 2", "the categorical 'kind' has no size: write (kind == 'x')");
  says("kind == violet", "'violet' is not one of its levels: x, y, z");
  says("n == kk", "there is no variable 'kk'");
  says("if n == 7 then a", "'7' is not a whole number from -1 to 4");
  says("n", "'n' is not binary: say which value, n == -1");
  says("n + 1", "found a number where a condition should stand");
  says("a and s == 1", "'s' is an array: write sum(s) == 1, all(s == 1), any(s == 1) or count(s == 1)");
  says("before(a, b)", "column 1: no permutation has the item 'a'");
  says("after(a, b)", "there is no function 'after'; allowed: all, all_different, any, count, sum; of structures: adj");
  says("summ(a, b) <= 1", "did you mean 'sum'?");
  says("a <= 1 b", "column 8: found 'b' where the rule should end");
  says("a $ b", "column 3: found '$'");
  says("'a", "column 1: a quote is opened and never closed");
  says("4 / (2 - 2) + a <= 1", "a division by zero");
  says("r % 2 == 0", "% needs whole numbers");
  says("10**30 * 10**30 * m <= 1", "beyond 128 bits");
  says("all_different(a, b, s[0])", "3 variables cannot all be different: they have 2 values");
  says("all_different(a, a)", "'a' is there twice");
  says("(a, n) in {(1, 2, 3)}", "(...) with 2 values");
  says("n*n == 7", "no point of the space satisfies the constraints 'n*n == 7'");
  says("a and not a", "no point");
  says("()", "the brackets are empty");
  says(std::string(100, '(') + "a" + std::string(100, ')'), "nested more than 64 deep");
  says(" ", "column 2: found the end");
  EXPECT_THROW(rule(""), InvalidArgument);
  const Space river({binary("river"), categorical("depot", {"north", "river"})});
  EXPECT_NE(refusal(river, "depot == river").find("'river' is a variable, and a level of 'depot'"), std::string::npos);
  EXPECT_EQ(refusal(river, "depot == 'river'"), "accepted");
  const Space wide({integer("m", 1, 99'999), integer("k", 1, 99'999), real("r", 0, 1, {.steps = 200}),
                    real("q", 0, 1, {.steps = 9999})});
  EXPECT_NE(refusal(wide, "m*k <= 4096").find("combinations of values of m, k"), std::string::npos);
  EXPECT_NE(refusal(wide, "r + q < 1").find("write <= or >="), std::string::npos);
  EXPECT_EQ(refusal(wide, "r + q <= 1"), "accepted");
  EXPECT_EQ(refusal(wide, "m + k < 9000"), "accepted");
}

TEST(Language, NamesEveryRuleThatNoPointSatisfiesTogether) {
  try {
    const Constraints constraints(kSpace, {rule("m*n >= 12"), rule("m + n <= 5")});
    FAIL();
  } catch (const InvalidArgument& e) {
    EXPECT_STREQ(e.what(), "no point of the space satisfies the constraints 'm*n >= 12', 'm + n <= 5'");
  }
}

TEST(Language, LargeNumbersAreExact) {
  const Space space({integer("a", 2'000'000'000, 2'000'000'001), integer("b", 2'000'000'000, 2'000'000'001)});
  const Constraints made(space, {rule("a*a*b < 8000000004000000000000000001 - 1")});  // doubles see no difference
  int allowed = 0;
  test::for_each_point(space, [&](const Point& x) { allowed += made.satisfied(x) ? 1 : 0; });
  EXPECT_EQ(allowed, 1);
  const Constraints ratio(space, {rule("a/b == 2000000001/2000000000")});
  EXPECT_EQ(ratio.feasible().count(), 1);
  EXPECT_TRUE(ratio.satisfied({1, 0}));
}

TEST(Language, TablesOfCombinations) {
  const Space space({integer("m", 1, 3), categorical("kind", {"x", "it's"}), binary("a")});
  const Constraints allowed(space, {constraint::allowed({"kind", "m"}, {{"x", "1"}, {"it's", "3"}, {"x", "1"}})});
  EXPECT_EQ(allowed.feasible().count(), 4);
  EXPECT_TRUE(allowed.satisfied({0, 0, 1}));
  EXPECT_TRUE(allowed.satisfied({2, 1, 0}));
  EXPECT_FALSE(allowed.satisfied({0, 1, 0}));
  EXPECT_EQ(allowed.list().front().text, "allowed: 3 combinations of kind, m");
  const Constraints forbidden(space, {constraint::forbidden({"m"}, {{"1"}, {"2"}})});
  EXPECT_EQ(forbidden.feasible().count(), 4);
  EXPECT_THROW(constraint::allowed({"m", "a"}, {{"1"}}), InvalidArgument);
  EXPECT_THROW(constraint::allowed({"m"}, {}), InvalidArgument);
  // Ten columns of twenty values each: far too many combinations to look at, and few that are allowed.
  std::vector<Variable> variables;
  std::vector<std::string> names;
  for (int i = 0; i < 10; ++i) {
    names.push_back("c" + std::to_string(i));
    variables.push_back(integer(names.back(), 0, 19));
  }
  Rng rng(5, "catalogue");
  std::vector<std::vector<std::string>> rows;
  for (int k = 0; k < 500; ++k) {
    auto& row = rows.emplace_back();
    for (int i = 0; i < 10; ++i) row.push_back(std::to_string(rng.below(20)));
  }
  const Constraints catalogue(Space(variables), {constraint::allowed(names, rows)});
  EXPECT_EQ(catalogue.feasible().count(), 500);
  const Point x = catalogue.feasible().random(rng);
  EXPECT_TRUE(catalogue.satisfied(x));
  const Constraints without(Space(variables), {constraint::forbidden(names, rows)});
  EXPECT_FALSE(without.satisfied(x));
  EXPECT_TRUE(without.satisfied(without.feasible().random(rng)));
}

TEST(Language, AKernelIsTuned) {
  std::vector<double> powers;
  for (int k = 4; k <= 10; ++k) powers.push_back(1 << k);
  const Space space(
      {ordinal("block_m", powers), ordinal("block_n", powers), ordinal("block_k", powers), integer("warps", 1, 8)});
  const Constraints made(space, {rule("16384*block_m*block_k <= 2**30"), rule("block_n / block_m == 2")});
  double allowed = 0;
  test::for_each_point(space, [&](const Point& x) {
    const bool holds = 14 + x[0] + 4 + x[2] + 4 <= 30 && x[1] == x[0] + 1;
    EXPECT_EQ(made.satisfied(x), holds);
    allowed += holds ? 1 : 0;
  });
  EXPECT_EQ(made.feasible().count(), allowed);
}

}  // namespace
}  // namespace bocs
