#include "bocs/method/worth.hpp"

#include <unordered_map>

namespace bocs {
namespace {

struct Measured {
  Eigen::Index first = 0;  // its first trial, counted among the complete ones
  int n = 0;
  double mean = 0;
  double squares = 0;  // sum of squared deviations from the mean
};

std::vector<Measured> collect(const std::vector<const Trial*>& complete) {
  std::vector<Measured> points;
  std::unordered_map<Point, std::size_t, PointHash> place;
  for (std::size_t i = 0; i < complete.size(); ++i) {
    const auto [slot, is_new] = place.try_emplace(complete[i]->x, points.size());
    if (is_new) points.emplace_back().first = static_cast<Eigen::Index>(i);
    Measured& point = points[slot->second];
    const double before = complete[i]->y - point.mean;  // Welford's update
    point.n += 1;
    point.mean += before / point.n;
    point.squares += before * (complete[i]->y - point.mean);
  }
  return points;
}

}  // namespace

bool shows_noise(const History& history) {
  for (const Measured& point : collect(history.complete())) {
    if (point.squares > 0) return true;
  }
  return false;
}

std::vector<Worth> worths(const Task& task, const std::vector<const Trial*>& complete, const Predictions& predictions) {
  const std::vector<Measured> points = collect(complete);
  double squares = 0;
  int freedom = 0;
  for (const Measured& point : points) {
    squares += point.squares;
    freedom += point.n - 1;
  }
  const double noise =
      std::max(std::numeric_limits<double>::min(), freedom > 0 ? squares / freedom : predictions.sigma2);
  double error = 0;
  for (const Measured& point : points) {
    const double residual = point.mean - predictions.mean[point.first];
    error += (residual * residual - noise / point.n) / static_cast<double>(points.size());
  }
  error = std::max(error, 1e-3 * noise);  // no model is perfect, and no weight is infinite

  std::vector<Worth> result;
  for (const Measured& point : points) {
    const double v = error + predictions.variance[point.first];
    const double precision = point.n / noise + 1 / v;
    const double mean = (point.n / noise * point.mean + predictions.mean[point.first] / v) / precision;
    const Point& x = complete[static_cast<std::size_t>(point.first)]->x;
    result.push_back({x, mean + penalty(task, x), 1 / std::sqrt(precision), point.n});
  }
  return result;
}

const Worth* to_measure_again(const std::vector<Worth>& worths, Rng& rng) {
  const Worth* chosen = nullptr;
  double least = std::numeric_limits<double>::infinity();
  double mean = 0;
  double squares = 0;  // of the deviations from the mean
  int n = 0;
  for (const Worth& worth : worths) {
    const double value = worth.mean + worth.deviation * rng.normal();
    if (value < least) {
      least = value;
      chosen = &worth;
    }
    const double before = worth.mean - mean;
    mean += before / ++n;
    squares += before * (worth.mean - mean);
  }
  if (chosen == nullptr || chosen->deviation < 0.1 * std::sqrt(squares / n)) return nullptr;
  return chosen;
}

}  // namespace bocs
