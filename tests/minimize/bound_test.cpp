#include "bocs/minimize/bound.hpp"

#include <gtest/gtest.h>

#include "random_polynomial.hpp"

namespace bocs {
namespace {

using test::brute_force;
using test::for_each_point;
using test::random_basis;
using test::random_polynomial;
using test::random_space;
using test::Tail;

/// The levels 1, 2, ... of all variables, one after the other.
Vector indicators_of(const Space& space, const Point& x) {
  std::vector<double> z;
  for (int i = 0; i < space.dimension(); ++i) {
    for (int level = 1; level < space[i].levels; ++level) z.push_back(x[static_cast<std::size_t>(i)] == level ? 1 : 0);
  }
  return Eigen::Map<const Vector>(z.data(), static_cast<Eigen::Index>(z.size()));
}

TEST(Bound, TheQuadraticIsNowhereAboveThePolynomialAndTouchesItAtThePoint) {
  int touched = 0;
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    Rng rng(1, "bound", trial);
    const bool binary = trial % 2 == 0;
    const Space space = binary ? Space::binary(1 + static_cast<int>(rng.below(9))) : random_space(rng, 300);
    Polynomial f = random_polynomial(space, random_basis(space, rng), rng, trial % 4 < 2 ? Tail::normal : Tail::heavy);
    f.add_penalty({.space = space, .l1 = 0.5, .l2 = 0.25});
    const Point at = space.random(rng);
    const Quadratic q = quadratic_below(f, at);
    for_each_point(space, [&](const Point& x) {
      const Vector z = indicators_of(space, x);
      const double below = z.dot(q.A * z) + q.b.dot(z) + q.c;
      const double rounding = 1e-11 * (1 + f.alpha().cwiseAbs().sum());
      ASSERT_LE(below, f(x) + rounding);
      if (x == at && binary) {
        ASSERT_NEAR(below, f(x), rounding);
        ++touched;
      }
    });
  }
  EXPECT_EQ(touched, 100);
}

TEST(Bound, IsValidOnRandomPolynomialsOfAllKinds) {
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    Rng rng(2, "bound", trial);
    const Space space = trial % 2 == 0 ? Space::binary(1 + static_cast<int>(rng.below(10))) : random_space(rng, 600);
    Polynomial f = random_polynomial(space, random_basis(space, rng), rng, trial % 4 < 2 ? Tail::normal : Tail::heavy);
    f.add_penalty({.space = space, .l1 = 0.5, .l2 = 0.25});
    const double bound = lower_bound(f, space.random(rng), rng);
    ASSERT_TRUE(std::isfinite(bound));
    ASSERT_LE(bound, brute_force(f).lowest) << "trial " << trial;
  }
}

TEST(Bound, OfQuadraticsOverAllKindsIsWithinAFractionOfTheRange) {
  double sum = 0;
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    Rng rng(3, "bound", trial);
    const Space space = trial % 2 == 0 ? Space::binary(11) : random_space(rng, 2000);
    const Polynomial f = random_polynomial(space, {.order = 2, .integers = Integers::levels}, rng);
    double lowest = INFINITY, highest = -INFINITY;
    for_each_point(space, [&](const Point& x) {
      lowest = std::min(lowest, f(x));
      highest = std::max(highest, f(x));
    });
    const double share = (lowest - lower_bound(f, space.random(rng), rng)) / (highest - lowest);
    EXPECT_LE(share, 0.5) << "trial " << trial;
    sum += share;
  }
  EXPECT_LE(sum / 60, 0.1);
}

TEST(Bound, IsTheMinimumOfSeparablePolynomials) {
  for (std::uint64_t trial = 0; trial < 30; ++trial) {
    Rng rng(4, "bound", trial);
    const Space space = Space::binary(9);
    const Polynomial f = random_polynomial(space, 1, rng);
    const double lowest = brute_force(f).lowest;
    EXPECT_NEAR(lower_bound(f, space.random(rng), rng), lowest, 0.02 * f.alpha().cwiseAbs().sum());
  }
}

/// One product of four decides: a bound that replaces products well at the point finds the minimum.
TEST(Bound, OfAProductOfFourAtItsMinimumIsTight) {
  const Space space = Space::binary(6);
  const auto basis = std::make_shared<const Basis>(space, 4);
  for (const double sign : {-1.0, 1.0}) {
    Vector alpha = Vector::Zero(basis->size());
    alpha[*basis->find("x1*x2*x3*x4")] = sign;
    if (sign > 0) alpha.head(4).setConstant(-1);  // minimum -3: all four on, or three of them
    const Polynomial f(basis, alpha);
    Rng rng(5, "bound");
    EXPECT_NEAR(lower_bound(f, {1, 1, 1, 1, 0, 0}, rng), brute_force(f).lowest, sign < 0 ? 0.02 : 0.3);
  }
}

TEST(Bound, SurvivesHugeTinyAndConstantCoefficients) {
  const Space space = Space::binary(5);
  for (const double scale : {1e-290, 1.0, 1e290}) {
    Rng rng(6, "bound");
    const Polynomial g = random_polynomial(space, 2, rng);
    const Polynomial f(std::make_shared<const Basis>(space, 2), g.alpha() * scale);
    const double bound = lower_bound(f, space.random(rng), rng);
    EXPECT_LE(bound, brute_force(f).lowest);
    EXPECT_GE(bound, 3 * brute_force(f).lowest);
  }
  Rng rng(7, "bound");
  const auto basis = std::make_shared<const Basis>(space, 2);
  EXPECT_EQ(lower_bound(Polynomial(basis, Vector::Zero(basis->size()), 3), Point(5, 0), rng), 3);
}

TEST(Bound, NoneIsComputedBeyondTheLimit) {
  Rng rng(8, "bound");
  const Space space({integer("many", 0, kMostIndicators + 1), binary("x")});
  EXPECT_EQ(lower_bound(random_polynomial(space, 2, rng), {0, 0}, rng), -INFINITY);
}

}  // namespace
}  // namespace bocs
