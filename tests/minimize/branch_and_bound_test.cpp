#include "bocs/minimize/branch_and_bound.hpp"

#include <gtest/gtest.h>

#include "bocs/minimize/enumerate.hpp"
#include "bocs/minimize/exact.hpp"
#include "random_polynomial.hpp"

namespace bocs {

using namespace constraint;

namespace {

using test::random_polynomial;
using test::Tail;

constexpr long kMany = 100'000'000;

TEST(BranchAndBound, EqualsEnumerationAlsoWhenTheBestPointsAreExcluded) {
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    Rng rng(1, "branch", trial);
    const int d = 1 + static_cast<int>(rng.below(16));
    const Polynomial f = random_polynomial(Space::binary(d), 1 + static_cast<int>(trial % 2), rng,
                                           trial % 3 == 0 ? Tail::heavy : Tail::normal);
    PointSet excluded;
    for (int k = 0; k < 5 && !f.space().no_larger_than(k); ++k) {
      const Minimum truth = enumerate(f, excluded);
      const Minimum m = branch_and_bound(f, excluded, kMany, rng);
      const double rounding = 1e-9 * (1 + std::abs(truth.lower_bound));
      EXPECT_EQ(m.status, Status::ok);
      EXPECT_NEAR(m.value, truth.value, rounding);
      EXPECT_NEAR(m.lower_bound, truth.lower_bound, rounding);
      EXPECT_EQ(m.value, f(m.x));
      EXPECT_FALSE(excluded.contains(m.x));
      excluded.insert(truth.x);
    }
  }
}

TEST(BranchAndBound, EqualsEnumerationAtTwentySixVariables) {
  for (const Tail tail : {Tail::normal, Tail::heavy}) {
    Rng rng(2, "branch");
    const Polynomial f = random_polynomial(Space::binary(26), 2, rng, tail);
    const Minimum truth = enumerate(f, {});
    EXPECT_NEAR(Exact().minimize(f, PointSet{truth.x}, rng).value, enumerate(f, PointSet{truth.x}).value,
                1e-9 * std::abs(truth.value));
    EXPECT_NEAR(Exact().minimize(f, {}, rng).value, truth.value, 1e-9 * std::abs(truth.value));
  }
}

TEST(BranchAndBound, FindsAPlantedMinimumOfFiftyVariables) {
  // Every pair alone is smallest at the planted point, so their sum is.
  Rng rng(3, "branch");
  const int d = 50;
  const Point planted = Space::binary(d).random(rng);
  const auto basis = std::make_shared<const Basis>(Space::binary(d), 2);
  Vector alpha = Vector::Zero(basis->size());
  for (int k = d; k < basis->size(); ++k) {
    const int i = basis->monomial(k)[0];
    const int j = basis->monomial(k)[1];
    const int a = planted[static_cast<std::size_t>(i)];
    const int b = planted[static_cast<std::size_t>(j)];
    // w [x_i != a][x_j != b], expanded in 0/1 variables: zero at the planted point, never negative.
    const double w = rng.exponential();
    const double si = a == 1 ? -1 : 1;
    const double sj = b == 1 ? -1 : 1;
    alpha[k] += w * si * sj;
    alpha[i] += w * si * b;
    alpha[j] += w * sj * a;
    // and a smaller weight on each x_i != a alone, which makes the planted point the only minimum
    alpha[i] += 0.01 * si;
  }
  const Polynomial f(basis, alpha);
  const Minimum m = branch_and_bound(f, {}, kMany, rng);
  EXPECT_EQ(m.status, Status::ok);
  EXPECT_EQ(m.x, planted);
  EXPECT_NEAR(m.lower_bound, m.value, 1e-9);
}

TEST(BranchAndBound, StopsAtItsLimitWithAValidBound) {
  Rng rng(4, "branch");
  const Polynomial f = random_polynomial(Space::binary(40), 2, rng);
  const Minimum full = branch_and_bound(f, {}, kMany, rng);
  const Minimum cut = branch_and_bound(f, {}, 50, rng);
  EXPECT_EQ(full.status, Status::ok);
  EXPECT_EQ(cut.status, Status::limit);
  EXPECT_LE(cut.lower_bound, full.value);
  EXPECT_GE(cut.value, full.value - 1e-9);
  EXPECT_GT(cut.lower_bound, full.value - 0.2 * std::abs(full.value));
}

TEST(BranchAndBound, SurvivesConstants) {
  const auto basis = std::make_shared<const Basis>(Space::binary(27), 2);
  Rng rng(5);
  const Minimum m = branch_and_bound(Polynomial(basis, Vector::Zero(basis->size()), 2), {}, kMany, rng);
  EXPECT_EQ(m.value, 2);
  EXPECT_NEAR(m.lower_bound, 2, 1e-9);
}

TEST(BranchAndBound, ProvesTheMinimumUnderConstraints) {
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    Rng rng(11, "constrained", trial);
    const Space space = Space::binary(14);
    const Polynomial f = test::random_polynomial(space, 2, rng);
    const Constraints constraints(space, {exactly(5, switched_on(space)), required({{"x0"}}, {{"x1"}, {"x2"}}),
                                          linear({{"x3", {}, 0.3}, {"x4", {}, 0.7}, {"x5", {}, 1.1}}, "<=", 1.2)});
    double best = INFINITY;
    PointSet excluded;
    test::for_each_point(space, [&](const Point& x) {
      if (!constraints.satisfied(x)) return;
      if (rng.uniform() < 0.3)
        excluded.insert(x);
      else
        best = std::min(best, f(x));
    });
    const Minimum m = branch_and_bound(f, {excluded, constraints}, kMany, rng);
    EXPECT_NEAR(m.value, best, 1e-9);
    EXPECT_EQ(m.status, Status::ok);
    EXPECT_TRUE(constraints.satisfied(m.x));
    EXPECT_FALSE(excluded.contains(m.x));
  }
}

TEST(BranchAndBound, SizeOfTheCoefficientsDoesNotMatter) {
  Rng rng(12, "scale");
  const Polynomial f = random_polynomial(Space::binary(14), 2, rng);
  const Minimum truth = enumerate(f, {});
  for (const double scale : {1e-300, 1e-160, 1e155, 1e160, 1e300}) {
    const Polynomial scaled(std::make_shared<const Basis>(f.basis()), scale * f.alpha(), scale * f.constant());
    const Minimum m = branch_and_bound(scaled, {}, kMany, rng);
    EXPECT_EQ(m.x, truth.x) << scale;
    EXPECT_NEAR(m.lower_bound / scale, truth.value, 1e-9 * std::abs(truth.value)) << scale;
    EXPECT_EQ(m.status, Status::ok);
  }
  // Sums that overflow: the best point found, and no bound.
  const Polynomial beyond(std::make_shared<const Basis>(Space::binary(2), 1), Vector::Constant(2, 1.7e308));
  const Minimum m = branch_and_bound(beyond, {}, kMany, rng);
  EXPECT_EQ(m.value, 0);
  EXPECT_EQ(m.status, Status::limit);
  EXPECT_EQ(m.lower_bound, -INFINITY);
}

TEST(BranchAndBound, TheBoundKnowsAnExcludedPointThatIsBetterInTheLastDigits) {
  // The best point, -1, is excluded, and the next is 1e-13 above it: less than what makes the factorization safe.
  const auto basis = std::make_shared<const Basis>(Space::binary(2), 1);
  Vector alpha(2);
  alpha << -1, 1e-13;
  Rng rng(13);
  const Minimum m = branch_and_bound(Polynomial(basis, alpha), PointSet{{1, 0}}, kMany, rng);
  EXPECT_EQ(m.x, (Point{1, 1}));
  EXPECT_LE(m.lower_bound, -1);
  EXPECT_NEAR(m.lower_bound, -1, 1e-9);
}

}  // namespace
}  // namespace bocs
