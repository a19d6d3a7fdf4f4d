#include "bocs/acquire/measure_again.hpp"

#include <algorithm>
#include <unordered_map>

namespace bocs {
namespace {

constexpr int kFewestRepetitions = 4;  // before the noise is known well enough to speak of doubt

struct Measurements {
  const Point* x = nullptr;
  int n = 0;
  double mean = 0;
  double squares = 0;  // sum of squared deviations from the mean
  double prediction = 0;
};

std::vector<Measurements> collect(const std::vector<const Trial*>& complete) {
  std::vector<Measurements> points;
  std::unordered_map<Point, std::size_t, PointHash> place;
  for (const Trial* trial : complete) {
    const auto [slot, is_new] = place.try_emplace(trial->x, points.size());
    if (is_new) points.emplace_back().x = &trial->x;
    Measurements& point = points[slot->second];
    const double before = trial->y - point.mean;  // Welford's update
    point.n += 1;
    point.mean += before / point.n;
    point.squares += before * (trial->y - point.mean);
  }
  return points;
}

}  // namespace

bool shows_noise(const History& history) {
  for (const Measurements& point : collect(history.complete())) {
    if (point.squares > 0) return true;
  }
  return false;
}

std::vector<MeasuredPoint> measured_points(const Task& task, const std::vector<const Trial*>& complete,
                                           const Vector& predictions, double sigma2) {
  std::vector<Measurements> points = collect(complete);
  double squares = 0;
  int freedom = 0;
  std::unordered_map<Point, double, PointHash> predicted;
  for (std::size_t i = 0; i < complete.size(); ++i)
    predicted[complete[i]->x] = predictions[static_cast<Eigen::Index>(i)];
  for (Measurements& point : points) {
    squares += point.squares;
    freedom += point.n - 1;
    point.prediction = predicted[*point.x];
  }
  const double tiny = std::numeric_limits<double>::min();
  const double noise = std::max(tiny, freedom > 0 ? squares / freedom : sigma2);
  double error = 0;
  for (const Measurements& point : points) {
    const double residual = point.mean - point.prediction;
    error += (residual * residual - noise / point.n) / static_cast<double>(points.size());
  }
  error = std::max(error, 1e-3 * noise);  // no model is perfect, and no weight is infinite

  std::vector<MeasuredPoint> result;
  for (const Measurements& point : points) {
    const double weight = 1 / (1 + noise / (point.n * error));  // of the measurements; finite even when noise is tiny
    const double mean = weight * point.mean + (1 - weight) * point.prediction;
    result.push_back({*point.x, mean + penalty(task, *point.x), std::sqrt(weight * noise / point.n), point.n});
  }
  return result;
}

const MeasuredPoint* likely_best(const std::vector<MeasuredPoint>& points) {
  const auto lower = [](const MeasuredPoint& a, const MeasuredPoint& b) { return a.mean < b.mean; };
  const auto best = std::min_element(points.begin(), points.end(), lower);
  return best == points.end() ? nullptr : &*best;
}

const MeasuredPoint* best_in_doubt(const std::vector<MeasuredPoint>& points, Rng& rng) {
  const auto best_of_a_draw = [&] {
    const MeasuredPoint* best = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const MeasuredPoint& point : points) {
      const double value = point.mean + point.deviation * rng.normal();
      if (value >= least) continue;
      least = value;
      best = &point;
    }
    return best;
  };
  const MeasuredPoint* first = best_of_a_draw();
  const MeasuredPoint* second = best_of_a_draw();
  int repetitions = 0;
  for (const MeasuredPoint& point : points) repetitions += point.measurements - 1;
  if (repetitions < kFewestRepetitions) return first;
  if (first == second) return nullptr;
  return second->measurements < first->measurements ? second : first;
}

const MeasuredPoint* best_in_doubt_or_likely(const std::vector<MeasuredPoint>& points, Rng& rng) {
  constexpr int kPairs = 100;  // of draws, before there is no doubt left
  for (int k = 0; k < kPairs; ++k) {
    if (const MeasuredPoint* again = best_in_doubt(points, rng)) return again;
  }
  return likely_best(points);
}

}  // namespace bocs
