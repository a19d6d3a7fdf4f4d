#include "bocs/minimize/annealing.hpp"

#include <gtest/gtest.h>

#include "hits.hpp"

namespace bocs {
namespace {

TEST(Annealing, FindsTheMinimumOfHeavyTailedQuadratics) { EXPECT_GE(test::hits("annealing", 30), 28); }
TEST(Annealing, FindsTheNextBestWhenTheBestAreExcluded) { EXPECT_GE(test::hits("annealing", 20, 3), 18); }
TEST(Annealing, ScheduleOfSpearsFindsMostMinima) { EXPECT_GE(test::hits("annealing:schedule=spears", 30), 26); }

TEST(Annealing, ScheduleOfTheAuthorsIsShortAndFindsSome) {
  const int some = test::hits("annealing:schedule=authors", 30);
  EXPECT_GE(some, 12);
  EXPECT_LE(some, 28);  // frozen after 40 steps
  EXPECT_GE(test::hits("annealing:schedule=authors,restarts=50,steps=300", 30), some);
}

TEST(Annealing, DoesNotDependOnTheScaleOfTheCoefficients) {
  for (std::uint64_t trial = 0; trial < 10; ++trial) {
    Rng rng(9, "annealing", trial);
    const Polynomial f = test::random_polynomial(Space::binary(30), 2, rng);
    const double factor = std::exp2(40);  // exact: every delta is multiplied without rounding
    const Polynomial scaled(std::make_shared<const Basis>(f.space(), 2), factor * f.alpha(), factor * f.constant());
    for (const Schedule schedule : {Schedule::geometric, Schedule::spears}) {
      const Annealing annealing(AnnealingOptions{.restarts = 2, .schedule = schedule});
      Rng first(1);
      Rng second(1);
      EXPECT_EQ(annealing.minimize(f, {}, first).x, annealing.minimize(scaled, {}, second).x);
    }
  }
}

}  // namespace
}  // namespace bocs
