#include "bocs/poly/walker.hpp"

#include <gtest/gtest.h>

#include "random_polynomial.hpp"

namespace bocs {
namespace {

using test::random_basis;
using test::random_polynomial;
using test::random_space;

/// Largest |value| and |delta| errors against evaluating f anew, over all moves from the walker's point.
double worst_error(const Walker& walker, const Polynomial& f) {
  const double value = f(walker.point());
  double worst = std::abs(walker.value() - value);
  for (int i = 0; i < f.space().dimension(); ++i) {
    for (int level = 0; level < f.space()[i].levels; ++level) {
      Point neighbour = walker.point();
      neighbour[static_cast<std::size_t>(i)] = level;
      worst = std::max(worst, std::abs(walker.delta(i, level) - (f(neighbour) - value)));
    }
  }
  return worst;
}

void random_move(Walker& walker, const Space& space, Rng& rng) {
  const int i = static_cast<int>(rng.below(static_cast<std::uint32_t>(space.dimension())));
  walker.move(i, static_cast<int>(rng.below(static_cast<std::uint32_t>(space[i].levels))));
}

TEST(Walker, DeltasOfAllMovesEqualReevaluation) {
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    Rng rng(1, "walker", trial);
    const Space space = random_space(rng, 5000);
    Polynomial f = trial < 40 ? random_polynomial(space, 1 + static_cast<int>(trial % 4), rng)
                              : random_polynomial(space, random_basis(space, rng), rng);
    if (trial % 2 == 0) f.add_penalty({.space = space, .l1 = 0.7, .l2 = 0.3});
    Walker walker(f, space.random(rng));
    for (int step = 0; step < 50; ++step) {
      ASSERT_LT(worst_error(walker, f), 1e-11) << "trial " << trial << ", step " << step;
      random_move(walker, space, rng);
    }
  }
}

TEST(Walker, CopiesAndResetsAreIndependent) {
  Rng rng(2, "walker");
  const Space space = random_space(rng, 5000);
  const Polynomial f = random_polynomial(space, 3, rng);
  Walker walker(f, space.random(rng));
  Walker copy = walker;
  const Point start = walker.point();
  for (int step = 0; step < 20; ++step) random_move(walker, space, rng);
  EXPECT_EQ(copy.point(), start);
  EXPECT_LT(worst_error(copy, f), 1e-11);
  copy.reset(walker.point());
  EXPECT_LT(worst_error(copy, f), 1e-11);
  EXPECT_NEAR(copy.value(), walker.value(), 1e-11);
}

TEST(Walker, StaysAccurateOverAMillionMoves) {
  for (const int order : {2, 3}) {
    Rng rng(3, "walker", static_cast<std::uint64_t>(order));
    const Space space = Space::binary(12);
    const Polynomial f = random_polynomial(space, order, rng, test::Tail::heavy);
    const double largest = f.alpha().cwiseAbs().maxCoeff();
    Walker walker(f, space.random(rng));
    double worst = 0;
    for (int step = 1; step <= 1'000'000; ++step) {
      random_move(walker, space, rng);
      if (step % 9973 == 0) worst = std::max(worst, worst_error(walker, f));
    }
    EXPECT_LT(worst, 1e-12 * largest);
  }
}

TEST(Walker, SurvivesHugeAndTinyCoefficients) {
  for (const double scale : {1e-12, 1e12, 0.0}) {
    for (const int order : {1, 2, 4}) {
      Rng rng(4, "walker", static_cast<std::uint64_t>(order));
      const Space space = random_space(rng, 500);
      const Polynomial unit = random_polynomial(space, order, rng);
      const Polynomial f(std::make_shared<const Basis>(space, order), scale * unit.alpha());
      Walker walker(f, space.random(rng));
      for (int step = 0; step < 200; ++step) random_move(walker, space, rng);
      EXPECT_LE(worst_error(walker, f), 1e-11 * scale);
    }
  }
}

TEST(Walker, ErrorsThatPileUpAreSweptAway) {
  // Beside 2^52 the two small coefficients are rounded up together and down one by one: six moves around add 1.
  const Space space = Space::binary(3);
  const auto basis = std::make_shared<const Basis>(space, 1);
  Vector alpha(3);
  alpha << 0.3, 0.3, std::exp2(52);
  const Polynomial f(basis, alpha);
  Walker walker(f, Point(3, 0));
  for (int round = 0; round < 20'000; ++round) {
    for (const int i : {0, 1, 2}) walker.move(i, 1);
    for (const int i : {0, 1, 2}) walker.move(i, 0);
  }
  EXPECT_LT(std::abs(walker.value() - f(walker.point())), 20'000 / 4);
}

}  // namespace
}  // namespace bocs
