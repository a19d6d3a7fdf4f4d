#include "bocs/rule/constraint.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "bocs/rule/feasible.hpp"
#include "bocs/trial/trial.hpp"
#include "random_constraints.hpp"

namespace bocs {

using namespace constraint;

namespace {

const Space kSpace({binary("a"), binary("b"), binary("c"), integer("n", -1, 2), categorical("kind", {"x", "y", "z"})});

/// The constraint must hold exactly where `expected` says so.
template <class Expected>
void expect_means(const Constraint& constraint, Expected&& expected) {
  const Constraints constraints(kSpace, {constraint});
  test::for_each_point(kSpace, [&](const Point& x) {
    EXPECT_EQ(constraints.satisfied(x), expected(x)) << constraint.text << " at " << kSpace.format(x);
  });
}

TEST(Constraint, EveryKindMeansWhatItSays) {
  const Choices abc{{"a"}, {"b"}, {"c"}};
  expect_means(exactly(2, abc), [](const Point& x) { return x[0] + x[1] + x[2] == 2; });
  expect_means(at_most(2, abc), [](const Point& x) { return x[0] + x[1] + x[2] <= 2; });
  expect_means(at_least(2, abc), [](const Point& x) { return x[0] + x[1] + x[2] >= 2; });
  expect_means(mutually_exclusive({{"a"}, {"n", "2"}, {"kind", "y"}}),
               [](const Point& x) { return x[0] + (x[3] == 3 ? 1 : 0) + (x[4] == 1 ? 1 : 0) <= 1; });
  expect_means(forbidden({{"a", "0"}, {"n", "-1"}, {"kind", "z"}}),
               [](const Point& x) { return !(x[0] == 0 && x[3] == 0 && x[4] == 2); });
  expect_means(required({{"a"}, {"b", "0"}}, {{"n", "0"}, {"kind", "x"}}),
               [](const Point& x) { return !(x[0] == 1 && x[1] == 0) || (x[3] == 1 && x[4] == 0); });
  expect_means(required({}, {{"b"}}), [](const Point& x) { return x[1] == 1; });
  expect_means(linear({{"n", {}, 2}, {"a", {}, -1}, {"kind", "x", 0.5}}, "<=", 2.5),
               [](const Point& x) { return 2 * (x[3] - 1) - x[0] + (x[4] == 0 ? 0.5 : 0) <= 2.5; });
  expect_means(linear({{"n"}, {"a"}}, "==", 1), [](const Point& x) { return x[3] - 1 + x[0] == 1; });
  expect_means(linear({{"n"}}, ">=", 1), [](const Point& x) { return x[3] - 1 >= 1; });
  expect_means({{{"n"}}, 0, 1}, [](const Point& x) { return x[3] == 1 || x[3] == 2; });
}

TEST(Constraint, SumsOfFractionsAreNotTrippedByRounding) {
  const Constraints constraints(kSpace, {linear({{"a", {}, 0.1}, {"b", {}, 0.2}}, "<=", 0.3)});  // 0.1 + 0.2 > 0.3
  EXPECT_TRUE(constraints.satisfied({1, 1, 0, 0, 0}));
}

TEST(Constraint, SwitchedOnNamesTheBinaryVariables) {
  const Choices choices = switched_on(kSpace);
  ASSERT_EQ(choices.size(), 3u);
  EXPECT_EQ(choices[2].variable, "c");
  EXPECT_EQ(choices[2].is, "1");
}

/// The message of the InvalidArgument that making the constraints throws.
std::string refusal(std::vector<Constraint> list) {
  try {
    const Constraints constraints(kSpace, std::move(list));
  } catch (const InvalidArgument& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Constraints, RefuseWhatDoesNotFitTheSpaceAndNameIt) {
  EXPECT_NE(refusal({exactly(1, {{"a"}, {"q"}})}).find("'exactly 1 of a=1, q=1': there is no variable 'q'"),
            std::string::npos);
  EXPECT_NE(refusal({forbidden({{"kind", "w"}})}).find("x, y, z"), std::string::npos);
  EXPECT_NE(refusal({forbidden({{"n", "3"}})}).find("-1 to 2"), std::string::npos);
  EXPECT_NE(refusal({linear({{"kind"}}, "<=", 1)}).find("categorical"), std::string::npos);
  EXPECT_NE(refusal({linear({{"n", {}, INFINITY}}, "<=", 1)}).find("finite"), std::string::npos);
  EXPECT_NE(refusal({linear({{"n"}}, "==", NAN)}).find("bound"), std::string::npos);
  EXPECT_THROW(linear({{"n"}}, "<", 1), InvalidArgument);
}

TEST(Constraints, RefuseWhatNoPointSatisfiesAndNameTheConstraints) {
  const std::string text = refusal({at_least(2, {{"a"}, {"b"}}), forbidden({{"a"}, {"b"}})});
  EXPECT_NE(text.find("no point"), std::string::npos);
  EXPECT_NE(text.find("at least 2 of a=1, b=1"), std::string::npos);
  EXPECT_NE(text.find("forbidden: a=1 and b=1"), std::string::npos);
  EXPECT_NE(refusal({exactly(4, switched_on(kSpace))}).find("no point"), std::string::npos);
  EXPECT_NE(refusal({forbidden({})}).find("no point"), std::string::npos);  // nothing to break: 0 <= -1
}

TEST(Constraints, NameWhatAPointViolates) {
  const Constraints constraints(kSpace,
                                {at_most(2, switched_on(kSpace)), linear({{"n", {}, 2}, {"a", {}, -1}}, "<=", 1)});
  EXPECT_NO_THROW(constraints.check({1, 1, 0, 2, 0}));
  try {
    constraints.check({0, 1, 0, 3, 2});
    FAIL();
  } catch (const InvalidArgument& e) {
    EXPECT_STREQ(e.what(), "the point 0,1,0,2,z violates the constraint '2 n - a <= 1'");
  }
}

TEST(Constraints, CanBeMadeAgainFromTheirList) {
  Rng rng(1, "again");
  const std::vector<Constraint> list{exactly(1, {{"a"}, {"b"}}), linear({{"n"}, {"kind", "x", -2}}, ">=", -1)};
  const Constraints first(kSpace, list), second(kSpace, first.list());
  EXPECT_EQ(first.list(), second.list());
  test::for_each_point(kSpace, [&](const Point& x) { EXPECT_EQ(first.satisfied(x), second.satisfied(x)); });
}

TEST(Constraints, NoneAllowEverything) {
  const Constraints none, empty(kSpace, {});
  EXPECT_TRUE(none.empty());
  EXPECT_TRUE(empty.empty());
  EXPECT_TRUE(none.list().empty());
  EXPECT_TRUE(none.satisfied({0, 0, 0, 0, 0}));
  EXPECT_NO_THROW(none.check(kSpace));
}

TEST(Constraints, ATaskRefusesThoseOfAnotherSpace) {
  const Constraints constraints(kSpace, {exactly(1, {{"a"}, {"b"}})});
  EXPECT_NO_THROW((Task{.space = kSpace, .constraints = constraints}.check()));
  EXPECT_THROW((Task{.space = Space::binary(5), .constraints = constraints}.check()), InvalidArgument);
  EXPECT_THROW((Task{.space = Space::binary(4), .constraints = constraints}.check()), InvalidArgument);
}

/// sum of weight * value over binary and integer variables, in whole numbers.
std::int64_t whole_sum(const Space& space, const Constraint& c, const Point& x) {
  std::int64_t sum = 0;
  for (const Term& term : c.terms) {
    const int i = space.index(term.variable);
    sum += static_cast<std::int64_t>(term.weight) * (space[i].low + x[static_cast<std::size_t>(i)]);
  }
  return sum;
}

TEST(Constraints, LargeWholeWeightsAreExact) {
  const Space space({binary("flag"), integer("n", 0, 9)});
  const Constraints constraints(space, {linear({{"flag", {}, 1e13}, {"n"}}, "<=", 10'000'000'000'003)});
  EXPECT_EQ(constraints.feasible().count(), 14);
  EXPECT_TRUE(constraints.satisfied({1, 3}));
  EXPECT_FALSE(constraints.satisfied({1, 4}));

  // Random ones of up to 2^51, against sums of 64-bit integers; equalities, too, which one point at least satisfies.
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    Rng rng(9, "large weights", trial);
    const Space mixed({binary("a"), integer("m", -3, 4), binary("b"), integer("n", 5, 9), binary("c")});
    std::vector<Term> terms;
    for (const Coordinate& v : mixed.coordinates()) {
      const double size = std::exp2(static_cast<double>(rng.below(47)));
      terms.push_back({v.name, {}, std::floor(rng.uniform() * size) * (rng.below(2) == 0 ? 1 : -1)});
    }
    const char* relations[] = {"<=", ">=", "=="};
    Constraint c = linear(terms, relations[trial % 3], 0);
    const auto bound = static_cast<double>(whole_sum(mixed, c, mixed.random(rng)));
    c = linear(terms, relations[trial % 3], bound);
    const Constraints made(mixed, {c});
    double allowed = 0;
    test::for_each_point(mixed, [&](const Point& x) {
      const auto sum = static_cast<double>(whole_sum(mixed, c, x));  // below 2^53
      const bool holds = trial % 3 == 0 ? sum <= bound : trial % 3 == 1 ? sum >= bound : sum == bound;
      EXPECT_EQ(made.satisfied(x), holds);
      allowed += holds ? 1 : 0;
    });
    EXPECT_EQ(made.feasible().count(), allowed);
  }
}

TEST(Constraints, FractionsAreForgivenOnlyWhatRoundingDoes) {
  const Space space({binary("a"), binary("b"), integer("n", 0, 9)});
  // 1e6 a + 0.1 n <= 1e6 + 0.3: beside a million, a tenth is far above rounding.
  const Constraints constraints(space, {linear({{"a", {}, 1e6}, {"n", {}, 0.1}}, "<=", 1'000'000.3)});
  EXPECT_TRUE(constraints.satisfied({1, 0, 3}));
  EXPECT_FALSE(constraints.satisfied({1, 0, 4}));
  const Constraints narrow(space, {linear({{"a", {}, 0.1}, {"b", {}, 0.2}}, "<=", 0.3 - 1e-14)});
  EXPECT_FALSE(narrow.satisfied({1, 1, 0}));
}

TEST(Constraints, SumsOfRealValuesAreThoseOfTheirDecimals) {
  // In tenths and hundredths, whole numbers: what is allowed is counted without any rounding.
  const Space space({real("r", -0.5, 0.5, {.step = 0.1}), ordinal("o", {0.07, 0.5, 1.25}),
                     integer("n", 0, 20, {.step = 5}), binary("b")});
  const int ordinals[] = {7, 50, 125};
  const char* relations[] = {"<=", ">=", "=="};
  for (int trial = 0; trial < 60; ++trial) {
    Rng rng(3, "real sums", static_cast<std::uint64_t>(trial));
    const int w[] = {static_cast<int>(rng.below(9)) - 4, static_cast<int>(rng.below(9)) - 4,
                     static_cast<int>(rng.below(5)) - 2, static_cast<int>(rng.below(9)) - 4};
    const auto hundredths = [&](const Point& x) {
      return w[0] * (10 * x[0] - 50) + w[1] * ordinals[x[1]] + w[2] * 500 * x[2] + w[3] * 100 * x[3];
    };
    const int bound = hundredths(space.random(rng));  // of some point, so that equality matters
    const Constraints made(
        space, {linear({{"r", {}, 1.0 * w[0]}, {"o", {}, 1.0 * w[1]}, {"n", {}, 1.0 * w[2]}, {"b", {}, 1.0 * w[3]}},
                       relations[trial % 3], bound / 100.0)});
    double allowed = 0;
    test::for_each_point(space, [&](const Point& x) {
      const int sum = hundredths(x);
      const bool holds = trial % 3 == 0 ? sum <= bound : trial % 3 == 1 ? sum >= bound : sum == bound;
      EXPECT_EQ(made.satisfied(x), holds) << space.format(x);
      allowed += holds ? 1 : 0;
    });
    EXPECT_EQ(made.feasible().count().value_or(allowed), allowed);
    for (int draw = 0; draw < 5; ++draw) EXPECT_TRUE(made.satisfied(made.feasible().random(rng)));
  }
  EXPECT_TRUE(Constraints(space, {constraint::forbidden({{"r", "0.3"}, {"n", "10"}})}).satisfied({7, 0, 2, 0}));
  EXPECT_FALSE(Constraints(space, {constraint::forbidden({{"r", "0.3"}, {"n", "10"}})}).satisfied({8, 0, 2, 0}));
}

TEST(Constraints, RefuseSumsThatRoundingWouldDecide) {
  const auto message = [](std::vector<Term> terms, double bound) {
    try {
      const Constraints constraints(kSpace, {linear(std::move(terms), "<=", bound)});
    } catch (const InvalidArgument& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(message({{"a", {}, 1e17}, {"n"}}, 1e17).find("1e+17"), std::string::npos);
  EXPECT_NE(message({{"a", {}, 1e17}, {"n", {}, 0.5}}, 1e17).find("0.5"), std::string::npos);
  EXPECT_EQ(message({{"a", {}, 1e13}, {"n", {}, 0.5}}, 1e13), "accepted");
  EXPECT_EQ(message({{"a", {}, 1e-30}, {"n", {}, 2e-30}}, 2e-30), "accepted");
}

TEST(Constraints, IntegersAtTheEndsOfInt) {
  constexpr int kMin = std::numeric_limits<int>::min(), kMax = std::numeric_limits<int>::max();
  const Space space({integer("low", kMin, kMin + 5), integer("high", kMax - 5, kMax)});
  const Constraints constraints(space, {linear({{"low"}, {"high"}}, "==", -1)});
  double allowed = 0;
  test::for_each_point(space, [&](const Point& x) {
    const bool holds = std::int64_t{kMin} + x[0] + (std::int64_t{kMax} - 5 + x[1]) == -1;
    EXPECT_EQ(constraints.satisfied(x), holds);
    allowed += holds ? 1 : 0;
  });
  EXPECT_EQ(constraints.feasible().count(), allowed);
}

}  // namespace
}  // namespace bocs
