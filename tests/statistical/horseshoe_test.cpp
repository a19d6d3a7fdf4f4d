// Long tests of the Gibbs chain: rank calibration, and the golden posterior with the slow second mode.

#include "bocs/regress/horseshoe.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "regress/data.hpp"
#include "regress/rank_calibration.hpp"

namespace bocs {
namespace {

void expect_calibrated(const std::string& sampler, const std::string& kernel, int thin) {
  HorseshoeOptions options;
  options.sampler = sampler;
  options.kernel = kernel;
  test::expect_calibrated(options, thin);
}

TEST(RankCalibration, CollapsedInDataSpace) { expect_calibrated("collapsed", "data", 12); }
TEST(RankCalibration, CollapsedInCoefficientSpace) { expect_calibrated("collapsed", "coefficients", 12); }
TEST(RankCalibration, Auxiliary) { expect_calibrated("auxiliary", "data", 60); }
TEST(RankCalibration, Gradients) { expect_calibrated("collapsed", "gradients", 40); }

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
