#include "bocs/minimize/exact.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "bocs/rule/feasible.hpp"
#include "golden.hpp"

namespace bocs {

using namespace constraint;

namespace {

TEST(Exact, EqualsTheGoldenMinimaByEnumerationAndByBranchAndBound) {
  const auto data = test::golden("qubo.json");
  ASSERT_FALSE(data["cases"].empty());
  for (const auto& c : data["cases"]) {
    const int d = c["d"];
    const auto basis = std::make_shared<const Basis>(Space::binary(d), 2);
    Vector alpha(basis->size());
    for (int i = 0; i < d; ++i) alpha[i] = c["linear"][static_cast<std::size_t>(i)];
    for (int k = d; k < basis->size(); ++k) alpha[k] = c["pair"][static_cast<std::size_t>(k - d)];
    for (const int bits : {30, 1}) {
      const Exact exact(ExactOptions{.bits = bits});
      Rng rng(1);
      const Minimum low = exact.minimize(Polynomial(basis, alpha), {}, rng);
      EXPECT_NEAR(low.value, c["min_value"].get<double>(), 1e-9);
      EXPECT_NEAR(Polynomial(basis, alpha)(test::bits(c["min_x"])), low.value, 1e-9);  // it may not be the only one
      EXPECT_NEAR(low.lower_bound, low.value, 1e-9);
      const Minimum high = exact.minimize(Polynomial(basis, -alpha), {}, rng);
      EXPECT_NEAR(-high.value, c["max_value"].get<double>(), 1e-9);
      const Minimum second = exact.minimize(Polynomial(basis, -alpha), PointSet{high.x}, rng);
      EXPECT_NEAR(-second.value, c["second_max_value"].get<double>(), 1e-9);
      EXPECT_NEAR(-second.lower_bound, c["max_value"].get<double>(), 1e-9);
    }
  }
}

TEST(Exact, RefusesWhatIsTooLarge) {
  EXPECT_NO_THROW(Exact().check(Space::binary(30), kNoConstraints, 3));
  EXPECT_NO_THROW(Exact().check(Space::binary(100), kNoConstraints, 2));  // branch and bound
  EXPECT_THROW(Exact().check(Space::binary(31), kNoConstraints, 3), InvalidArgument);
  const auto extra = std::make_shared<const Basis>(Space::binary(31), BasisOptions{.extra = {"x0*x1*x2"}});
  Rng rng(1);
  EXPECT_THROW((void)Exact().minimize(Polynomial(extra, Vector::Ones(extra->size())), {}, rng), InvalidArgument);
  EXPECT_THROW(Exact().check(Space({integer("n", 1, 1000000), integer("m", 1, 1000000)}), kNoConstraints, 1),
               InvalidArgument);
}

/// 20 choices among 3 and a number of 1000, of which all but two choices are the first: 2^41 points, 761 000 of them
/// allowed.
TEST(Exact, EnumeratesTheAllowedPointsOfALargeSpace) {
  std::vector<Variable> variables;
  Choices first;
  for (int i = 0; i < 20; ++i) {
    variables.push_back(categorical("c" + std::to_string(i), {"a", "b", "c"}));
    first.push_back({variables.back().name, "a"});
  }
  variables.push_back(integer("n", 1, 1000));
  const Space space(std::move(variables));
  const Constraints constraints(space, {exactly(18, first)});
  ASSERT_EQ(constraints.feasible().count(), 190.0 * 4 * 1000);
  EXPECT_THROW(Exact().check(space, kNoConstraints, 2), InvalidArgument);
  EXPECT_THROW(Exact().check(space, Constraints(space, {exactly(9, first)}), 2), InvalidArgument);
  EXPECT_NO_THROW(Exact().check(space, constraints, 2));
  EXPECT_NO_THROW(make_minimizer(Spec{"exact", {}})->check(space, constraints, 2));

  Rng rng(1, "coefficients");
  const auto basis = std::make_shared<const Basis>(space, 2);
  Vector alpha(basis->size());
  for (auto& a : alpha) a = rng.normal();
  const Polynomial f(basis, alpha);
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 20; ++i) {  // every allowed point, by plain loops
    for (int j = i + 1; j < 20; ++j) {
      for (int levels = 0; levels < 4; ++levels) {
        Point x(21, 0);
        x[static_cast<std::size_t>(i)] = 1 + levels % 2;
        x[static_cast<std::size_t>(j)] = 1 + levels / 2;
        for (const int n : {0, 999}) {  // f is linear in n
          x[20] = n;
          best = std::min(best, f(x));
        }
      }
    }
  }
  const Minimum found = Exact().minimize(f, Allowed(kNoPoints, constraints), rng);
  EXPECT_NEAR(found.value, best, 1e-9);
  EXPECT_NEAR(found.lower_bound, best, 1e-9);
  EXPECT_TRUE(constraints.satisfied(found.x));
}

}  // namespace
}  // namespace bocs
