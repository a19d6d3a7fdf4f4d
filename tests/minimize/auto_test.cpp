#include "bocs/minimize/auto.hpp"

#include <gtest/gtest.h>

#include "bocs/minimize/sdp.hpp"
#include "hits.hpp"

namespace bocs {
namespace {

TEST(Auto, FindsTheMinimumOfHeavyTailedQuadratics) { EXPECT_GE(test::hits("auto", 100), 95); }

TEST(Auto, IsExactOnSmallSpacesOfAnyKind) {
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    Rng rng(1, "auto", trial);
    const Space space = trial % 2 == 0 ? Space::binary(12) : test::random_space(rng, 4000);
    const Polynomial f = test::random_polynomial(space, 1 + static_cast<int>(trial % 4), rng);
    const auto truth = test::brute_force(f);
    const Minimum m = Auto().minimize(f, {}, rng);
    EXPECT_NEAR(m.value, truth.best, 1e-12 * truth.largest);
    EXPECT_NEAR(m.lower_bound, truth.best, 1e-12 * truth.largest);
  }
}

TEST(Auto, FindsTheProvenMinimumOfLargerQuadratics) {
  int hit = 0;
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    Rng rng(2, "auto", trial);
    const Polynomial f = test::random_polynomial(Space::binary(60), 2, rng, test::Tail::heavy);
    const Minimum truth = Exact().minimize(f, {}, rng);
    ASSERT_EQ(truth.status, Status::ok);
    const Minimum m = Auto().minimize(f, {}, rng);
    EXPECT_GE(m.value, truth.lower_bound - 1e-9 * std::abs(truth.value));
    if (m.value <= truth.value + 1e-9 * std::abs(truth.value)) ++hit;
  }
  EXPECT_GE(hit, 19);
}

}  // namespace
}  // namespace bocs
