#include "bocs/minimize/sampled.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "random_polynomial.hpp"

namespace bocs {
namespace {

using test::brute_force;
using test::random_polynomial;

/// All 2^d points, the lowest one.
Point lowest(const Quadratic& form) {
  const auto d = form.b.size();
  Point best;
  double value = std::numeric_limits<double>::infinity();
  for (std::uint32_t code = 0; code < 1U << d; ++code) {
    Vector x(d);
    for (Eigen::Index i = 0; i < d; ++i) x[i] = code >> i & 1U;
    if (const double at = x.dot(form.A * x) + form.b.dot(x) + form.c; at < value) {
      value = at;
      best.assign(x.begin(), x.end());
    }
  }
  return best;
}

const QuadraticSampler kPerfect = [](const Quadratic& form, std::uint64_t) { return std::vector<Point>{lowest(form)}; };

TEST(Sampled, ReturnsThePointOfTheSampler) {
  for (std::uint64_t trial = 0; trial < 10; ++trial) {
    Rng rng(1, "sampled", trial);
    const Polynomial f = random_polynomial(Space::binary(9), 2, rng);
    const Minimum m = Sampled(kPerfect).minimize(f, {}, rng);
    EXPECT_NEAR(m.value, brute_force(f).best, 1e-12);
    EXPECT_EQ(m.how, "sampler");
  }
}

TEST(Sampled, RepairsAndExcludes) {
  for (std::uint64_t trial = 0; trial < 10; ++trial) {
    Rng rng(2, "sampled", trial);
    const Space space = Space::binary(9);
    const Polynomial f = random_polynomial(space, 2, rng);
    const Constraints rules(space, {constraint::at_most(3, constraint::switched_on(space))});
    const PointSet excluded{lowest(*f.quadratic())};
    const Allowed allowed(excluded, rules);
    const Minimum m = Sampled(kPerfect).minimize(f, allowed, rng);
    EXPECT_TRUE(allowed.contains(m.x));
    EXPECT_NEAR(m.value, f(m.x), 1e-12);
  }
}

TEST(Sampled, RefusesWhatIsNoPoint) {
  Rng rng(3, "sampled");
  const Polynomial f = random_polynomial(Space::binary(4), 2, rng);
  const auto with = [&](std::vector<Point> points) {
    return Sampled([points](const Quadratic&, std::uint64_t) { return points; }).minimize(f, {}, rng);
  };
  EXPECT_THROW(with({}), InvalidArgument);
  EXPECT_THROW(with({{0, 1, 2, 0}}), InvalidArgument);
  EXPECT_THROW(with({{0, 1}}), InvalidArgument);
  EXPECT_THROW(Sampled(kPerfect).check(Space::binary(4), {}, 3), InvalidArgument);
}

}  // namespace
}  // namespace bocs
