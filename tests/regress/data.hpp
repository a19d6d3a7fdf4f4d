#pragma once
// Data sets for the tests of the regressions.

#include <string>
#include <vector>

#include "bocs/poly/design.hpp"
#include "golden.hpp"

namespace bocs::test {

inline std::vector<Point> random_points(const Space& space, int count, Rng& rng) {
  std::vector<Point> points;
  for (int n = 0; n < count; ++n) points.push_back(space.random(rng));
  return points;
}

/// One case of horseshoe.json or blr.json: the order-2 design and the observations.
struct GoldenData {
  explicit GoldenData(const nlohmann::json& golden_case)
      : d(golden_case["d"].get<int>()), design(make(golden_case, d)), y(golden_case["y"].size()) {
    for (Eigen::Index n = 0; n < y.size(); ++n) y(n) = golden_case["y"][static_cast<std::size_t>(n)];
  }
  int d;
  Design design;
  Vector y;

 private:
  static Design make(const nlohmann::json& golden_case, int d) {
    std::vector<Point> points;
    for (const auto& x : golden_case["x"]) points.push_back(bits(x.get<std::string>()));
    return {std::make_shared<Basis>(Space::binary(d), 2), points};
  }
};

/// Mean of a series and its Monte-Carlo standard error by batch means.
struct SeriesMean {
  double mean = 0;
  double error = 0;
};
inline SeriesMean series_mean(const std::vector<double>& series) {
  const std::size_t batches = 40;
  const std::size_t length = series.size() / batches;
  std::vector<double> means(batches, 0.0);
  for (std::size_t b = 0; b < batches; ++b) {
    for (std::size_t i = 0; i < length; ++i) means[b] += series[b * length + i] / static_cast<double>(length);
  }
  SeriesMean result;
  for (const double m : means) result.mean += m / static_cast<double>(batches);
  double variance = 0;
  for (const double m : means) variance += (m - result.mean) * (m - result.mean) / static_cast<double>(batches - 1);
  result.error = std::sqrt(variance / static_cast<double>(batches));
  return result;
}

}  // namespace bocs::test
