#include "bocs/minimize/enumerate.hpp"

#include <gtest/gtest.h>

#include "random_polynomial.hpp"

namespace bocs {
namespace {

using test::brute_force;
using test::random_basis;
using test::random_polynomial;
using test::random_space;

void expect_exact(const Polynomial& f) {
  PointSet excluded;
  for (int round = 0; round < 3; ++round) {
    const auto truth = brute_force(f, excluded);
    const Minimum m = enumerate(f, excluded);
    ASSERT_NEAR(m.value, truth.best, 1e-12 * truth.largest);
    ASSERT_NEAR(m.lower_bound, truth.lowest, 1e-12 * truth.largest);
    ASSERT_FALSE(excluded.contains(m.x));
    excluded.insert(m.x);
  }
}

TEST(Enumerate, EqualsPlainLoopsForBinaryPolynomialsOfAnyOrder) {
  for (const int d : {2, 3, 4, 7, 10, 11, 12, 13}) {
    for (int order = 1; order <= 5; ++order) {
      Rng rng(2, "exact", static_cast<std::uint64_t>(100 * d + order));
      expect_exact(random_polynomial(Space::binary(d), order, rng));
    }
    Rng rng(4, "exact", static_cast<std::uint64_t>(d));
    expect_exact(random_polynomial(Space::binary(d), random_basis(Space::binary(d), rng), rng));
  }
}

TEST(Enumerate, EqualsPlainLoopsForAllKindsOfVariables) {
  for (std::uint64_t trial = 0; trial < 80; ++trial) {
    Rng rng(3, "exact", trial);
    const Space space = random_space(rng, 3000);
    Polynomial f = trial < 40 ? random_polynomial(space, 1 + static_cast<int>(trial % 4), rng)
                              : random_polynomial(space, random_basis(space, rng), rng);
    f.add_penalty({.space = space, .l1 = 0.2, .l2 = 0.4});
    expect_exact(f);
  }
}

}  // namespace
}  // namespace bocs
