#pragma once
// Is the chain of the horseshoe calibrated? For the fast tests, and with more samplers for the slow ones.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "bocs/regress/horseshoe.hpp"

namespace bocs::test {

inline constexpr int kBins = 16;

inline double chi_square(const std::vector<int>& counts) {
  double total = 0;
  for (const int c : counts) total += c;
  double sum = 0;
  for (const int c : counts) sum += (c - total / kBins) * (c - total / kBins) / (total / kBins);
  return sum;
}

/// Simulation-based calibration: draw the parameters from the prior and data from them; the rank of the true value
/// among the posterior draws is uniform. The prior of (alpha_0, sigma) is improper, but it is the invariant one of
/// shifts and scales and the ranks do not change under these, so fixing alpha_0 = 0 and sigma = 1 keeps the ranks
/// uniform.
using Sample = std::function<Horseshoe::Trace(const Design&, const Vector&, int draws, Rng&)>;
inline void expect_calibrated(const std::string& name, const Sample& sample) {
  const Space space = Space::binary(4);
  const auto basis = std::make_shared<Basis>(space, 2);
  std::vector<Point> points;  // every column varies
  for (int n = 0; n < 14; ++n) {
    const int code = (n * 5 + 3) % 16;
    points.push_back({code & 1, code >> 1 & 1, code >> 2 & 1, code >> 3 & 1});
  }
  const Design X(basis, points);
  ASSERT_EQ(X.varying().sum(), basis->size());

  const int draws = 4 * kBins - 1;  // ranks 0 ... 63
  const int p = basis->size();
  std::vector<std::vector<int>> counts(static_cast<std::size_t>(p) + 2, std::vector<int>(kBins, 0));
  for (int replicate = 0; replicate < 640; ++replicate) {
    Rng rng(31, name, static_cast<std::uint64_t>(replicate));
    const auto half_cauchy = [&] { return std::abs(std::tan(M_PI * (rng.uniform() - 0.5))); };
    const double tau = half_cauchy();
    Vector alpha(p);
    for (auto& a : alpha) a = tau * half_cauchy() * rng.normal();
    Vector y = X.times(alpha);
    for (auto& e : y) e += rng.normal();
    const auto trace = sample(X, y, draws, rng);
    std::vector<int> rank(counts.size(), 0);
    for (std::size_t i = 0; i < trace.draws.size(); ++i) {
      for (int k = 0; k < p; ++k) rank[static_cast<std::size_t>(k)] += trace.draws[i].alpha(k) < alpha(k) ? 1 : 0;
      rank[static_cast<std::size_t>(p)] += trace.draws[i].sigma2 < 1 ? 1 : 0;
      rank[static_cast<std::size_t>(p) + 1] += trace.log_tau2[i] < 2 * std::log(tau) ? 1 : 0;
    }
    for (std::size_t j = 0; j < rank.size(); ++j) ++counts[j][static_cast<std::size_t>(rank[j] / 4)];
  }
  // Chi-square with 15 degrees of freedom exceeds 47 with probability 4e-5; 12 quantities are looked at.
  for (std::size_t j = 0; j < counts.size(); ++j) EXPECT_LT(chi_square(counts[j]), 47) << "quantity " << j;
}

/// Of one chain, `thin` sweeps from draw to draw.
inline void expect_calibrated(HorseshoeOptions options, int thin) {
  options.sweeps = 40 * thin;
  options.thin = thin;
  const std::string name = std::string(word_of(options.sampler)) + std::string(word_of(options.kernel));
  expect_calibrated(name, [&](const Design& X, const Vector& y, int draws, Rng& rng) {
    return Horseshoe(options).trace(X, y, draws, rng);
  });
}

}  // namespace bocs::test
