#include "bocs/acquire/improvement.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <numeric>

#include "bocs/acquire/initial.hpp"
#include "bocs/model/values.hpp"
#include "bocs/rule/moves.hpp"

namespace bocs {
namespace {

// Ascents begin at so many of the best points seen. From random points they are long and dear, and end where these do
// (docs/decisions.md, "Ascents of expected improvement").
constexpr std::size_t kStarts = 20;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The search for the unseen point of largest log expected improvement.
class Ascent {
 public:
  /// `best_total` is what to improve on, in units of the model, one of which is `unit` on the scale of the values.
  Ascent(const Situation& now, const Values& values, const Posterior& posterior, double best_total, double unit)
      : task_(now.task),
        history_(now.history),
        repeats_(now.repeats),
        values_(values),
        posterior_(posterior),
        best_total_(best_total),
        unit_(unit) {}

  /// Steepest ascent by moves to neighbours; ends early on a path that was taken before.
  void climb(Point x, Rng& rng) {
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
  [[nodiscard]] double best_value() const { return best_value_; }

 private:
  /// Values above the floor are exact; others are only known to be at most the floor.
  [[nodiscard]] std::vector<double> score(std::span<const Point> points, double floor) const {
    std::vector<double> penalties;
    for (const Point& x : points) penalties.push_back(values_.penalty(x) / unit_);
    const auto value = [&](Eigen::Index k, double mean, double variance) {
      return log_expected_improvement(mean + penalties[k], variance, best_total_);
    };
    const Prediction f = posterior_.predict_if(
        points, [&](Eigen::Index k, double mean, double variance) { return value(k, mean, variance) > floor; });
    std::vector<double> values;
    for (Eigen::Index k = 0; k < f.mean.size(); ++k) values.push_back(value(k, f.mean[k], f.variance[k]));
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

  void offer(const Point& x, double value) {
    if ((!best_.empty() && !(value > best_value_)) || (!repeats_ && history_.seen().contains(x))) return;
    best_ = x;
    best_value_ = value;
  }

  const Task& task_;
  const History& history_;
  bool repeats_;
  const Values& values_;
  const Posterior& posterior_;
  double best_total_;
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

double log_expected_improvement(double mean, double variance, double best) {
  const double gain = best - mean;
  if (!(variance > 0)) return gain > 0 ? std::log(gain) : -kInfinity;
  const double sd = std::sqrt(variance), z = gain / sd;
  const double log_density = -0.5 * z * z - 0.5 * std::log(2 * std::numbers::pi);
  if (z > -20) return std::log(sd * (z * 0.5 * std::erfc(-z / std::numbers::sqrt2) + std::exp(log_density)));
  // Far below, phi(z) + z Phi(z) cancels: its asymptotic series phi(z) (1/z^2 - 3/z^4 + 15/z^6 - ...).
  const double u = 1 / (z * z);
  return std::log(sd) + log_density + std::log(u) + std::log1p(u * (-3 + u * (15 - 105 * u)));
}

Proposal ExpectedImprovement::choose(const Situation& now) const {
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
  Ascent ascent(now, values, *posterior, totals.minCoeff(), standard.scale());
  Rng rng(task.seed, "acquire", index);
  for (Point& x : best_points(complete.x, totals, kStarts)) ascent.climb(std::move(x), rng);

  Proposal proposal;
  proposal.info.repairs = posterior->repairs();
  proposal.info.status = posterior->repairs() != 0 ? Status::repaired : Status::ok;
  if (ascent.best().empty()) {
    proposal.x = initial_point(task, now.history, now.number, now.repeats);
    proposal.info.how = "random: the search met only known points";
    return proposal;
  }
  proposal.x = ascent.best();
  const Prediction f = posterior->predict({&proposal.x, 1});
  proposal.info.predicted = standard.original(f.mean[0]) / values.unit() + penalty(task, proposal.x);
  proposal.info.how = "expected improvement";
  return proposal;
}

}  // namespace bocs
