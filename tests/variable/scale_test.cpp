#include "bocs/variable/scale.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "bocs/base/error.hpp"
#include "bocs/numeric/rng.hpp"
#include "bocs/rule/feasible.hpp"
#include "bocs/space/steps.hpp"
#include "bocs/variable/type.hpp"

namespace bocs {
namespace {

std::string complaint(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

struct Ends {
  double low, high;
  bool log;
};
constexpr Ends kEnds[] = {{0, 1, false},         {-5, 10, false},        {1.0 / 3, 2.0 / 3, false},
                          {1e9, 1e9 + 1, false}, {-1e300, 1e300, false}, {2e-250, 3e-250, false},
                          {1e-4, 0.1, true},     {1e-300, 1e300, true},  {1, 1.0001, true}};

TEST(Scale, ValuesAscendBetweenTheEndsAndLevelsAreFoundAgain) {
  Rng rng(1, "scale", 0);
  for (const auto& [low, high, log] : kEnds) {
    SCOPED_TRACE(low);
    const Scale scale("x: ", low, high, log);
    ASSERT_GT(scale.levels(), 1000);
    ASSERT_LE(scale.levels(), Scale::kMostLevels);
    const double slack = log ? 1e-8 * low : 1e-6 * (high - low);
    EXPECT_NEAR(scale.value(0), low, slack);
    EXPECT_NEAR(scale.value(scale.levels() - 1), high, log ? 1e-8 * high : slack);
    for (int k = 0; k < 300; ++k) {
      const auto level = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(scale.levels() - 1)));
      const double value = scale.value(level);
      EXPECT_TRUE(scale.holds(value));
      EXPECT_LT(value, scale.value(level + 1));
      EXPECT_EQ(scale.nearest(value), level);
    }
  }
}

TEST(Scale, WhatIsToldIsShown) {
  const Coordinate c = coordinate_of(real("rate", 0, 1));
  for (const char* text : {"0.1", "0.3", "0.123456789", "1", "0"})
    EXPECT_EQ(format_level(c, parse_level(c, text)), text);
  const Coordinate log = coordinate_of(real("rate", 1e-4, 0.1, {.log = true}));
  for (const char* text : {"0.001", "0.0375", "0.1", "0.0001"})
    EXPECT_EQ(format_level(log, parse_level(log, text)), text);
  EXPECT_NE(complaint([&] { parse_level(c, "1.2"); }).find("from 0 to 1"), std::string::npos);
  EXPECT_NE(complaint([&] { parse_level(c, "much"); }).find("is not a number"), std::string::npos);
}

TEST(Scale, IsTheSameFromItsDefinition) {
  for (const bool log : {false, true}) {
    const Variable made = real("rate", 0.01, 7, {.log = log});
    EXPECT_EQ(variable_from("rate", definition_of(made)), made);
    EXPECT_NE(made, real("rate", 0.01, 7, {.steps = 10, .log = log}));
  }
}

TEST(Scale, RefusesEndsThatDoublesHardlyTellApart) {
  EXPECT_NE(complaint([] { real("r", 1, 1 + 1e-15); }).find("further apart"), std::string::npos);
  EXPECT_NE(complaint([] { real("r", 1, 1 + 1e-15, {.log = true}); }).find("further apart"), std::string::npos);
}

TEST(Scale, SumsAreExactWhereOneSideIsAnEnd) {
  const Space space({real("a", 0, 1), real("b", 0, 1), real("c", 0, 1)});
  const Constraints budget(space, {constraint::rule("a + b + c <= 1"), constraint::rule("a >= 0.3")});
  const Feasible& feasible = budget.feasible();
  Rng rng(2, "sums", 0);
  for (int k = 0; k < 200; ++k) {
    const Point x = feasible.random(rng);
    EXPECT_LE(x[0] + std::int64_t{x[1]} + x[2], 1'000'000'000);
    EXPECT_GE(space[0].value(x[0]), 0.3);
  }
  const auto point = [&](const char* a, const char* b, const char* c) {
    return Point{parse_level(space[0], a), parse_level(space[1], b), parse_level(space[2], c)};
  };
  EXPECT_TRUE(feasible.contains(point("0.3", "0.3", "0.4")));
  EXPECT_FALSE(feasible.contains(point("0.3", "0.3", "0.400000001")));
  EXPECT_FALSE(feasible.count().has_value());
}

TEST(Scale, WhatNeedsEveryLevelIsRefused) {
  const Space space({real("a", 0.1, 1), real("b", 0.1, 1, {.log = true}), integer("n", 1, 4)});
  const auto refused = [&](const char* rule) {
    return complaint([&] { const Constraints made(space, {constraint::rule(rule)}); });
  };
  for (const char* rule : {"a + b <= 1", "a*n <= 2", "a in {0.5, 0.6}", "all_different(a, n)"}) {
    const bool product = std::string(rule) == "a*n <= 2";
    EXPECT_NE(refused(rule).find(product ? "fewer values" : "step"), std::string::npos)
        << rule << ": " << refused(rule);
  }
}

TEST(Scale, ANumberThatIsThereOnlySometimesHasNoListEither) {
  const Space space({categorical("model", {"svm", "tree"}), when("model == svm", real("c", 0.01, 100, {.log = true})),
                     integer("depth", 1, 5)});
  const Constraints own(space, {});
  Rng rng(3, "absent", 0);
  int present = 0;
  for (int k = 0; k < 200; ++k) {
    const Point x = own.feasible().random(rng);
    EXPECT_EQ(x[1] > 0, x[0] == 0);
    present += x[1] > 0 ? 1 : 0;
  }
  EXPECT_GT(present, 60);
  EXPECT_LT(present, 140);
}

TEST(Scale, StepsOfASearchAreFew) {
  const Coordinate c = coordinate_of(real("rate", 0, 1));
  int steps = 0;
  for_each_step(c, 123'456'789, [&](std::int32_t level) {
    EXPECT_NE(level, 123'456'789);
    EXPECT_TRUE(level >= 0 && level < c.levels);
    ++steps;
  });
  EXPECT_LT(steps, 30);
}

}  // namespace
}  // namespace bocs
