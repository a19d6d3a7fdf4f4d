// Quality of the heuristic searches against the exact minimum, and what they share.
#include "bocs/minimize/local_search.hpp"

#include <gtest/gtest.h>

#include "bocs/core/error.hpp"
#include "bocs/minimize/exact.hpp"
#include "random_polynomial.hpp"

namespace bocs {
namespace {

using test::brute_force;
using test::random_polynomial;
using test::random_space;
using test::Tail;

TEST(LocalSearch, DescentEndsWhereNoMoveImproves) {
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    Rng rng(1, "local", trial);
    const Space space = trial % 2 == 0 ? Space::binary(9) : random_space(rng, 2000);
    const Polynomial f = random_polynomial(space, 1 + static_cast<int>(trial % 3), rng);
    const PointSet none;
    Incumbent found(none);
    Walker walker(f, space.random(rng));
    MoveScanner(space).descend(walker, found);
    EXPECT_EQ(found.point(), walker.point());
    for (int i = 0; i < space.dimension(); ++i) {
      for (int level = 0; level < space[i].levels; ++level) {
        Point neighbour = walker.point();
        neighbour[static_cast<std::size_t>(i)] = level;
        EXPECT_GE(f(neighbour), f(walker.point()) - 1e-12);
      }
    }
  }
}

TEST(LocalSearch, ScannerFindsTheFirstBestAllowedMove) {
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    Rng rng(2, "local", trial);
    const Space space = trial % 2 == 0 ? Space::binary(37) : random_space(rng, 2000);
    const Polynomial f = random_polynomial(space, 2, rng);
    const Walker walker(f, space.random(rng));
    std::vector<int> free_from(static_cast<std::size_t>(space.dimension()));
    for (int& t : free_from) t = static_cast<int>(rng.below(3));
    Move best;
    double anywhere = std::numeric_limits<double>::infinity();
    for (int i = 0; i < space.dimension(); ++i) {
      for (int level = 0; level < space[i].levels; ++level) {
        if (level == walker.point()[static_cast<std::size_t>(i)]) continue;
        anywhere = std::min(anywhere, walker.delta(i, level));
        if (free_from[static_cast<std::size_t>(i)] <= 1 && walker.delta(i, level) < best.delta) {
          best = {i, level, walker.delta(i, level)};
        }
      }
    }
    const auto scanned = MoveScanner(space).best(walker, free_from, 1);
    EXPECT_EQ(scanned.allowed.variable, best.variable);
    EXPECT_EQ(scanned.allowed.level, best.level);
    EXPECT_EQ(scanned.allowed.delta, best.delta);
    EXPECT_EQ(scanned.anywhere, anywhere);
  }
}

TEST(LocalSearch, ManyLevelsAreReachedInFewMoves) {
  const Space space({integer("n", -500000, 400000), binary("b")});
  const auto basis = std::make_shared<const Basis>(space, 1);
  Polynomial f(basis, Vector::Zero(basis->size()));
  f.add_penalty({.space = space, .l2 = 1});  // n^2: minimum at n = 0, level 500000
  for (const char* name : {"tabu", "auto"}) {
    Rng rng(3);
    const Minimum m = make_minimizer(Spec::parse(name))->minimize(f, {}, rng);
    EXPECT_EQ(m.x[0], 500000) << name;
  }
}

TEST(LocalSearch, ConcludesWithTheBestPointOfTheNearestShell) {
  Rng rng(4, "local");
  const Space space = Space::binary(6);
  const Polynomial f = random_polynomial(space, 2, rng);
  const Point centre(6, 0);
  const auto distance = [&](const Point& x) { return std::count(x.begin(), x.end(), 1); };
  PointSet excluded;
  double best = std::numeric_limits<double>::infinity();
  test::for_each_point(space, [&](const Point& x) {
    if (distance(x) < 3) excluded.insert(x);
    if (distance(x) == 3) best = std::min(best, f(x));
  });
  const Minimum m = conclude(f, Incumbent(excluded), Walker(f, centre), excluded);
  EXPECT_EQ(distance(m.x), 3);
  EXPECT_EQ(m.value, best);
}

/// How often the spec finds the exact minimum of random quadratics of 24 variables with heavy tails, whose `excluded`
/// best points are taken away.
int hits(const std::string& spec, int trials, int excluded_points) {
  int count = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Rng rng(5, "quality", static_cast<std::uint64_t>(trial));
    const Polynomial f = random_polynomial(Space::binary(24), 2, rng, Tail::heavy);
    PointSet excluded;
    for (int k = 0; k < excluded_points; ++k) excluded.insert(Exact().minimize(f, excluded, rng).x);
    const double truth = Exact().minimize(f, excluded, rng).value;
    const Minimum m = make_minimizer(Spec::parse(spec))->minimize(f, excluded, rng);
    EXPECT_GE(m.value, truth - 1e-9 * std::abs(truth));
    if (m.value <= truth + 1e-9 * std::abs(truth)) ++count;
  }
  return count;
}

TEST(LocalSearch, TabuFindsTheMinimumOfHeavyTailedQuadratics) { EXPECT_GE(hits("tabu", 60, 0), 57); }
TEST(LocalSearch, AutoFindsTheMinimumOfHeavyTailedQuadratics) { EXPECT_GE(hits("auto", 60, 0), 57); }
TEST(LocalSearch, TabuFindsTheRunnerUp) { EXPECT_GE(hits("tabu", 20, 3), 19); }
TEST(LocalSearch, AnnealingFindsTheMinimumOfHeavyTailedQuadratics) {
  EXPECT_GE(hits("annealing", 20, 0), 18);
  EXPECT_GE(hits("annealing:schedule=spears", 20, 0), 16);
}
TEST(LocalSearch, AuthorsScheduleIsShort) { EXPECT_GE(hits("annealing:schedule=authors", 20, 0), 6); }
TEST(LocalSearch, DescendedRoundingsFindTheMinimumOfHeavyTailedQuadratics) { EXPECT_GE(hits("sdp", 20, 0), 18); }

TEST(LocalSearch, AutoIsAtLeastAsGoodAsItsPartsAboveThirtyVariables) {
  for (std::uint64_t trial = 0; trial < 5; ++trial) {
    Rng rng(6, "quality", trial);
    const Polynomial f = random_polynomial(Space::binary(60), 2, rng, Tail::heavy);
    const double best = make_minimizer(Spec::parse("auto"))->minimize(f, {}, rng).value;
    const Minimum sdp = make_minimizer(Spec::parse("sdp"))->minimize(f, {}, rng);
    EXPECT_LE(best, sdp.value + 1e-9 * std::abs(best));
    EXPECT_GE(best, sdp.lower_bound);
  }
}

TEST(LocalSearch, CubicsAndMixedSpacesAreSolvedToo) {
  int hit = 0;
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    Rng rng(7, "quality", trial);
    const Space space = trial % 2 == 0 ? Space::binary(14) : random_space(rng, 20000);
    const Polynomial f = random_polynomial(space, 3, rng, Tail::heavy);
    const double truth = Exact().minimize(f, {}, rng).value;
    if (make_minimizer(Spec::parse("tabu"))->minimize(f, {}, rng).value <= truth + 1e-9 * std::abs(truth)) ++hit;
  }
  EXPECT_GE(hit, 38);
}

}  // namespace
}  // namespace bocs
