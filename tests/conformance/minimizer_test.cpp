// What every registered minimizer promises, on hundreds of random polynomials small enough to enumerate.

#include "bocs/minimize/minimizer.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/rule/feasible.hpp"
#include "random_constraints.hpp"

namespace bocs {

using namespace constraint;

namespace {

using test::brute_force;
using test::for_each_point;
using test::random_polynomial;
using test::random_space;

constexpr double kRounding = 1e-11;  // relative to the largest |f|

class MinimizerConformance : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Minimizer> minimizer_ = make_minimizer(Spec{GetParam(), {}});

  bool treats(const Space& space, int order) const {
    try {
      minimizer_->check(space, kNoConstraints, order);
      return true;
    } catch (const InvalidArgument&) {
      return false;
    }
  }
};

/// Each point with the given probability.
PointSet random_subset(const Space& space, double share, Rng& rng) {
  PointSet set;
  for_each_point(space, [&](const Point& x) {
    if (rng.uniform() < share) set.insert(x);
  });
  return set;
}

void expect_valid(const Minimum& m, const Polynomial& f, const PointSet& excluded) {
  const auto truth = brute_force(f, excluded);
  const double rounding = kRounding * truth.largest;
  ASSERT_TRUE(f.space().contains(m.x));
  EXPECT_FALSE(excluded.contains(m.x));
  EXPECT_EQ(m.value, f(m.x));
  EXPECT_GE(m.value, truth.best);
  EXPECT_LE(m.lower_bound, truth.lowest + rounding);
}

TEST_P(MinimizerConformance, AnswersAreValidOnRandomPolynomialsOfAllKinds) {
  int treated = 0;
  for (std::uint64_t trial = 0; trial < 240; ++trial) {
    Rng rng(1, "conformance", trial);
    const Space space = trial % 2 == 0 ? Space::binary(1 + static_cast<int>(rng.below(8))) : random_space(rng, 300);
    const int order = 1 + static_cast<int>(trial / 2 % 4);
    if (!treats(space, order)) continue;
    ++treated;
    Polynomial f = random_polynomial(space, order, rng);
    if (trial % 3 == 0) f.add_penalty({.space = space, .l1 = 0.5, .l2 = 0.1});
    PointSet excluded = random_subset(space, rng.uniform() < 0.5 ? 0.1 : 0.9, rng);
    if (space.no_larger_than(static_cast<double>(excluded.size()))) excluded.clear();
    Rng first(7, "minimize", trial);
    Rng second = first;
    const Minimum m = minimizer_->minimize(f, excluded, first);
    expect_valid(m, f, excluded);
    const Minimum again = minimizer_->minimize(f, excluded, second);
    EXPECT_EQ(m.x, again.x);
    EXPECT_EQ(m.value, again.value);
    EXPECT_EQ(m.lower_bound, again.lower_bound);
  }
  EXPECT_GE(treated, 50);
}

TEST_P(MinimizerConformance, FindsTheOnePointLeftAndSaysWhenNoneIs) {
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    Rng rng(2, "conformance", trial);
    const int order = 1 + static_cast<int>(trial / 2 % 4);
    const Space space = trial % 2 == 0 ? Space::binary(1 + static_cast<int>(rng.below(8))) : random_space(rng, 200);
    if (!treats(space, order)) continue;
    const Polynomial f = random_polynomial(space, order, rng);
    PointSet excluded = random_subset(space, 1.1, rng);
    const Point left = space.random(rng);
    EXPECT_THROW((void)minimizer_->minimize(f, excluded, rng), SpaceExhausted);
    excluded.erase(left);
    const Minimum m = minimizer_->minimize(f, excluded, rng);
    EXPECT_EQ(m.x, left);
    EXPECT_EQ(m.value, f(left));
  }
}

/// All points of 20 bits but the last.
const PointSet& all_but_one_of_a_million() {
  static const PointSet set = [] {
    PointSet result;
    result.reserve(1u << 20);
    for_each_point(Space::binary(20), [&](const Point& x) { result.insert(x); });
    result.erase(Point(20, 1));
    return result;
  }();
  return set;
}

TEST_P(MinimizerConformance, FindsTheOnePointLeftOfAMillion) {
  Rng rng(3, "conformance");
  const Polynomial f = random_polynomial(Space::binary(20), 2, rng);
  EXPECT_EQ(minimizer_->minimize(f, all_but_one_of_a_million(), rng).x, Point(20, 1));
}

/// Of random sign and size, or small whole numbers, so that there are many ties.
Polynomial polynomial_with_ties(const Space& space, int order, bool ties, Rng& rng) {
  Polynomial f = random_polynomial(space, order, rng);
  if (!ties) return f;
  Vector alpha = f.alpha();
  for (auto& a : alpha) a = std::round(a);
  return Polynomial(std::make_shared<const Basis>(space, order), std::move(alpha));
}

TEST_P(MinimizerConformance, RespectsConstraintsOnHundredsOfRandomSpaces) {
  int treated = 0, hits = 0;
  for (std::uint64_t trial = 0; trial < 1000; ++trial) {
    Rng rng(5, "conformance", trial);
    const Space space = trial % 2 == 0 ? Space::binary(1 + static_cast<int>(rng.below(8))) : random_space(rng, 200);
    const int order = 1 + static_cast<int>(trial / 2 % 3);
    if (!treats(space, order)) continue;
    const auto list = test::random_constraints(space, rng);
    const auto points = test::allowed_points(space, list);
    if (points.empty()) continue;
    ++treated;
    const Constraints constraints(space, list);
    const Polynomial f = polynomial_with_ties(space, order, trial % 3 == 0, rng);
    PointSet excluded = random_subset(space, rng.uniform() < 0.5 ? 0.1 : 0.7, rng);
    double best = INFINITY, lowest = INFINITY, largest = 0;
    for (const Point& x : points) {
      lowest = std::min(lowest, f(x));
      largest = std::max(largest, std::abs(f(x)));
      if (!excluded.contains(x)) best = std::min(best, f(x));
    }
    const Allowed allowed(excluded, constraints);
    if (best == INFINITY) {
      EXPECT_THROW((void)minimizer_->minimize(f, allowed, rng), SpaceExhausted);
      continue;
    }
    Rng first(8, "minimize", trial), second = first;
    const Minimum m = minimizer_->minimize(f, allowed, first);
    ASSERT_TRUE(space.contains(m.x));
    EXPECT_TRUE(test::holds(space, list, m.x));
    EXPECT_FALSE(excluded.contains(m.x));
    EXPECT_EQ(m.value, f(m.x));
    EXPECT_GE(m.value, best);
    EXPECT_LE(m.lower_bound, lowest + kRounding * (1 + largest));
    hits += m.value <= best + kRounding * (1 + largest) ? 1 : 0;
    EXPECT_EQ(m.x, minimizer_->minimize(f, allowed, second).x);
    if (points.size() > 1) {  // the last one left
      excluded = PointSet(points.begin(), points.end());
      const Point left = points[rng.below(static_cast<std::uint32_t>(points.size()))];
      excluded.erase(left);
      EXPECT_EQ(minimizer_->minimize(f, allowed, rng).x, left);
    }
  }
  EXPECT_GE(treated, 150);
  EXPECT_GE(hits, (GetParam() == "exact" || GetParam() == "auto" ? 1.0 : 0.9) * 0.85 * treated);
}

TEST_P(MinimizerConformance, ChoosesTenOfAHundred) {
  const Space space = Space::binary(100);
  const Constraints constraints(space, {exactly(10, switched_on(space))});
  Rng rng(6, "conformance");
  const auto basis = std::make_shared<const Basis>(space, 1);
  Vector alpha(100);
  for (auto& a : alpha) a = rng.normal();
  const Polynomial f(basis, alpha);
  std::sort(alpha.begin(), alpha.end());
  const Minimum m = minimizer_->minimize(f, {kNoPoints, constraints}, rng);
  EXPECT_NEAR(m.value, alpha.head(10).sum(), 1e-9);  // the ten smallest: swaps lead there from anywhere
  EXPECT_LE(m.lower_bound, m.value);
}

TEST_P(MinimizerConformance, MovesTwoVariablesAtOnceAlongChainsOfEqualities) {
  // x0 = x1, x2 = x3, ...: no variable can move alone.
  const Space space = Space::binary(24);
  std::vector<Constraint> list;
  for (int i = 0; i < 24; i += 2) {
    list.push_back(linear({{"x" + std::to_string(i)}, {"x" + std::to_string(i + 1), {}, -1}}, "==", 0));
  }
  const Constraints constraints(space, list);
  EXPECT_EQ(*constraints.feasible().count(), 4096);
  Rng rng(7, "conformance");
  const Polynomial f = random_polynomial(space, 2, rng);
  double best = INFINITY;
  constraints.feasible().for_each([&](const Point& x) { best = std::min(best, f(x)); });
  const Minimum m = minimizer_->minimize(f, {kNoPoints, constraints}, rng);
  EXPECT_TRUE(test::holds(space, list, m.x));
  EXPECT_NEAR(m.value, best, 1e-9);
}

TEST_P(MinimizerConformance, SurvivesConstantsAndExtremeScales) {
  for (const double scale : {0.0, 1e-12, 1e12}) {
    for (const int order : {1, 2}) {
      const Space space = Space::binary(6);
      Rng rng(4, "conformance", static_cast<std::uint64_t>(order));
      const Polynomial unit = random_polynomial(space, order, rng);
      auto basis = std::make_shared<const Basis>(space, order);
      Vector alpha = scale * unit.alpha();
      const Polynomial f(basis, std::move(alpha), scale == 0 ? 3 : 0);
      const Minimum m = minimizer_->minimize(f, {}, rng);
      expect_valid(m, f, {});
      if (scale > 0) {
        const auto truth = brute_force(f);
        EXPECT_NEAR(m.value, truth.best, 1e-9 * truth.largest);  // six variables: nobody may miss it
      }
    }
  }
}

TEST_P(MinimizerConformance, RefusesUnknownOptions) {
  EXPECT_THROW(make_minimizer(Spec::parse(GetParam() + ":colour=red")), InvalidArgument);
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& entry : minimizers().list()) result.push_back(entry.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, MinimizerConformance, testing::ValuesIn(names()),
                         [](const auto& parameter) { return parameter.param; });

TEST(MakeMinimizer, RefusesUnknownNamesAndSaysWhatThereIs) {
  try {
    make_minimizer(Spec::parse("cplex"));
    FAIL();
  } catch (const InvalidArgument& e) {
    EXPECT_NE(std::string(e.what()).find("cplex"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("tabu"), std::string::npos);
  }
}

TEST(MakeMinimizer, ListsOptionsWithDefaults) {
  for (const auto& entry : minimizers().list()) {
    EXPECT_FALSE(entry.help.empty());
    for (const auto& option : entry.options) {
      EXPECT_FALSE(option.help.empty());
      EXPECT_NO_THROW(make_minimizer(Spec{entry.name, {{option.name, option.value}}})) << option.name;
    }
  }
}

}  // namespace
}  // namespace bocs
