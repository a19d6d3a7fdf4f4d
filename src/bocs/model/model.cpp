#include "bocs/model/model.hpp"

#include <unordered_map>

namespace bocs {

Standard::Standard(const Vector& y) {
  const double largest = y.cwiseAbs().maxCoeff();  // taken out first: squares of huge values overflow
  if (largest == 0) return;
  double mean = 0, squares = 0;
  const auto n = static_cast<double>(y.size());
  for (const double value : y) mean += value / largest / n;
  for (const double value : y) squares += std::pow(value / largest - mean, 2) / n;
  shift_ = mean * largest;
  if (squares > 1e-24) scale_ = std::sqrt(squares) * largest;  // else they are all the same, up to rounding
}

double noise_variance(const Data& data) {
  constexpr double kGuess = 0.1;
  struct Moments {
    int n = 0;
    double mean = 0;
  };
  std::unordered_map<Point, Moments, PointHash> points;
  double squares = 0;  // sum of squared deviations from the mean of the same point
  int repetitions = 0;
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    Moments& point = points[data.x[i]];
    const double y = data.y[static_cast<Eigen::Index>(i)];
    const double before = y - point.mean;  // Welford's update
    repetitions += point.n > 0 ? 1 : 0;
    point.n += 1;
    point.mean += before / point.n;
    squares += before * (y - point.mean);
  }
  return repetitions > 0 ? squares / repetitions : kGuess;
}

}  // namespace bocs
