// Every distribution against its own cumulative function: Kolmogorov-Smirnov over the body, chi-square over cells of
// equal probability, which sees what a ziggurat or a rejection step gets wrong locally. The cumulative functions come
// from the standard library or from series, not from the sampler.

#include "bocs/numeric/rng.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace bocs {
namespace {

using Cumulative = std::function<double(double)>;

/// P(a, x), the regularized lower incomplete gamma function, by its power series (x < a + 1) or the continued fraction
/// of its complement, evaluated by the modified Lentz method.
double gamma_cumulative(double a, double x) {
  if (x <= 0) return 0;
  const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1) {
    double term = 1 / a;
    double sum = term;
    for (double n = a + 1; term > 1e-17 * sum; ++n) sum += term *= x / n;
    return front * sum;
  }
  double b = x + 1 - a;
  double c = 1e300;
  double d = 1 / b;
  double h = d;
  for (int i = 1; i < 100000; ++i) {
    const double numerator = -i * (i - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    h *= d * c;
    if (std::abs(d * c - 1) < 1e-16) break;
  }
  return 1 - front * h;
}

/// Upper tail of chi-square with k degrees of freedom.
double chi_square_tail(double k, double x) { return 1 - gamma_cumulative(k / 2, x / 2); }

/// Upper tail of the Kolmogorov distribution.
double kolmogorov_tail(double t) {
  double sum = 0;
  for (int k = 1; k <= 100; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * t * t);
  return sum;
}

constexpr double kAlpha = 1e-5;  // of each test; the seeds are fixed, so that a failure is a change of the code

void expect_distribution(const std::string& name, int n, const std::function<double(Rng&)>& draw, const Cumulative& F) {
  Rng rng(20180710, name);
  std::vector<double> u(static_cast<std::size_t>(n));
  for (auto& value : u) value = F(draw(rng));
  std::sort(u.begin(), u.end());
  double distance = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    distance = std::max({distance, u[i] - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - u[i]});
  }
  EXPECT_GT(kolmogorov_tail(distance * std::sqrt(n)), kAlpha) << name << ": Kolmogorov-Smirnov";

  constexpr int cells = 1024;
  std::vector<int> count(cells);
  for (const double value : u)
    ++count[static_cast<std::size_t>(std::min<int>(cells - 1, static_cast<int>(value * cells)))];
  const double expected = static_cast<double>(n) / cells;
  double chi2 = 0;
  for (const int c : count) chi2 += (c - expected) * (c - expected) / expected;
  EXPECT_GT(chi_square_tail(cells - 1, chi2), kAlpha) << name << ": chi-square " << chi2;
  EXPECT_LT(chi_square_tail(cells - 1, chi2), 1 - kAlpha) << name << ": too even to be random";
}

constexpr int kMany = 4'000'000;
constexpr int kSome = 400'000;

double normal_cumulative(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

TEST(RngDistribution, TheYardsticks) {  // known values of the functions above
  EXPECT_NEAR(gamma_cumulative(1, 2), 1 - std::exp(-2), 1e-14);
  EXPECT_NEAR(gamma_cumulative(0.5, 0.98), std::erf(std::sqrt(0.98)), 1e-14);
  EXPECT_NEAR(gamma_cumulative(0.5, 3.1), std::erf(std::sqrt(3.1)), 1e-14);
  EXPECT_NEAR(chi_square_tail(2, 4), std::exp(-2), 1e-14);
  EXPECT_NEAR(kolmogorov_tail(1.3581), 0.05, 1e-4);
}

TEST(RngDistribution, Uniform) {
  expect_distribution(
      "uniform", kMany, [](Rng& r) { return r.uniform(); }, [](double x) { return x; });
}

TEST(RngDistribution, Normal) {
  expect_distribution(
      "normal", kMany, [](Rng& r) { return r.normal(); }, normal_cumulative);
}

TEST(RngDistribution, NormalBeyondTheZigguratsEdge) {
  const double edge = 3.6541528853610088;
  const auto tail = [&](Rng& r) {
    for (;;) {
      if (const double x = std::abs(r.normal()); x > edge) return x;
    }
  };
  expect_distribution("normal tail", 20'000, tail,
                      [&](double x) { return 1 - std::erfc(x / std::sqrt(2.0)) / std::erfc(edge / std::sqrt(2.0)); });
}

TEST(RngDistribution, Exponential) {
  expect_distribution(
      "exponential", kMany, [](Rng& r) { return r.exponential(); }, [](double x) { return -std::expm1(-x); });
}

TEST(RngDistribution, Gamma) {
  for (const double a : {0.1, 0.5, 0.999, 1.0, 1.5, 2.0, 10.0, 85.5, 1000.0}) {
    expect_distribution(
        "gamma " + std::to_string(a), kSome, [=](Rng& r) { return r.gamma(a); },
        [=](double x) { return gamma_cumulative(a, x); });
  }
}

TEST(RngDistribution, InverseGamma) {
  for (const auto& [a, s] : {std::pair{0.5, 1.0}, {1.0, 3.0}, {2.5, 0.2}, {95.0, 40.0}}) {
    expect_distribution(
        "inverse gamma " + std::to_string(a), kSome, [a = a, s = s](Rng& r) { return r.inverse_gamma(a, s); },
        [a = a, s = s](double x) { return 1 - gamma_cumulative(a, s / x); });
  }
}

TEST(RngDistribution, HalfCauchyAsAPairOfInverseGammas) {
  // beta^2 | nu ~ IG(1/2, 1/nu), nu ~ IG(1/2, 1) makes beta half-Cauchy [MS16]: what the horseshoe rests on.
  expect_distribution(
      "half Cauchy", kSome, [](Rng& r) { return std::sqrt(r.inverse_gamma(0.5, 1 / r.inverse_gamma(0.5, 1))); },
      [](double x) { return 2 / M_PI * std::atan(x); });
}

TEST(RngDistribution, Beta) {
  expect_distribution(
      "beta 2 3", kSome, [](Rng& r) { return r.beta(2, 3); }, [](double x) { return x * x * (6 - 8 * x + 3 * x * x); });
  expect_distribution(
      "beta 1/2 1/2", kSome, [](Rng& r) { return r.beta(0.5, 0.5); },
      [](double x) { return 2 / M_PI * std::asin(std::sqrt(x)); });
}

TEST(RngDistribution, Below) {
  for (const std::uint32_t n : {2u, 3u, 10u, 1000u}) {
    Rng rng(1, "below", n);
    std::vector<int> count(n);
    for (int i = 0; i < kMany; ++i) ++count[rng.below(n)];
    const double expected = static_cast<double>(kMany) / n;
    double chi2 = 0;
    for (const int c : count) chi2 += (c - expected) * (c - expected) / expected;
    EXPECT_GT(chi_square_tail(n - 1.0, chi2), kAlpha) << n;
  }
}

TEST(RngDistribution, SuccessiveAndNeighbouringDrawsAreIndependent) {
  // Chi-square over a 32 x 32 table of pairs: within a stream, and between the first draws of streams i and i + 1.
  const auto expect_independent = [](const char* name, const std::function<double()>& draw) {
    constexpr int side = 32;
    constexpr int pairs = 2'000'000;
    std::vector<int> count(side * side);
    double last = draw();
    for (int i = 0; i < pairs; ++i) {
      const double next = draw();
      ++count[static_cast<std::size_t>(static_cast<int>(last * side) * side + static_cast<int>(next * side))];
      last = next;
    }
    double chi2 = 0;
    const double expected = static_cast<double>(pairs) / (side * side);
    for (const int c : count) chi2 += (c - expected) * (c - expected) / expected;
    EXPECT_GT(chi_square_tail(side * side - side, chi2), kAlpha) << name << " " << chi2;
  };
  Rng rng(12);
  expect_independent("uniform", [&] { return rng.uniform(); });
  expect_independent("normal", [&] { return std::min(normal_cumulative(rng.normal()), 1 - 1e-16); });
  std::uint64_t index = 0;
  expect_independent("first of each stream", [&] { return Rng(12, "stream", index++).uniform(); });
  const Rng parent(12, "parent");
  index = 0;
  expect_independent("first of each fork", [&] { return parent.fork(index++).uniform(); });
}

}  // namespace
}  // namespace bocs
