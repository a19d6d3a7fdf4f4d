// Sizes, order and names against counts and lists made by hand.

#include "bocs/poly/basis.hpp"

#include <gtest/gtest.h>

#include <set>

#include "bocs/core/error.hpp"

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

}  // namespace
}  // namespace bocs
