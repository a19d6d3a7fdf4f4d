#include "bocs/acquire/outcome_models.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bocs {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// log Phi(z); far below by the asymptotic series of erfc.
double log_below(double z) {
  if (z > -20) return std::log(0.5 * std::erfc(-z / std::numbers::sqrt2));
  const double u = 1 / (z * z);
  return -0.5 * z * z - 0.5 * std::log(2 * std::numbers::pi) - std::log(-z) + std::log1p(u * (-1 + u * (3 - 15 * u)));
}

}  // namespace

double log_chance_between(double low, double high, double mean, double variance) {
  if (!(variance > 0)) return mean >= low && mean <= high ? 0 : -kInfinity;
  const double sd = std::sqrt(variance);
  // Turned so that the nearer bound, or the one that is broken, is the upper one.
  double to_high = (high - mean) / sd, to_low = (mean - low) / sd;
  if (to_low < to_high) std::swap(to_low, to_high);
  const double inside = log_below(to_high), beyond = log_below(-to_low);  // Phi(to_high) - Phi(-to_low)
  return beyond == -kInfinity ? inside : inside + std::log1p(-std::exp(std::min(0.0, beyond - inside)));
}

OtherNumbers::OtherNumbers(const ProposalContext& now, const Values& values, const Standard& first)
    : now_(now), values_(values), measured_(static_cast<Eigen::Index>(values.trials().size()), 0) {
  const Task& task = now.task;
  if (task.has_front()) {
    scalarization_.emplace(task, now.history, now.number);
    goals_.push_back({first.original(0) / values.unit(), first.scale() / values.unit(), 0});
    for (std::size_t k = 1; k < task.goals.size(); ++k) {
      const Goal& goal = task.goals[k];
      if (goal.known != nullptr) continue;
      const double sign = oriented(goal.sense, 1.0);
      const Standard standard = add(sign * values.reported(goal.name));
      goals_.push_back({standard.original(0), standard.scale(), static_cast<std::size_t>(measured_.cols())});
    }
  }
  for (const OutcomeLimit& limit : task.outcomes) {
    const Standard standard = add(values.reported(limit.metric));
    limits_.push_back({standard(limit.low), standard(limit.high), &limit, static_cast<std::size_t>(measured_.cols())});
  }
}

Standard OtherNumbers::add(Vector y) {
  const Standard standard(y);
  measured_.conservativeResize(Eigen::NoChange, measured_.cols() + 1);
  measured_.col(measured_.cols() - 1) = y.unaryExpr(standard);
  return standard;
}

Prediction OtherNumbers::objective(std::vector<Prediction>& outputs, std::span<const Point> points) const {
  if (!scalarization_) return std::move(outputs.front());
  const auto n = static_cast<Eigen::Index>(points.size());
  std::vector<Prediction> goals;
  auto measured = goals_.begin();
  for (const Goal& goal : now_.task.goals) {
    Prediction& made = goals.emplace_back(Prediction{Vector(n), Vector::Zero(n)});
    if (goal.known != nullptr) {
      for (Eigen::Index i = 0; i < n; ++i) made.mean[i] = oriented(goal.sense, (*goal.known)(points[i]));
      continue;
    }
    const Prediction& output = outputs[measured->output];
    made.mean = measured->shift + measured->scale * output.mean.array();
    made.variance = output.variance * (measured->scale * measured->scale);
    ++measured;
  }
  for (Eigen::Index i = 0; i < n; ++i) goals.front().mean[i] += penalty(now_.task, points[i]);
  return (*scalarization_)(goals);
}

double OtherNumbers::log_chance(const std::vector<Prediction>& outputs, Eigen::Index i) const {
  double sum = 0;
  for (const Limit& limit : limits_) {
    const Prediction& g = outputs[limit.output];
    sum += log_chance_between(limit.low, limit.high, g.mean[i], g.variance[i]);
  }
  return sum;
}

bool OtherNumbers::is_expected_within(const std::vector<Prediction>& outputs, Eigen::Index i) const {
  return std::all_of(limits_.begin(), limits_.end(), [&](const Limit& limit) {
    const double expected = outputs[limit.output].mean[i];
    return expected >= limit.low && expected <= limit.high;
  });
}

Vector OtherNumbers::violations(const Posterior& posterior) const {
  Vector violations = Vector::Zero(measured_.rows());
  std::vector<Prediction> predicted;
  if (now_.noise && has_limits()) predicted = posterior.predict_all(values_.complete().x, all_matter);
  for (const Limit& limit : limits_) {
    const auto column = static_cast<Eigen::Index>(limit.output) - 1;
    const Vector reported = values_.reported(limit.limit->metric);
    for (Eigen::Index i = 0; i < violations.size(); ++i) {
      const double at = now_.noise ? predicted[limit.output].mean[i] : measured_(i, column);
      const bool inside = now_.noise ? at >= limit.low && at <= limit.high : limit.limit->allows(reported[i]);
      if (!inside) violations[i] += std::max({limit.low - at, at - limit.high, std::numeric_limits<double>::min()});
    }
  }
  return violations;
}

}  // namespace bocs
