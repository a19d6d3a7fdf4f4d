#include "bocs/acquire/score.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bocs {
namespace {

/// E[max(0, best - F)] by the trapezoidal rule.
double integrate(double mean, double sd, double best) {
  constexpr int kCells = 400000;
  const double low = std::min(best, mean) - 40 * sd, step = (best - low) / kCells;
  double sum = 0;
  for (int k = 0; k < kCells; ++k) {
    const double f = low + k * step, z = (f - mean) / sd;
    sum += (k == 0 ? 0.5 : 1) * (best - f) * std::exp(-0.5 * z * z);
  }
  return sum * step / (sd * std::sqrt(2 * M_PI));
}

TEST(LogExpectedImprovement, AgreesWithNumericalIntegration) {
  for (const double mean : {-1.0, 0.0, 2.0, 5.5, 6.5, 12.0, 24.0}) {
    EXPECT_NEAR(log_expected_improvement(mean + 0.5, 4, 0.5 - mean), std::log(integrate(mean + 0.5, 2, 0.5 - mean)),
                1e-4)
        << mean;
  }
}

TEST(LogExpectedImprovement, IsContinuousWhereTheSeriesTakesOver) {
  EXPECT_NEAR(log_expected_improvement(20 - 1e-12, 1, 0), log_expected_improvement(20 + 1e-12, 1, 0), 1e-6);
  EXPECT_GT(log_expected_improvement(100, 1, 0), log_expected_improvement(101, 1, 0));  // no underflow
}

TEST(LogExpectedImprovement, WithoutVarianceIsTheGainItself) {
  EXPECT_DOUBLE_EQ(log_expected_improvement(1, 0, 3), std::log(2));
  EXPECT_EQ(log_expected_improvement(3, 0, 3), -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace bocs
