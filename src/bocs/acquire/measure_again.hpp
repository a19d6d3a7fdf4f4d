#pragma once
// Measuring again: when measurements are noisy, the best single one need not be of the best point. Which of the
// measured points is likely best, and which of them is worth another measurement?

#include "bocs/model/model.hpp"

namespace bocs {

/// The posterior of f(x) + penalty at a measured point: normal with this mean and standard deviation.
struct MeasuredPoint {
  Point x;
  double mean = 0;
  double deviation = 0;
  int measurements = 0;
  double error = 0;  // standard error of the mean of its measurements alone, without trust in the model
};

/// True when some point was measured twice with different results.
bool shows_noise(const History& history);

/// Every distinct point of the complete trials, of many the best and the latest (epoch.hpp), in order of its first
/// measurement, judged by its measurements and the model; without those whose measurements break a limit on average.
/// Empty if the model has no finite prediction.
std::vector<MeasuredPoint> measured_points(const Task& task, const History& history, const Model& model,
                                           const Rng& rng);

/// The same for data with their noise, without a penalty. `predictions` has the model's value at each of the data.
///
/// The measurements of a point have mean f + noise and the model has error: f(x) ~ N(prediction, v). With n
/// measurements of mean y and noise variance s2 the posterior mean is (n/s2 y + 1/v prediction) / (n/s2 + 1/v). v is
/// what is left of the residuals after their noise.
std::vector<MeasuredPoint> weigh(const Data& data, const Vector& predictions);

/// The one of the lowest mean, nullptr if there are none.
const MeasuredPoint* likely_best(const std::vector<MeasuredPoint>& points);

/// Top-two Thompson sampling [Rus16]: the best points of two draws of all values. If they are the same, there is no
/// doubt that measuring again could settle, and nothing is returned; else the one of the two that was measured less
/// often.
const MeasuredPoint* best_in_doubt(const std::vector<MeasuredPoint>& points, Rng& rng);

/// The same when there is nothing else to measure: draws until two differ, or, when they hardly ever do, the likely
/// best.
const MeasuredPoint* best_in_doubt_or_likely(const std::vector<MeasuredPoint>& points, Rng& rng);

}  // namespace bocs
