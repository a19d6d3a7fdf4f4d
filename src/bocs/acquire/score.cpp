#include "bocs/acquire/score.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace bocs {

double log_expected_improvement(double mean, double variance, double best) {
  const double gain = best - mean;
  if (!(variance > 0)) return gain > 0 ? std::log(gain) : -std::numeric_limits<double>::infinity();
  const double sd = std::sqrt(variance), z = gain / sd;
  const double log_density = -0.5 * z * z - 0.5 * std::log(2 * std::numbers::pi);
  if (z > -20) return std::log(sd * (z * 0.5 * std::erfc(-z / std::numbers::sqrt2) + std::exp(log_density)));
  // Far below, phi(z) + z Phi(z) cancels: its asymptotic series phi(z) (1/z^2 - 3/z^4 + 15/z^6 - ...).
  const double u = 1 / (z * z);
  return std::log(sd) + log_density + std::log(u) + std::log1p(u * (-3 + u * (15 - 105 * u)));
}

Score expected_improvement() {
  return {"expected improvement",
          [](double mean, double variance, const ScoreContext& context) {
            return log_expected_improvement(mean, variance, context.best);
          },
          /*optimistic=*/true};
}

}  // namespace bocs
