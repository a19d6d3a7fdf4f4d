// What every registered minimizer promises, on hundreds of random polynomials small enough to enumerate.

#include "bocs/minimize/minimizer.hpp"

#include <gtest/gtest.h>

#include "bocs/core/error.hpp"
#include "random_polynomial.hpp"

namespace bocs {
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
      minimizer_->check(space, order);
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
  for (const auto& entry : list_minimizers()) result.push_back(entry.name);
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
  for (const auto& entry : list_minimizers()) {
    EXPECT_FALSE(entry.help.empty());
    for (const auto& option : entry.options) {
      EXPECT_FALSE(option.help.empty());
      EXPECT_NO_THROW(make_minimizer(Spec{entry.name, {{option.name, option.value}}})) << option.name;
    }
  }
}

}  // namespace
}  // namespace bocs
