// Long tests of the Gibbs chain: rank calibration, and the golden posterior with the slow second mode.

#include "bocs/regress/horseshoe.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "regress/data.hpp"

namespace bocs {
namespace {

constexpr int kBins = 16;

double chi_square(const std::vector<int>& counts) {
  double total = 0;
  for (const int c : counts) total += c;
  double sum = 0;
  for (const int c : counts) sum += (c - total / kBins) * (c - total / kBins) / (total / kBins);
  return sum;
}

/// So many draws as proposals take them: every one from its own anchor on the first rows.
Horseshoe::Trace anchored_draws(const Design& X, const Vector& y, int rows, int draws, Rng& rng) {
  const Horseshoe model;
  Horseshoe::Trace all;
  for (int i = 0; i < draws; ++i) {
    const Settled settled{rows, rng.fork(i)};
    const auto one = model.trace(X, y, settled, 1, rng);
    all.draws.push_back(one.draws.front());
    all.log_tau2.push_back(one.log_tau2.front());
  }
  return all;
}

/// Simulation-based calibration: draw the parameters from the prior and data from them; the rank of the true value
/// among the posterior draws is uniform. The prior of (alpha_0, sigma) is improper, but it is the invariant one of
/// shifts and scales and the ranks do not change under these, so fixing alpha_0 = 0 and sigma = 1 keeps the ranks
/// uniform.
using Sample = std::function<Horseshoe::Trace(const Design&, const Vector&, int draws, Rng&)>;
void expect_calibrated(const std::string& name, const Sample& sample) {
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

void expect_calibrated(const std::string& sampler, const std::string& kernel, int thin) {
  HorseshoeOptions options;
  options.sampler = sampler;
  options.kernel = kernel;
  options.sweeps = 40 * thin;
  options.thin = thin;
  expect_calibrated(sampler + kernel, [&](const Design& X, const Vector& y, int draws, Rng& rng) {
    return Horseshoe(options).trace(X, y, draws, rng);
  });
}

TEST(RankCalibration, CollapsedInDataSpace) { expect_calibrated("collapsed", "data", 12); }
TEST(RankCalibration, CollapsedInCoefficientSpace) { expect_calibrated("collapsed", "coefficients", 12); }
TEST(RankCalibration, Auxiliary) { expect_calibrated("auxiliary", "data", 60); }
TEST(RankCalibration, Gradients) { expect_calibrated("collapsed", "gradients", 40); }
// An anchor on 12 of 14 points, as far as anchors ever stay behind.
TEST(RankCalibration, FromAnAnchor) {
  expect_calibrated("anchored", [](const Design& X, const Vector& y, int draws, Rng& rng) {
    return anchored_draws(X, y, 12, draws, rng);
  });
}

// Single draws, as proposals take them: what twelve sweeps leave of the anchor is at most a tenth of the posterior
// standard deviation (6000 draws measured 0.08 at worst; 25 cold sweeps leave 0.07).
TEST(HorseshoeGolden, PosteriorMeansFromAnchors) {
  for (const int index : {0, 1}) {
    const auto golden_case = test::golden("horseshoe.json")["cases"][index];
    const test::GoldenData data(golden_case);
    HorseshoeOptions options;
    options.intercept = "mean";
    const Horseshoe model(options);
    std::vector<std::vector<double>> series(data.design.cols());
    for (int i = 0; i < 1000; ++i) {
      Rng rng(33, "golden", i);
      const Settled settled{data.design.rows() * 7 / 8, Rng(34, "anchor", i)};
      const Draw draw = model.sample(data.design, data.y, settled, 1, rng).front();
      for (int k = 0; k < data.design.cols(); ++k) series[k].push_back(draw.alpha(k));
    }
    for (int k = 0; k < data.design.cols(); ++k) {
      const auto ours = test::series_mean(series[k]);
      const double theirs = golden_case["alpha"]["mean"][k];
      const double error = golden_case["alpha"]["mcse_mean"][k];
      const double left = 0.1 * golden_case["alpha"]["sd"][k].get<double>();
      EXPECT_LT(std::abs(ours.mean - theirs), left + 4 * std::hypot(ours.error, error)) << index << " " << k;
    }
  }
}

TEST(HorseshoeGolden, PosteriorWithTwoModes) {
  const auto golden_case = test::golden("horseshoe.json")["cases"][2];
  const test::GoldenData data(golden_case);
  for (const std::string kernel : {"data", "coefficients"}) {
    HorseshoeOptions options;
    options.intercept = "mean";
    options.kernel = kernel;
    Rng rng(32, kernel);
    const auto trace = Horseshoe(options).trace(data.design, data.y, 200000, rng);
    for (int k = 0; k < data.design.cols(); ++k) {
      std::vector<double> series;
      for (const auto& draw : trace.draws) series.push_back(draw.alpha(k));
      const auto ours = test::series_mean(series);
      const double theirs = golden_case["alpha"]["mean"][static_cast<std::size_t>(k)];
      const double error = golden_case["alpha"]["mcse_mean"][static_cast<std::size_t>(k)];
      EXPECT_LT(std::abs(ours.mean - theirs), 4 * std::hypot(ours.error, error)) << kernel << " " << k;
    }
  }
}

}  // namespace
}  // namespace bocs
