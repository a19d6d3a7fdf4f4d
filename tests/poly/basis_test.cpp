// Sizes, order and names against counts and lists made by hand.

#include "bocs/poly/basis.hpp"

#include <gtest/gtest.h>

#include <set>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

std::vector<std::string> names(const Basis& basis) {
  std::vector<std::string> result;
  for (int k = 0; k < basis.size(); ++k) result.push_back(basis.name(k));
  return result;
}

Space mixed() {
  return Space({integer("crew", 1, 5), categorical("depot", {"hill", "river", "sea"}), binary("night")});
}

TEST(Basis, SizesOfBinarySpaces) {
  // d + C(d,2) + C(d,3) + ...
  EXPECT_EQ(Basis(Space::binary(10), 1).size(), 10);
  EXPECT_EQ(Basis(Space::binary(10), 2).size(), 55);
  EXPECT_EQ(Basis(Space::binary(24), 2).size(), 300);
  EXPECT_EQ(Basis(Space::binary(24), 3).size(), 2324);
  EXPECT_EQ(Basis(Space::binary(5), 5).size(), 31);
  EXPECT_EQ(Basis(Space::binary(5), 9).size(), 31);  // there are no more subsets
  EXPECT_EQ(Basis(Space::binary(1), 2).size(), 1);
}

TEST(Basis, OrderOfTheMonomials) {
  EXPECT_EQ(names(Basis(Space::binary(4), 3)),
            (std::vector<std::string>{"x0", "x1", "x2", "x3", "x0*x1", "x0*x2", "x0*x3", "x1*x2", "x1*x3", "x2*x3",
                                      "x0*x1*x2", "x0*x1*x3", "x0*x2*x3", "x1*x2*x3"}));
}

TEST(Basis, LevelsOfOneVariableAreNeverMultiplied) {
  EXPECT_EQ(names(Basis(mixed(), 3)),
            (std::vector<std::string>{"crew", "depot=river", "depot=sea", "night", "crew*depot=river", "crew*depot=sea",
                                      "crew*night", "depot=river*night", "depot=sea*night", "crew*depot=river*night",
                                      "crew*depot=sea*night"}));
}

TEST(Basis, ValuesAreProductsOfFeatures) {
  const Basis basis(mixed(), 3);
  const Point x{3, 2, 1};  // crew 4 -> 3/4 of its range, sea, night
  const double expected[] = {0.75, 0, 1, 1, 0, 0.75, 0.75, 0, 1, 0, 0.75};
  for (int k = 0; k < basis.size(); ++k) EXPECT_EQ(basis.value(k, x), expected[k]) << basis.name(k);
  for (int k = 0; k < basis.size(); ++k) EXPECT_EQ(basis.value(k, {0, 0, 0}), 0) << "the reference point";
}

TEST(Basis, BinaryMonomialsAreSubsets) {
  const Basis basis(Space::binary(6), 4);
  std::set<int> subsets;
  for (int k = 0; k < basis.size(); ++k) {
    int subset = 0;
    for (const int f : basis.monomial(k)) subset |= 1 << basis.features()[static_cast<std::size_t>(f)].variable;
    subsets.insert(subset);
    for (int mask = 0; mask < 64; ++mask) {
      Point x(6);
      for (int i = 0; i < 6; ++i) x[static_cast<std::size_t>(i)] = mask >> i & 1;
      ASSERT_EQ(basis.value(k, x), (mask & subset) == subset ? 1 : 0);
    }
  }
  EXPECT_EQ(subsets.size(), 56u);  // 6 + 15 + 20 + 15, all different
}

TEST(Basis, FixedVariablesHaveNoFeature) {
  const Basis basis(Space({integer("fixed", 3, 3), categorical("one", {"only"}), binary("b")}), 2);
  EXPECT_EQ(names(basis), std::vector<std::string>{"b"});
  EXPECT_EQ(Basis(Space({integer("fixed", 3, 3)}), 2).size(), 0);
}

TEST(Basis, RefusesBadOrdersAndTooManyMonomials) {
  EXPECT_THROW(Basis(Space::binary(3), 0), InvalidArgument);
  EXPECT_THROW(Basis(Space::binary(3), -1), InvalidArgument);
  try {
    Basis(Space::binary(1000), 3);
    FAIL() << "166 667 500 monomials";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("166667500"), std::string::npos) << error.what();
  }
}

TEST(Basis, ExtraMonomialsFollowTheRegularOnes) {
  // One of them twice, in another order of its factors; x1*x0 is regular already.
  const Basis basis(Space::binary(5),
                    {.order = 2, .extra = {"x0*x1*x2*x3", "x4*x1*x2", "x1*x0", "x1*x2*x4", "x0*x2*x3"}});
  const Basis regular(Space::binary(5), 2);
  ASSERT_EQ(basis.size(), 18);
  EXPECT_EQ(basis.regular_size(), 15);
  for (int k = 0; k < 15; ++k) EXPECT_EQ(basis.name(k), regular.name(k));
  EXPECT_EQ(basis.name(15), "x0*x2*x3");
  EXPECT_EQ(basis.name(16), "x1*x2*x4");
  EXPECT_EQ(basis.name(17), "x0*x1*x2*x3");
  EXPECT_EQ(basis.order(), 4);
  EXPECT_EQ(basis.regular_order(), 2);
  for (int mask = 0; mask < 32; ++mask) {
    Point x(5);
    for (int i = 0; i < 5; ++i) x[static_cast<std::size_t>(i)] = mask >> i & 1;
    EXPECT_EQ(basis.value(16, x), x[1] * x[2] * x[4]);
    EXPECT_EQ(basis.value(17, x), x[0] * x[1] * x[2] * x[3]);
  }
}

TEST(Basis, ExtraMonomialsThatTheOrderContainsChangeNothing) {
  const Basis basis(Space::binary(5), {.order = 3, .extra = {"x0*x1*x2", "x4"}});
  EXPECT_EQ(basis.size(), 25);
  EXPECT_EQ(basis.regular_size(), 25);
  EXPECT_EQ(basis.order(), 3);
}

TEST(Basis, FindsItsMonomialsByName) {
  const Basis basis(mixed(), {.order = 2, .extra = {"night*depot=sea*crew"}});
  for (int k = 0; k < basis.size(); ++k) EXPECT_EQ(basis.find(basis.name(k)), k) << basis.name(k);
  EXPECT_EQ(basis.find("night*crew"), basis.find("crew*night"));
  EXPECT_EQ(basis.find("crew*depot=river*night"), std::nullopt);
}

TEST(Basis, ExcludesExactlyTheMonomialsNamed) {
  const Basis basis(mixed(), {.order = 2, .excluded = {"night*depot=sea", "crew", "crew*depot=sea*night"}});
  EXPECT_EQ(basis.size(), Basis(mixed(), 2).size());  // they keep their place
  std::vector<std::string> excluded;
  for (const int k : basis.excluded()) excluded.push_back(basis.name(k));
  EXPECT_EQ(excluded, (std::vector<std::string>{"crew", "depot=sea*night"}));  // order 2 has no third
}

TEST(Basis, IntegersByLevel) {
  const Basis basis(mixed(), {.order = 2, .integers = Integers::levels});
  EXPECT_EQ(names(basis), (std::vector<std::string>{"crew=2",
                                                    "crew=3",
                                                    "crew=4",
                                                    "crew=5",
                                                    "depot=river",
                                                    "depot=sea",
                                                    "night",
                                                    "crew=2*depot=river",
                                                    "crew=2*depot=sea",
                                                    "crew=2*night",
                                                    "crew=3*depot=river",
                                                    "crew=3*depot=sea",
                                                    "crew=3*night",
                                                    "crew=4*depot=river",
                                                    "crew=4*depot=sea",
                                                    "crew=4*night",
                                                    "crew=5*depot=river",
                                                    "crew=5*depot=sea",
                                                    "crew=5*night",
                                                    "depot=river*night",
                                                    "depot=sea*night"}));
  for (int level = 0; level < 5; ++level) {
    for (int k = 0; k < 4; ++k) EXPECT_EQ(basis.value(k, {level, 0, 0}), level == k + 1 ? 1 : 0);
  }
  const Space ranges({integer("small", -5, 26), integer("large", -5, 27)});  // 32 and 33 values
  EXPECT_EQ(Basis(ranges, {.order = 1, .integers = Integers::levels}).size(), 31 + 1);
}

TEST(Basis, IntegersByCurve) {
  const Space space({integer("crew", 1, 5), integer("pair", 7, 8), binary("night")});  // two values: a line says it all
  const Basis basis(space, {.order = 2, .integers = Integers::curve, .excluded = {"night*crew^2"}});
  EXPECT_EQ(names(basis), (std::vector<std::string>{"crew", "crew^2", "pair", "night", "crew*pair", "crew*night",
                                                    "crew^2*pair", "crew^2*night", "pair*night"}));
  const std::vector<double> square{1, 0.25, 0, 0.25, 1};  // of the distance from the middle, in half ranges
  for (int level = 0; level < 5; ++level) {
    EXPECT_DOUBLE_EQ(basis.value(0, {level, 1, 0}), level / 4.0);
    EXPECT_DOUBLE_EQ(basis.value(1, {level, 1, 0}), square[static_cast<std::size_t>(level)]);
  }
  ASSERT_EQ(basis.excluded().size(), 1U);
  EXPECT_EQ(basis.name(basis.excluded()[0]), "crew^2*night");
}

TEST(Basis, RefusesNamesOfNoMonomialAndSaysWhatThereIs) {
  const auto message = [](const BasisOptions& options) -> std::string {
    try {
      Basis(mixed(), options);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  // No such variable or level, the reference level, no level, a level where the value counts, and nothing at all.
  for (const std::string factor : {"crow", "depot=lake", "depot=hill", "depot", "crew=2", "night=1", ""}) {
    for (const std::string& name : {"night*" + factor, factor + "*night"}) {
      for (const std::string& text : {message({.extra = {name}}), message({.excluded = {name}})}) {
        EXPECT_TRUE(contains(text, "'" + name + "'") && contains(text, "'" + factor + "'")) << text;
        EXPECT_TRUE(contains(text, "crew, depot=river, depot=sea, night")) << text;
      }
    }
  }
  EXPECT_TRUE(contains(message({.extra = {""}}), "''"));
  EXPECT_TRUE(contains(message({.extra = {"depot=river*depot=sea"}}), "twice"));
  EXPECT_TRUE(contains(message({.extra = {"night*night"}}), "twice"));
  const std::string both = message({.extra = {"night*crew*depot=sea"}, .excluded = {"crew*depot=sea*night"}});
  EXPECT_TRUE(contains(both, "'crew*depot=sea*night' is both")) << both;
  const std::string long_list = [] {
    try {
      (void)Basis(Space::binary(100), 1).find("y");
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string();
  }();
  EXPECT_TRUE(contains(long_list, "x29 and 70 more")) << long_list;
}

/// In time that grows with the levels, not with their square: that would take minutes.
TEST(Basis, OfAVariableWithAMillionLevels) {
  std::vector<std::string> levels;
  for (int i = 0; i < 1'000'000; ++i) levels.push_back("v" + std::to_string(i));
  const Basis basis(Space({categorical("a", levels), binary("b")}), 2);
  EXPECT_EQ(basis.size(), 999'999 + 1 + 999'999);
  EXPECT_EQ(basis.name(basis.size() - 1), "a=v999999*b");
}

}  // namespace
}  // namespace bocs
