#include "bocs/minimize/exact.hpp"

#include <gtest/gtest.h>

#include "bocs/core/error.hpp"
#include "golden.hpp"

namespace bocs {
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
  EXPECT_NO_THROW(Exact().check(Space::binary(30), 3));
  EXPECT_NO_THROW(Exact().check(Space::binary(100), 2));  // branch and bound
  EXPECT_THROW(Exact().check(Space::binary(31), 3), InvalidArgument);
  const auto extra = std::make_shared<const Basis>(Space::binary(31), BasisOptions{.extra = {"x0*x1*x2"}});
  Rng rng(1);
  EXPECT_THROW((void)Exact().minimize(Polynomial(extra, Vector::Ones(extra->size())), {}, rng), InvalidArgument);
  EXPECT_THROW(Exact().check(Space({integer("n", 1, 1000000), integer("m", 1, 1000000)}), 1), InvalidArgument);
}

}  // namespace
}  // namespace bocs
