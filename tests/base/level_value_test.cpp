#include "bocs/base/level_value.hpp"

#include <gtest/gtest.h>

namespace bocs {
namespace {

TEST(LevelValue, HasTheTextThatPythonGivesIt) {  // expected: str() of CPython 3.11
  EXPECT_EQ(text_of(LevelValue()), "None");
  EXPECT_EQ(text_of(true), "True");
  EXPECT_EQ(text_of(std::int64_t{-64}), "-64");
  EXPECT_EQ(text_of(std::string("red")), "red");
  EXPECT_EQ(text_of(Unstorable{"<function f>"}), "<function f>");
  const std::vector<std::pair<double, std::string>> numbers{{0.5, "0.5"},          {1.0, "1.0"},
                                                            {-0.0, "-0.0"},        {1e-4, "0.0001"},
                                                            {1e-5, "1e-05"},       {100000, "100000.0"},
                                                            {1e16, "1e+16"},       {1e15, "1000000000000000.0"},
                                                            {1.5e300, "1.5e+300"}, {0.1 + 0.2, "0.30000000000000004"}};
  for (const auto& [number, text] : numbers) EXPECT_EQ(text_of(number), text);
}

TEST(LevelValue, IsMeantInOtherSpellings) {
  EXPECT_TRUE(may_mean("null", LevelValue()));
  EXPECT_TRUE(may_mean("", LevelValue()));
  EXPECT_TRUE(may_mean("true", true));
  EXPECT_FALSE(may_mean("1", true));
  EXPECT_TRUE(may_mean("64.0", std::int64_t{64}));
  EXPECT_TRUE(may_mean("64", 64.0));
  EXPECT_FALSE(may_mean("64x", std::int64_t{64}));
  EXPECT_FALSE(may_mean("64.0", std::string("64")));
}

}  // namespace
}  // namespace bocs
