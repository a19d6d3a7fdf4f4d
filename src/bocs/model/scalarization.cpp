#include "bocs/model/scalarization.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bocs {
namespace {

constexpr double kBeyond = 0.1;     // r lies so far beyond the worst value where no reference is given
constexpr double kSmallest = 0.05;  // share of a goal in a direction, before it is squeezed out

double density(double z) { return std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi); }
double below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// Mean and variance of the larger of two independent normal numbers, as those of a normal one.
std::pair<double, double> larger(double m1, double v1, double m2, double v2) {
  const double spread = std::sqrt(v1 + v2), shift = std::max(m1, m2);
  if (!(spread > 0)) return {shift, 0};
  m1 -= shift;
  m2 -= shift;
  const double z = (m1 - m2) / spread, first = below(z), second = below(-z), between = spread * density(z);
  const double mean = m1 * first + m2 * second + between;
  const double square = (m1 * m1 + v1) * first + (m2 * m2 + v2) * second + (m1 + m2) * between;
  return {shift + mean, std::max(0.0, square - mean * mean)};
}

}  // namespace

Scalarization::Scalarization(const Task& task, const History& history, int number) {
  std::vector<std::vector<double>> allowed, complete;
  for (const Trial* trial : history.complete()) {
    complete.push_back(goal_values(task, *trial));
    if (is_allowed(task, *trial)) allowed.push_back(complete.back());
  }
  const auto& all = allowed.empty() ? complete : allowed;
  Rng rng(task.seed, "direction", static_cast<std::uint64_t>(number));
  std::vector<double> direction;
  double squares = 0;
  for (std::size_t k = 0; k < task.goals.size(); ++k) {
    direction.push_back(std::abs(rng.normal()));
    squares += direction.back() * direction.back();
  }
  for (std::size_t k = 0; k < task.goals.size(); ++k) {
    const auto lower = [k](const auto& a, const auto& b) { return a[k] < b[k]; };
    const double low = (*std::min_element(all.begin(), all.end(), lower))[k];
    const double high = (*std::max_element(all.begin(), all.end(), lower))[k];
    double end = high + kBeyond * (high - low);
    if (std::isfinite(task.goals[k].reference)) end = oriented(task.goals[k].sense, task.goals[k].reference);
    const double range = end > low ? end - low : 1;
    shifts_.push_back(end);
    weights_.push_back(1 / (range * std::max(kSmallest, direction[k] / std::sqrt(squares))));
  }
}

double Scalarization::operator()(std::span<const double> goals) const {
  double result = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < goals.size(); ++k) result = std::max(result, (goals[k] - shifts_[k]) * weights_[k]);
  return result;
}

Prediction Scalarization::operator()(std::span<const Prediction> goals) const {
  Prediction result;
  for (std::size_t k = 0; k < goals.size(); ++k) {
    const Vector mean = (goals[k].mean.array() - shifts_[k]) * weights_[k];
    const Vector variance = goals[k].variance * (weights_[k] * weights_[k]);
    if (k == 0) {
      result = {mean, variance};
      continue;
    }
    for (Eigen::Index i = 0; i < mean.size(); ++i) {
      std::tie(result.mean[i], result.variance[i]) = larger(result.mean[i], result.variance[i], mean[i], variance[i]);
    }
  }
  return result;
}

Merit::Merit(const Task& task, const History& history, int number) : task_(task) {
  if (task.has_front() && !history.complete().empty()) scalarization_.emplace(task, history, number);
}

double Merit::operator()(const Trial& trial) const {
  if (!is_allowed(task_, trial)) return std::numeric_limits<double>::infinity();
  return scalarization_ ? (*scalarization_)(goal_values(task_, trial)) : total(task_, trial);
}

}  // namespace bocs
