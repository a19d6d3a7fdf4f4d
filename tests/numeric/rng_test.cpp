// Streams, ranges and moments. Whole distributions: tests/statistical/rng_test.cpp.

#include "bocs/numeric/rng.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

TEST(Rng, SameNameSameStream) {
  Rng a(7, "initial", 3);
  Rng b(7, "initial", 3);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.bits(), b.bits());
}

TEST(Rng, EveryPartOfTheNameMatters) {
  std::set<std::uint64_t> first;
  int names = 0;
  for (const std::uint64_t seed : {0ULL, 1ULL, 2ULL, 1ULL << 63}) {
    for (const char* purpose : {"", "a", "b", "ab", "ba", "aa"}) {
      for (const std::uint64_t index : {0ULL, 1ULL, 2ULL, 97ULL}) {
        first.insert(Rng(seed, purpose, index).bits());
        ++names;
      }
    }
  }
  EXPECT_EQ(first.size(), static_cast<std::size_t>(names));
}

TEST(Rng, ForkDoesNotAdvanceAndDependsOnTheState) {
  Rng a(1, "x");
  Rng b(1, "x");
  Rng child0 = a.fork(0);
  Rng child1 = a.fork(1);
  EXPECT_EQ(a.bits(), b.bits());
  EXPECT_NE(child0.bits(), child1.bits());
  Rng later = a.fork(0);  // a has moved on
  EXPECT_NE(later.bits(), Rng(1, "x").fork(0).bits());
}

TEST(Rng, StreamsAreUncorrelated) {  // neighbours in index, and parent with child
  constexpr int n = 20000;
  Rng a(5, "s", 0);
  Rng b(5, "s", 1);
  Rng c = a.fork(0);
  double ab = 0;
  double ac = 0;
  for (int i = 0; i < n; ++i) {
    const double u = a.uniform() - 0.5;
    ab += u * (b.uniform() - 0.5);
    ac += u * (c.uniform() - 0.5);
  }
  const double se = std::sqrt(n) / 12;  // of a sum of products of centred uniforms
  EXPECT_LT(std::abs(ab), 5 * se);
  EXPECT_LT(std::abs(ac), 5 * se);
}

TEST(Rng, BitsAreBalanced) {
  constexpr int n = 20000;
  Rng rng(3);
  std::array<int, 64> ones{};
  for (int i = 0; i < n; ++i) {
    const auto word = rng.bits();
    for (std::size_t k = 0; k < 64; ++k) ones[k] += static_cast<int>(word >> k & 1);
  }
  for (std::size_t k = 0; k < 64; ++k) EXPECT_NEAR(ones[k], n / 2, 5 * std::sqrt(n) / 2) << "bit " << k;
}

TEST(Rng, BelowStaysBelowAndReachesEverything) {
  Rng rng(11);
  for (const std::uint32_t n : {1u, 2u, 3u, 7u, 10u}) {
    std::set<std::uint32_t> reached;
    for (int i = 0; i < 500; ++i) {
      const auto k = rng.below(n);
      ASSERT_LT(k, n);
      reached.insert(k);
    }
    EXPECT_EQ(reached.size(), n);
  }
  for (int i = 0; i < 1000; ++i) ASSERT_LT(rng.below(0xffffffffu), 0xffffffffu);
}

TEST(Rng, BelowIsUnbiasedWhereModuloWouldNotBe) {
  // n = 3 * 2^30: a plain product or modulo would favour one third of the range by a factor of two.
  constexpr std::uint32_t n = 3u << 30;
  constexpr int draws = 30000;
  Rng rng(2);
  std::array<int, 3> thirds{};
  for (int i = 0; i < draws; ++i) ++thirds[rng.below(n) >> 30];
  for (const int count : thirds) EXPECT_NEAR(count, draws / 3, 5 * std::sqrt(draws * 2.0 / 9));
}

TEST(Rng, UniformIsInTheOpenInterval) {
  Rng rng(1);
  for (int i = 0; i < 100000; ++i) {
    const double u = rng.uniform();
    ASSERT_GT(u, 0);
    ASSERT_LT(u, 1);
  }
}

struct Moments {
  const char* name;
  std::function<double(Rng&)> draw;
  double mean, variance, fourth;  // central
  double low;                     // every draw is above it
};

TEST(Rng, Moments) {
  const double none = -INFINITY;
  // Gamma(a): mean a, variance a, fourth 3a^2 + 6a. IG(a, s) and beta from their textbook formulas; fourth moments give
  // the standard error of the variance.
  const auto gamma = [](double a) {
    return Moments{"gamma", [a](Rng& r) { return r.gamma(a); }, a, a, 3 * a * a + 6 * a, 0};
  };
  const Moments cases[] = {
      {"uniform", [](Rng& r) { return r.uniform(); }, 0.5, 1.0 / 12, 1.0 / 80, 0},
      {"normal", [](Rng& r) { return r.normal(); }, 0, 1, 3, none},
      {"exponential", [](Rng& r) { return r.exponential(); }, 1, 1, 9, 0},
      gamma(0.5),
      gamma(1),
      gamma(3.5),
      gamma(100),
      // 1/X for X ~ gamma(10), times 2: mean 2/9, variance 4/(81*8), kurtosis 3 + 30(5a-11)/((a-3)(a-4)) at a = 10
      {"inverse gamma", [](Rng& r) { return r.inverse_gamma(10, 2); }, 2.0 / 9, 4.0 / 648,
       (3 + 30.0 * 39 / 42) * std::pow(4.0 / 648, 2), 0},
      // beta(2, 3): mean 2/5, variance 1/25, kurtosis 3 - 9/14
      {"beta", [](Rng& r) { return r.beta(2, 3); }, 0.4, 0.04, (3 - 9.0 / 14) * 0.0016, 0},
  };
  constexpr int n = 100000;
  for (const auto& c : cases) {
    Rng rng(99, c.name);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < n; ++i) {
      const double x = c.draw(rng);
      ASSERT_GT(x, c.low) << c.name;
      ASSERT_TRUE(std::isfinite(x)) << c.name;
      sum += x - c.mean;
      squares += (x - c.mean) * (x - c.mean);
    }
    EXPECT_LT(std::abs(sum / n), 5 * std::sqrt(c.variance / n)) << c.name;
    EXPECT_LT(std::abs(squares / n - c.variance), 5 * std::sqrt((c.fourth - c.variance * c.variance) / n)) << c.name;
  }
}

TEST(Rng, NormalHasItsTail) {
  // P(|x| > r) = 2.58e-4 beyond the ziggurat's edge r: its branch must be taken, at its rate, and give what a normal
  // distribution has there: E(|x| given |x| > r) = m = phi(r) / Q(r), and the variance 1 + r m - m^2.
  constexpr int n = 10'000'000;
  const double r = 3.6541528853610088;
  Rng rng(4);
  double beyond = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    const double x = std::abs(rng.normal());
    if (x <= r) continue;
    beyond += 1;
    sum += x;
  }
  const double rate = std::erfc(r / std::sqrt(2.0));
  EXPECT_NEAR(beyond, n * rate, 5 * std::sqrt(n * rate));
  const double m = 2 * std::exp(-r * r / 2) / std::sqrt(2 * M_PI) / rate;
  EXPECT_NEAR(sum / beyond, m, 5 * std::sqrt((1 + r * m - m * m) / beyond));  // without the rejection 0.036 too large
}

TEST(Rng, GammaRefusesBadShapes) {
  Rng rng(1);
  EXPECT_THROW(rng.gamma(0), InvalidArgument);
  EXPECT_THROW(rng.gamma(-1), InvalidArgument);
  EXPECT_THROW(rng.gamma(std::nan("")), InvalidArgument);
}

}  // namespace
}  // namespace bocs
