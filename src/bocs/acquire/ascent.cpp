#include "bocs/acquire/ascent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "bocs/acquire/initial.hpp"
#include "bocs/acquire/outcome_models.hpp"
#include "bocs/base/error.hpp"
#include "bocs/rule/moves.hpp"

namespace bocs {
namespace {

// Ascents begin at so many of the best points seen. From random points they are long and expensive, and end where these
// do (docs/decisions.md, "Ascents of expected improvement").
constexpr std::size_t kStarts = 20;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Penalty = std::function<double(const Point&)>;  // on the scale of the model

/// The search for the unseen point of largest score.
class Climb {
 public:
  Climb(const ProposalContext& now, const Posterior& posterior, Penalty penalty, const Score& score,
        const ScoreContext& context, const LimitModels& limits)
      : task_(now.task),
        history_(now.history),
        repeats_(now.repeats),
        posterior_(posterior),
        penalty_(std::move(penalty)),
        score_(score),
        context_(context),
        limits_(limits) {}

  /// Steepest ascent by moves to neighbours; ends early on a path that was taken before.
  void from(Point x, Rng& rng) {
    double value = score({&x, 1}, -kInfinity).front();
    offer(x, value);
    while (expanded_.insert(x).second) {
      std::vector<Point> neighbours = neighbours_of(x, rng);
      if (neighbours.empty()) return;
      const std::vector<double> values = score(neighbours, best_.empty() ? -kInfinity : std::min(value, best_value_));
      for (std::size_t k = 0; k < values.size(); ++k) offer(neighbours[k], values[k]);
      const auto top = std::max_element(values.begin(), values.end());
      if (!(*top > value)) return;
      value = *top;
      x = std::move(neighbours[static_cast<std::size_t>(top - values.begin())]);
    }
  }

  [[nodiscard]] const Point& best() const { return best_; }  // empty: every point met had been seen

 private:
  /// Values above the floor are exact; others are only known to be at most the floor.
  [[nodiscard]] std::vector<double> score(std::span<const Point> points, double floor) const {
    std::vector<double> scores = score_alone(points, floor);
    if (limits_.empty()) return scores;
    std::vector<Point> asked;  // a chance makes no score larger
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (scores[k] > floor) asked.push_back(points[k]);
    }
    if (asked.empty()) return scores;
    const Vector chances = limits_.log_chance(asked);
    for (Eigen::Index k = 0, next = 0; k < static_cast<Eigen::Index>(points.size()); ++k) {
      if (scores[k] > floor) scores[k] += chances[next++];
    }
    return scores;
  }

  /// Without the chance to be allowed.
  [[nodiscard]] std::vector<double> score_alone(std::span<const Point> points, double floor) const {
    Vector penalties(points.size());
    for (Eigen::Index k = 0; k < penalties.size(); ++k) penalties[k] = penalty_(points[k]);
    if (score_.values) {
      const Prediction f = posterior_.predict(points);
      const Vector scores = score_.values(f.mean + penalties, f.variance, context_);
      require(scores.size() == penalties.size(), [&] {
        return "the score gave " + std::to_string(scores.size()) + " values for " + std::to_string(penalties.size()) +
               " points; it must give one value for each";
      });
      return {scores.begin(), scores.end()};
    }
    const auto value = [&](Eigen::Index k, double mean, double variance) {
      return score_.value(mean + penalties[k], variance, context_);
    };
    const Prediction f = score_.optimistic ? posterior_.predict_if(points,
                                                                   [&](Eigen::Index k, double mean, double variance) {
                                                                     return value(k, mean, variance) > floor;
                                                                   })
                                           : posterior_.predict(points);
    std::vector<double> scores;
    for (Eigen::Index k = 0; k < f.mean.size(); ++k) scores.push_back(value(k, f.mean[k], f.variance[k]));
    return scores;
  }

  /// In random order: forests have many ties, and the first of equals wins.
  std::vector<Point> neighbours_of(const Point& x, Rng& rng) const {
    std::vector<Point> neighbours;
    for_each_neighbour(task_.space, task_.constraints, x, [&](const Point& y) { neighbours.push_back(y); });
    for (std::size_t k = neighbours.size(); k > 1; --k) {
      std::swap(neighbours[k - 1], neighbours[rng.below(static_cast<std::uint32_t>(k))]);
    }
    return neighbours;
  }

  void offer(const Point& x, double value) {
    const bool better = best_.empty() ? !std::isnan(value) : value > best_value_;
    if (!better || (!repeats_ && history_.seen().contains(x))) return;
    best_ = x;
    best_value_ = value;
  }

  const Task& task_;
  const History& history_;
  bool repeats_;
  const Posterior& posterior_;
  Penalty penalty_;
  const Score& score_;
  ScoreContext context_;
  const LimitModels& limits_;
  PointSet expanded_;
  Point best_;
  double best_value_ = -kInfinity;
};

/// All trials that tell something: complete ones as given, standardized; running ones at the mean; failed ones at the
/// worst of the complete.
Data all_data(const History& history, const Values& values, const Vector& complete) {
  const double worst = complete.maxCoeff();
  Eigen::Index next = 0;  // of the complete ones
  Data data{{}, Vector(history.size())};
  for (const Trial& trial : history.trials()) {
    if (values.is_left_out(trial)) continue;
    data.y[static_cast<Eigen::Index>(data.x.size())] = values.counts(trial)       ? complete[next++]
                                                       : values.has_failed(trial) ? worst
                                                                                  : 0;
    data.x.push_back(trial.x);
  }
  data.y.conservativeResize(static_cast<Eigen::Index>(data.x.size()));
  return data;
}

/// The points with the lowest totals, best first, none twice; those that break no limit before the others.
std::vector<Point> best_points(const std::vector<Point>& x, const Vector& totals, const Vector& violations,
                               std::size_t count) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return violations[a] != violations[b] ? violations[a] < violations[b] : totals[a] < totals[b];
  });
  std::vector<Point> points;
  PointSet taken;
  for (const std::size_t i : order) {
    if (points.size() == count) break;
    if (taken.insert(x[i]).second) points.push_back(x[i]);
  }
  return points;
}

/// While no trial is allowed: nothing counts but the chance to be.
Score chance_alone() {
  return {"chance to be allowed", [](double, double, const ScoreContext&) { return 0.0; }, /*optimistic=*/true};
}

/// What measured points have: as measured, or as predicted where measurements are random, for the best measurement is a
/// lucky one.
Vector totals_of(const ProposalContext& now, const Values& values, const Vector& standardized,
                 const Posterior& posterior, const std::optional<Scalarization>& scalarization,
                 const Penalty& penalty) {
  const auto& trials = values.trials();
  Vector totals = standardized;
  if (now.noise) {
    totals = posterior.predict(values.complete().x).mean;
  } else if (scalarization) {
    for (Eigen::Index i = 0; i < totals.size(); ++i) totals[i] = (*scalarization)(goal_values(now.task, *trials[i]));
  }
  for (Eigen::Index i = 0; i < totals.size(); ++i) totals[i] += penalty(values.complete().x[i]);
  return totals;
}

}  // namespace

Ascent::Ascent(std::shared_ptr<const Model> model, Score score) : model_(std::move(model)), score_(std::move(score)) {
  require(score_.value != nullptr || score_.values != nullptr, "a score needs a function: value or values");
}

Proposal Ascent::choose(const ProposalContext& now) const {
  const Task& task = now.task;
  const auto index = static_cast<std::uint64_t>(now.number);
  const Values values(task, now.history);
  Data complete = values.complete();
  const Standard standard(complete.y);
  complete.y = complete.y.unaryExpr(standard);
  Data data = all_data(now.history, values, complete.y);
  if (now.noise) data.noise = noise_variance(complete);
  std::unique_ptr<Posterior> posterior = model_->fit(data, Rng(task.seed, "fit", index));
  Penalty penalty = [&](const Point& x) { return values.penalty(x) / standard.scale(); };
  std::optional<Scalarization> scalarization;
  if (task.has_front()) {
    scalarization.emplace(task, now.history, now.number);
    posterior = scalarized(now, values, *model_, std::move(posterior), standard, *scalarization);
    penalty = [](const Point&) { return 0.0; };  // it is part of the first goal
  }
  const LimitModels limits(now, values, *model_);

  // What there is to improve on: the best of the points that are allowed.
  const Vector totals = totals_of(now, values, complete.y, *posterior, scalarization, penalty);
  ScoreContext context{kInfinity, now.number, static_cast<int>(complete.x.size())};
  for (Eigen::Index i = 0; i < totals.size(); ++i) {
    if (limits.violations()[i] == 0) context.best = std::min(context.best, totals[i]);
  }
  const Score score = context.best < kInfinity ? score_ : chance_alone();
  Climb climb(now, *posterior, penalty, score, context, limits);
  Rng rng(task.seed, "acquire", index);
  for (Point& x : best_points(complete.x, totals, limits.violations(), kStarts)) climb.from(std::move(x), rng);

  Proposal proposal;
  proposal.info.repairs = posterior->repairs();
  proposal.info.status = posterior->repairs() != 0 ? Status::repaired : Status::ok;
  if (climb.best().empty()) {
    proposal.x = initial_point(task, now.history, now.number, now.repeats);
    proposal.info.how = "random: the search met only known points";
    return proposal;
  }
  proposal.x = climb.best();
  proposal.info.how = score.name;
  if (scalarization) return proposal;  // a prediction of one trial's direction tells nobody anything
  const Prediction f = posterior->predict({&proposal.x, 1});
  proposal.info.predicted = standard.original(f.mean[0]) / values.unit() + bocs::penalty(task, proposal.x);
  return proposal;
}

}  // namespace bocs
