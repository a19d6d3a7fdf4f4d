// Long tests of the Gibbs chain: rank calibration, and the golden posterior with the slow second mode.

#include "bocs/regress/horseshoe.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "regress/data.hpp"
#include "regress/rank_calibration.hpp"

namespace bocs {
namespace {

/// So many draws as proposals take them: every one from its own anchor on the first rows.
Horseshoe::Trace anchored_draws(const Design& X, const Vector& y, int rows, int draws, Rng& rng) {
  const Horseshoe model;
  Horseshoe::Trace all;
  for (int i = 0; i < draws; ++i) {
    const StablePrefix stable{rows, rng.fork(i)};
    const auto one = model.trace(X, y, stable, 1, rng);
    all.draws.push_back(one.draws.front());
    all.log_tau2.push_back(one.log_tau2.front());
  }
  return all;
}

void expect_calibrated(const std::string& sampler, const std::string& kernel, int thin) {
  HorseshoeOptions options;
  options.sampler = value_of<Sampler>(sampler).value();
  options.kernel = value_of<GaussianKernel>(kernel).value();
  test::expect_calibrated(options, thin);
}

TEST(RankCalibration, CollapsedInDataSpace) { expect_calibrated("collapsed", "data", 12); }
TEST(RankCalibration, CollapsedInCoefficientSpace) { expect_calibrated("collapsed", "coefficients", 12); }
TEST(RankCalibration, Auxiliary) { expect_calibrated("auxiliary", "data", 60); }
TEST(RankCalibration, Gradients) { expect_calibrated("collapsed", "gradients", 40); }
// An anchor on 12 of 14 points, as far as anchors ever stay behind.
TEST(RankCalibration, FromAnAnchor) {
  test::expect_calibrated("anchored", [](const Design& X, const Vector& y, int draws, Rng& rng) {
    return anchored_draws(X, y, 12, draws, rng);
  });
}

// At this size a sweep takes some ten milliseconds: the anchor has the fewest sweeps, and the chain from it, too.
// Smaller data have all of them, or FromAnAnchor and PosteriorMeansFromAnchors would fail.
TEST(Horseshoe, DearSweepsAreFewer) {
  const Space space = Space::binary(60);
  Rng data(35, "dear");
  const Design X(std::make_shared<Basis>(space, 2), test::random_points(space, 1000, data));
  Vector y(X.rows());
  for (auto& e : y) e = data.normal();
  const auto draw = [&](HorseshoeOptions options) {
    Rng rng(36, "draw");
    return Horseshoe(std::move(options)).sample(X, y, StablePrefix{X.rows(), Rng(37, "anchor")}, 1, rng).front().alpha;
  };
  HorseshoeOptions few;
  few.anchor = 15;
  few.sweeps = 10;
  EXPECT_EQ(draw({}), draw(few));
}

// Single draws, as proposals take them: what sixteen sweeps leave of the anchor is at most a tenth of the posterior
// standard deviation (6000 draws measured 0.05 at worst; 25 cold sweeps leave 0.07).
TEST(HorseshoeGolden, PosteriorMeansFromAnchors) {
  for (const int index : {0, 1}) {
    const auto golden_case = test::golden("horseshoe.json")["cases"][index];
    const test::GoldenData data(golden_case);
    HorseshoeOptions options;
    options.intercept = Intercept::mean;
    const Horseshoe model(options);
    std::vector<std::vector<double>> series(data.design.cols());
    for (int i = 0; i < 1000; ++i) {
      Rng rng(33, "golden", i);
      const StablePrefix stable{data.design.rows() * 7 / 8, Rng(34, "anchor", i)};
      const Draw draw = model.sample(data.design, data.y, stable, 1, rng).front();
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
    options.intercept = Intercept::mean;
    options.kernel = value_of<GaussianKernel>(kernel).value();
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
