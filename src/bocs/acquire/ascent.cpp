#include "bocs/acquire/ascent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bocs/acquire/initial.hpp"
#include "bocs/base/error.hpp"
#include "bocs/model/values.hpp"
#include "bocs/rule/moves.hpp"

namespace bocs {
namespace {

// Ascents begin at so many of the best points seen. From random points they are long and expensive, and end where these
// do (docs/decisions.md, "Ascents of expected improvement").
constexpr std::size_t kStarts = 20;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The search for the unseen point of largest score.
class Climb {
 public:
  /// `unit` is one unit of the model on the scale of the values.
  Climb(const ProposalContext& now, const Values& values, const Posterior& posterior, const Score& score,
        const ScoreContext& context, double unit)
      : task_(now.task),
        history_(now.history),
        repeats_(now.repeats),
        values_(values),
        posterior_(posterior),
        score_(score),
        context_(context),
        unit_(unit) {}

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
    Vector penalties(points.size());
    for (Eigen::Index k = 0; k < penalties.size(); ++k) penalties[k] = values_.penalty(points[k]) / unit_;
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
  const Values& values_;
  const Posterior& posterior_;
  const Score& score_;
  ScoreContext context_;
  double unit_;
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

/// The points with the lowest totals, best first, none twice.
std::vector<Point> best_points(const std::vector<Point>& x, const Vector& totals, std::size_t count) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return totals[a] < totals[b]; });
  std::vector<Point> points;
  PointSet taken;
  for (const std::size_t i : order) {
    if (points.size() == count) break;
    if (taken.insert(x[i]).second) points.push_back(x[i]);
  }
  return points;
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
  const auto posterior = model_->fit(data, Rng(task.seed, "fit", index));

  // What there is to improve on: the best value measured; where measurements are random, the best value predicted at a
  // measured point, for the best measurement is a lucky one.
  Vector totals = now.noise ? posterior->predict(complete.x).mean : complete.y;
  for (Eigen::Index i = 0; i < totals.size(); ++i) totals[i] += values.penalty(complete.x[i]) / standard.scale();
  const ScoreContext context{totals.minCoeff(), now.number, static_cast<int>(complete.x.size())};
  Climb climb(now, values, *posterior, score_, context, standard.scale());
  Rng rng(task.seed, "acquire", index);
  for (Point& x : best_points(complete.x, totals, kStarts)) climb.from(std::move(x), rng);

  Proposal proposal;
  proposal.info.repairs = posterior->repairs();
  proposal.info.status = posterior->repairs() != 0 ? Status::repaired : Status::ok;
  if (climb.best().empty()) {
    proposal.x = initial_point(task, now.history, now.number, now.repeats);
    proposal.info.how = "random: the search met only known points";
    return proposal;
  }
  proposal.x = climb.best();
  const Prediction f = posterior->predict({&proposal.x, 1});
  proposal.info.predicted = standard.original(f.mean[0]) / values.unit() + penalty(task, proposal.x);
  proposal.info.how = score_.name;
  return proposal;
}

}  // namespace bocs
