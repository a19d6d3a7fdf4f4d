#include "bocs/acquire/measure_again.hpp"

#include <algorithm>
#include <unordered_map>

#include "bocs/acquire/epoch.hpp"
#include "bocs/model/values.hpp"

namespace bocs {
namespace {

constexpr int kFewestRepetitions = 4;  // before the noise is known well enough to speak of doubt

/// The measurements of one point.
struct Measurements {
  const Point* x = nullptr;
  int n = 0;
  double mean = 0;
  double prediction = 0;
};

std::vector<Measurements> by_point(const Data& data, const Vector& predictions) {
  std::vector<Measurements> points;
  std::unordered_map<Point, std::size_t, PointHash> place;
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    const auto [slot, is_new] = place.try_emplace(data.x[i], points.size());
    if (is_new) points.push_back({&data.x[i], 0, 0, predictions[i]});
    Measurements& point = points[slot->second];
    point.n += 1;
    point.mean += (data.y[i] - point.mean) / point.n;
  }
  return points;
}

/// By the means of what its measurements reported.
bool is_allowed_on_average(const Task& task, const Values& values, const Point& x) {
  return std::all_of(task.outcomes.begin(), task.outcomes.end(), [&](const OutcomeLimit& limit) {
    double mean = 0;
    int n = 0;
    for (const Trial* trial : values.trials()) {
      if (trial->x == x) mean += (trial->metrics.at(limit.metric) - mean) / ++n;
    }
    return limit.allows(mean);
  });
}

}  // namespace

bool shows_noise(const History& history) {
  std::unordered_map<Point, double, PointHash> first;
  for (const Trial* trial : history.complete()) {
    if (first.try_emplace(trial->x, trial->y).first->second != trial->y) return true;
  }
  return false;
}

std::vector<MeasuredPoint> weigh(const Data& data, const Vector& predictions) {
  const std::vector<Measurements> points = by_point(data, predictions);
  const double noise = std::max(std::numeric_limits<double>::min(), data.noise);
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
    result.push_back({*point.x, mean, std::sqrt(weight * noise / point.n), point.n, std::sqrt(noise / point.n)});
  }
  return result;
}

std::vector<MeasuredPoint> measured_points(const Task& task, const History& history, const Model& model,
                                           const Rng& rng) {
  const Epoch epoch({task, history, history.size(), /*repeats=*/true, /*noise=*/true});
  const Values values(task, epoch.history());
  Data data = values.complete();
  const Standard standard(data.y);
  data.y = data.y.unaryExpr(standard);
  data.noise = noise_variance(data);
  const Vector predictions = model.fit(data, rng)->predict(data.x).mean;
  if (!predictions.allFinite()) return {};
  std::vector<MeasuredPoint> points = weigh(data, predictions);
  std::erase_if(points, [&](const MeasuredPoint& point) { return !is_allowed_on_average(task, values, point.x); });
  for (MeasuredPoint& point : points) {
    point.mean = standard.original(point.mean) / values.unit() + penalty(task, point.x);
    point.deviation *= standard.scale() / values.unit();
    point.error *= standard.scale() / values.unit();
  }
  return points;
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
