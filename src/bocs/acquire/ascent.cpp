#include "bocs/acquire/ascent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bocs/acquire/ascent_data.hpp"
#include "bocs/acquire/initial.hpp"
#include "bocs/base/error.hpp"
#include "bocs/rule/feasible.hpp"
#include "bocs/rule/moves.hpp"
#include "bocs/space/steps.hpp"

namespace bocs {
namespace {

// Ascents begin at so many of the best points seen. From random points they are long and expensive, and end where these
// do (docs/decisions.md, "Ascents of expected improvement").
constexpr std::size_t kStarts = 20;
// Numbers without a step end on a grid of a millionth of their range.
constexpr int kFinestBits = 20, kRounds = 4;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The search for the unseen point of largest score.
class Climb {
 public:
  Climb(const ProposalContext& now, const Posterior& posterior, Penalty penalty, const Score& score,
        const ScoreContext& context, const OtherNumbers& others)
      : task_(now.task),
        history_(now.history),
        repeats_(now.repeats),
        posterior_(posterior),
        penalty_(std::move(penalty)),
        score_(score),
        context_(context),
        others_(others) {}

  /// Steepest ascent by moves to neighbours; ends early on a path that was taken before.
  void from(Point x, Rng& rng) {
    double value = score({&x, 1}, -kInfinity).front();
    offer(x, value);
    while (expanded_.insert(x).second) {
      std::vector<Point> neighbours = neighbours_of(x, rng);
      if (neighbours.empty()) return;
      const std::vector<double> values = score_and_offer(neighbours, value);
      const auto top = std::max_element(values.begin(), values.end());
      if (!(*top > value)) return;
      value = *top;
      x = std::move(neighbours[static_cast<std::size_t>(top - values.begin())]);
    }
  }

  /// From the best point met, ever smaller steps of the numbers without a step.
  void refine() {
    if (best_.empty()) return;
    Point x = best_;
    double value = best_value_;
    for (int bits = kFineBits + 1; bits <= kFinestBits; ++bits) {
      for (int round = 0; round < kRounds; ++round) {
        std::vector<Point> near = near_by(x, bits);
        if (near.empty()) return;
        const std::vector<double> values = score(near, value);
        const auto top = std::max_element(values.begin(), values.end());
        if (!(*top > value)) break;
        value = *top;
        x = std::move(near[static_cast<std::size_t>(top - values.begin())]);
        offer(x, value);
      }
    }
  }

  [[nodiscard]] const Point& best() const { return best_; }  // empty: every point met had been seen

 private:
  /// Values above the floor are exact; others are only known to be at most the floor.
  [[nodiscard]] std::vector<double> score(std::span<const Point> points, double floor) const {
    Vector penalties(points.size());
    for (Eigen::Index k = 0; k < penalties.size(); ++k) penalties[k] = penalty_(points[k]);
    const auto value = [&](Eigen::Index k, double mean, double variance) {
      return score_.value(mean + penalties[k], variance, context_);
    };
    const Posterior::Matters matters = [&](Eigen::Index k, double mean, double variance) {
      return value(k, mean, variance) > floor;
    };
    const bool is_screened = !score_.values && score_.optimistic && !others_.has_front();
    std::vector<Prediction> outputs = posterior_.predict_all(points, is_screened ? matters : all_matter);
    const Prediction f = others_.objective(outputs, points);
    std::vector<double> scores;
    if (score_.values) {
      const Vector given = score_.values(f.mean + penalties, f.variance, context_);
      require(given.size() == penalties.size(), [&] {
        return "the score gave " + std::to_string(given.size()) + " values for " + std::to_string(penalties.size()) +
               " points; it must give one value for each";
      });
      scores.assign(given.begin(), given.end());
    } else {
      for (Eigen::Index k = 0; k < f.mean.size(); ++k) scores.push_back(value(k, f.mean[k], f.variance[k]));
    }
    if (!others_.has_limits()) return scores;
    for (std::size_t k = 0; k < scores.size(); ++k) {  // a chance makes no score larger
      if (scores[k] > floor) scores[k] += others_.log_chance(outputs, static_cast<Eigen::Index>(k));
    }
    return scores;
  }

  /// Of points beside one of this value.
  std::vector<double> score_and_offer(const std::vector<Point>& points, double value) {
    std::vector<double> values = score(points, best_.empty() ? -kInfinity : std::min(value, best_value_));
    for (std::size_t k = 0; k < values.size(); ++k) offer(points[k], values[k]);
    return values;
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

  /// x with one number a part 2^-bits of its range larger or smaller, where the constraints allow that.
  std::vector<Point> near_by(const Point& x, int bits) const {
    std::vector<Point> result;
    for (int i = 0; i < task_.space.dimension(); ++i) {
      const Coordinate& c = task_.space[i];
      const auto slot = static_cast<std::size_t>(i);
      if (!c.scale || c.is_absent(x[slot])) continue;
      const std::int64_t step = std::max(1, c.levels >> bits);
      for (const std::int64_t level : {x[slot] - step, x[slot] + step}) {
        if (level < (c.optional ? 1 : 0) || level >= c.levels) continue;
        Point y = x;
        y[slot] = static_cast<std::int32_t>(level);
        if (task_.constraints.empty() || task_.constraints.feasible().contains(y)) result.push_back(std::move(y));
      }
    }
    return result;
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
  const OtherNumbers& others_;
  PointSet expanded_;
  Point best_;
  double best_value_ = -kInfinity;
};

/// While no trial is allowed: nothing counts but the chance to be.
Score chance_alone() {
  return {"chance to be allowed", [](double, double, const ScoreContext&) { return 0.0; }, /*optimistic=*/true};
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
  const OtherNumbers others(now, values, standard);
  Matrix other_values;
  Data data = all_data(now.history, values, complete.y, others.measured(), other_values);
  if (now.noise) data.noise = noise_variance(complete);
  const Rng of_fit(task.seed, "fit", index);
  const std::unique_ptr<Posterior> posterior =
      other_values.cols() == 0 ? model_->fit(data, of_fit) : model_->fit_all(data, other_values, of_fit);
  Penalty penalty = [&](const Point& x) { return values.penalty(x) / standard.scale(); };
  if (others.has_front()) penalty = [](const Point&) { return 0.0; };  // it is part of the first goal

  // What there is to improve on: the best of the points that are allowed.
  const Vector totals = totals_of(now, values, complete.y, *posterior, others, penalty);
  const Vector violations = others.violations(*posterior);
  ScoreContext context{kInfinity, now.number, static_cast<int>(complete.x.size())};
  for (Eigen::Index i = 0; i < totals.size(); ++i) {
    if (violations[i] == 0) context.best = std::min(context.best, totals[i]);
  }
  if (context.best < kInfinity) {
    context.best = std::min(context.best, best_expected(data.under_way, *posterior, penalty, others));
  }
  const Score score = context.best < kInfinity ? score_ : chance_alone();
  Climb climb(now, *posterior, penalty, score, context, others);
  Rng rng(task.seed, "acquire", index);
  for (Point& x : best_points(complete.x, totals, violations, kStarts)) climb.from(std::move(x), rng);
  climb.refine();

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
  if (others.has_front()) return proposal;  // a prediction of one trial's direction tells nobody anything
  const Prediction f = posterior->predict({&proposal.x, 1});
  proposal.info.predicted = standard.original(f.mean[0]) / values.unit() + bocs::penalty(task, proposal.x);
  return proposal;
}

}  // namespace bocs
