#include "bocs/minimize/exact.hpp"

#include <gtest/gtest.h>

#include "bocs/core/error.hpp"
#include "golden.hpp"
#include "random_polynomial.hpp"

namespace bocs {
namespace {

using test::brute_force;
using test::random_polynomial;
using test::random_space;

TEST(Exact, EqualsTheMinimumAndMaximumOfTheGoldenQuadratics) {
  const auto data = test::golden("qubo.json");
  ASSERT_FALSE(data["cases"].empty());
  for (const auto& c : data["cases"]) {
    const int d = c["d"];
    const auto basis = std::make_shared<const Basis>(Space::binary(d), 2);
    Vector alpha(basis->size());
    for (int i = 0; i < d; ++i) alpha[i] = c["linear"][static_cast<std::size_t>(i)];
    for (int k = d; k < basis->size(); ++k) alpha[k] = c["pair"][static_cast<std::size_t>(k - d)];
    Rng rng(1);
    const Minimum low = Exact().minimize(Polynomial(basis, alpha), {}, rng);
    EXPECT_NEAR(low.value, c["min_value"].get<double>(), 1e-9);
    EXPECT_NEAR(Polynomial(basis, alpha)(test::bits(c["min_x"])), low.value, 1e-9);  // it may not be the only one
    EXPECT_EQ(low.lower_bound, low.value);
    const Minimum high = Exact().minimize(Polynomial(basis, -alpha), {}, rng);
    EXPECT_NEAR(-high.value, c["max_value"].get<double>(), 1e-9);
    const Minimum second = Exact().minimize(Polynomial(basis, -alpha), {high.x}, rng);
    EXPECT_NEAR(-second.value, c["second_max_value"].get<double>(), 1e-9);
    EXPECT_NEAR(-second.lower_bound, c["max_value"].get<double>(), 1e-9);
  }
}

void expect_exact(const Polynomial& f, Rng& rng) {
  PointSet excluded;
  for (int round = 0; round < 3; ++round) {
    const auto truth = brute_force(f, excluded);
    const Minimum m = Exact().minimize(f, excluded, rng);
    ASSERT_NEAR(m.value, truth.best, 1e-12 * truth.largest);
    ASSERT_NEAR(m.lower_bound, truth.lowest, 1e-12 * truth.largest);
    ASSERT_FALSE(excluded.contains(m.x));
    excluded.insert(m.x);
  }
}

TEST(Exact, EqualsPlainLoopsForBinaryPolynomialsOfAnyOrder) {
  for (const int d : {2, 3, 4, 7, 10, 11, 12, 13}) {
    for (int order = 1; order <= 5; ++order) {
      Rng rng(2, "exact", static_cast<std::uint64_t>(100 * d + order));
      expect_exact(random_polynomial(Space::binary(d), order, rng), rng);
    }
  }
}

TEST(Exact, EqualsPlainLoopsForAllKindsOfVariables) {
  for (std::uint64_t trial = 0; trial < 80; ++trial) {
    Rng rng(3, "exact", trial);
    const Space space = random_space(rng, 3000);
    Polynomial f = random_polynomial(space, 1 + static_cast<int>(trial % 4), rng);
    f.add_penalty({.space = space, .l1 = 0.2, .l2 = 0.4});
    expect_exact(f, rng);
  }
}

TEST(Exact, RefusesWhatIsTooLarge) {
  EXPECT_NO_THROW(Exact().check(Space::binary(30), 3));
  EXPECT_THROW(Exact().check(Space::binary(31), 3), InvalidArgument);
  EXPECT_THROW(Exact().check(Space({integer("n", 1, 1000000), integer("m", 1, 1000000)}), 1), InvalidArgument);
}

}  // namespace
}  // namespace bocs
