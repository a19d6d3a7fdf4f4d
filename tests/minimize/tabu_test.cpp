#include "bocs/minimize/tabu.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "hits.hpp"

namespace bocs {

using namespace constraint;

namespace {

TEST(Tabu, FindsTheMinimumOfHeavyTailedQuadratics) { EXPECT_GE(test::hits("tabu", 100), 95); }
TEST(Tabu, FindsTheNextBestWhenTheBestAreExcluded) { EXPECT_GE(test::hits("tabu", 20, 3), 19); }

TEST(Tabu, FindsTheMinimumOfCubicsAndMixedSpaces) {
  int hit = 0;
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    Rng rng(7, "quality", trial);
    const Space space = trial % 2 == 0 ? Space::binary(14) : test::random_space(rng, 20000);
    const Polynomial f = test::random_polynomial(space, 3, rng, test::Tail::heavy);
    const double truth = Exact().minimize(f, {}, rng).value;
    if (Tabu().minimize(f, {}, rng).value <= truth + 1e-9 * std::abs(truth)) ++hit;
  }
  EXPECT_GE(hit, 38);
}

TEST(Tabu, SearchesFromTheStartsItIsGiven) {
  // All but the points near the start are excluded; a search from elsewhere would not get there in four steps.
  const Space space = Space::binary(16);
  const auto basis = std::make_shared<const Basis>(space, 1);
  const Polynomial slope(basis, Vector::Ones(basis->size()));  // smallest at 0
  Rng rng(8);
  PointSet excluded;
  test::for_each_point(space, [&](const Point& x) {
    if (std::count(x.begin(), x.end(), 1) <= 12) excluded.insert(x);
  });
  const std::vector<Point> starts = {Point(16, 1)};
  const Minimum m = Tabu(TabuOptions{.restarts = 1, .steps = 4}).minimize(slope, excluded, rng, starts);
  EXPECT_EQ(m.value, 13);  // four steps down from 16 reach 12, which is excluded
}

TEST(Tabu, ManyLevelsAreReachedInFewMoves) {
  const Space space({integer("n", -500000, 400000), binary("b")});
  const auto basis = std::make_shared<const Basis>(space, 1);
  Polynomial f(basis, Vector::Zero(basis->size()));
  f.add_penalty({.space = space, .l2 = 1});  // n^2: minimum at n = 0, level 500000
  Rng rng(3);
  EXPECT_EQ(Tabu().minimize(f, {}, rng).x[0], 500000);
}

TEST(Tabu, JumpsWhereTheConstraintsAllowNoMoveOfOneOrTwoVariables) {
  // Six groups of three variables that are all equal: 64 points, each three changes from the next.
  const Space space = Space::binary(18);
  std::vector<Constraint> list;
  for (int i = 0; i < 18; ++i) {
    if (i % 3 == 2) continue;
    list.push_back(linear({{"x" + std::to_string(i)}, {"x" + std::to_string(i + 1), {}, -1}}, "==", 0));
  }
  const Constraints constraints(space, list);
  Rng rng(4);
  const Polynomial f = test::random_polynomial(space, 2, rng);
  const double truth = Exact().minimize(f, {kNoPoints, constraints}, rng).value;
  EXPECT_EQ(Tabu().minimize(f, {kNoPoints, constraints}, rng).value, truth);
}

TEST(Tabu, AVariableThatIsTabuMovesWhereThatGivesANewIncumbent) {
  // From 0 the search goes down by x0 (-3) and x1 (-2) and up by x2 (+2). Taking x0 back then gives a new incumbent,
  // -6, from which x3 leads to the minimum, -106; but x0, the first to move, is tabu until step 4 at least.
  const Space space = Space::binary(12);
  const auto basis = std::make_shared<const Basis>(space, 3);
  Vector alpha = Vector::Zero(basis->size());
  alpha.head(12).setConstant(100);
  const std::pair<const char*, double> terms[] = {{"x0", -3},     {"x1", -2},      {"x2", 0},         {"x1*x2", -4},
                                                  {"x0*x3", 250}, {"x0*x1*x2", 6}, {"x1*x2*x3", -200}};
  for (const auto& [name, coefficient] : terms) alpha[*basis->find(name)] = coefficient;
  const Polynomial f(basis, alpha);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Rng rng(seed);
    const std::vector<Point> starts = {Point(12, 0)};
    const Minimum m = Tabu(TabuOptions{.restarts = 1, .steps = 5}).minimize(f, {}, rng, starts);
    EXPECT_EQ(m.value, -106) << "seed " << seed;
  }
}

}  // namespace
}  // namespace bocs
