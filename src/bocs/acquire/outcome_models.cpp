#include "bocs/acquire/outcome_models.hpp"

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

struct Fit {
  Standard standard;
  std::unique_ptr<Posterior> posterior;
};

Fit fit(const ProposalContext& now, const Values& values, const Model& model, const Vector& y, std::string_view stream,
        std::size_t k) {
  const Standard standard(y);
  Data data{values.complete().x, y.unaryExpr(standard)};
  if (now.noise) data.noise = noise_variance(data);
  return {standard, model.fit(data, Rng(now.task.seed, stream, static_cast<std::uint64_t>(now.number)).fork(k))};
}

class Scalarized : public Posterior {
 public:
  struct Part {
    std::shared_ptr<const KnownSum> known;  // nullptr: there is a posterior
    Sense sense;
    double shift, scale;  // a unit of the posterior in units of the goal
    std::unique_ptr<Posterior> posterior;
  };
  Scalarized(const Task& task, std::vector<Part> parts, const Scalarization& scalarization)
      : task_(task), parts_(std::move(parts)), scalarization_(scalarization) {}

  [[nodiscard]] Prediction predict(std::span<const Point> points) const override {
    std::vector<Prediction> goals;
    for (const Part& part : parts_) {
      Prediction& goal = goals.emplace_back();
      if (part.known != nullptr) {
        goal = {Vector(points.size()), Vector::Zero(static_cast<Eigen::Index>(points.size()))};
        for (std::size_t i = 0; i < points.size(); ++i) {
          goal.mean[static_cast<Eigen::Index>(i)] = oriented(part.sense, (*part.known)(points[i]));
        }
        continue;
      }
      goal = part.posterior->predict(points);
      goal.mean = part.shift + part.scale * goal.mean.array();
      goal.variance *= part.scale * part.scale;
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      goals.front().mean[static_cast<Eigen::Index>(i)] += penalty(task_, points[i]);
    }
    return scalarization_(goals);
  }

  [[nodiscard]] int repairs() const override {
    int sum = 0;
    for (const Part& part : parts_) sum += part.posterior != nullptr ? part.posterior->repairs() : 0;
    return sum;
  }

 private:
  const Task& task_;
  std::vector<Part> parts_;
  const Scalarization& scalarization_;
};

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

LimitModels::LimitModels(const ProposalContext& now, const Values& values, const Model& model) {
  const auto n = static_cast<Eigen::Index>(values.trials().size());
  violations_ = Vector::Zero(n);
  for (const OutcomeLimit& limit : now.task.outcomes) {
    const Vector y = values.reported(limit.metric);
    Fit outcome = fit(now, values, model, y, "fit outcome", outcomes_.size());
    const double low = outcome.standard(limit.low), high = outcome.standard(limit.high);
    const Vector at = now.noise ? outcome.posterior->predict(values.complete().x).mean : y.unaryExpr(outcome.standard);
    for (Eigen::Index i = 0; i < n; ++i) {
      const bool inside = now.noise ? at[i] >= low && at[i] <= high : limit.allows(y[i]);
      if (!inside) violations_[i] += std::max({low - at[i], at[i] - high, std::numeric_limits<double>::min()});
    }
    outcomes_.push_back({low, high, std::move(outcome.posterior)});
  }
}

Vector LimitModels::log_chance(std::span<const Point> points) const {
  Vector sum = Vector::Zero(static_cast<Eigen::Index>(points.size()));
  for (const Outcome& outcome : outcomes_) {
    const Prediction g = outcome.posterior->predict(points);
    for (Eigen::Index i = 0; i < sum.size(); ++i) {
      sum[i] += log_chance_between(outcome.low, outcome.high, g.mean[i], g.variance[i]);
    }
  }
  return sum;
}

std::unique_ptr<Posterior> scalarized(const ProposalContext& now, const Values& values, const Model& model,
                                      std::unique_ptr<Posterior> first, const Standard& standard,
                                      const Scalarization& scalarization) {
  std::vector<Scalarized::Part> parts;
  parts.push_back({nullptr, Sense::minimize, standard.original(0) / values.unit(), standard.scale() / values.unit(),
                   std::move(first)});
  for (std::size_t k = 1; k < now.task.goals.size(); ++k) {
    const Goal& goal = now.task.goals[k];
    if (goal.known != nullptr) {
      parts.push_back({goal.known, goal.sense, 0, 1, nullptr});
      continue;
    }
    Vector y = values.reported(goal.name);
    if (goal.sense == Sense::maximize) y = -y;
    Fit fitted = fit(now, values, model, y, "fit goal", k);
    parts.push_back(
        {nullptr, goal.sense, fitted.standard.original(0), fitted.standard.scale(), std::move(fitted.posterior)});
  }
  return std::make_unique<Scalarized>(now.task, std::move(parts), scalarization);
}

}  // namespace bocs
