#include "bocs/acquire/climb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bocs/base/error.hpp"
#include "bocs/rule/feasible.hpp"
#include "bocs/space/differences.hpp"
#include "bocs/space/steps.hpp"

namespace bocs {
namespace {

// docs/decisions/0061-any-size.md
constexpr std::size_t kManyNeighbours = 256;  // more of them are too many to look at before every step
constexpr std::size_t kFewStarts = 5, kMostNeighbours = 2000, kPromising = 32;
constexpr std::size_t kBlock = 256;  // points that are scored at once: bounds the memory
// Numbers without a step end on a grid of a millionth of their range.
constexpr int kFinestBits = 20, kRounds = 4;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Item>
void shuffle(std::vector<Item>& items, Rng& rng) {
  for (std::size_t k = items.size(); k > 1; --k) {
    std::swap(items[k - 1], items[rng.below(static_cast<std::uint32_t>(k))]);
  }
}

Point with(Point x, const Changes& changes) {
  for (const Change& change : changes) x[static_cast<std::size_t>(change.coordinate)] = change.level;
  return x;
}

Changes difference(const Point& x, const Point& y) {
  Changes changes;
  for_each_difference(x, y, [&](std::size_t i) { changes.push_back({static_cast<int>(i), y[i]}); });
  return changes;
}

bool has_many_neighbours(const Task& task, const Point& x) {
  std::size_t count = 0;
  for_each_neighbour(task.space, task.constraints, x, [&](const Point&) { ++count; });
  return count > kManyNeighbours;
}

}  // namespace

Climb::Climb(const ProposalContext& now, const Posterior& posterior, Penalty penalty, const Score& score,
             const ScoreContext& context, const OtherNumbers& others)
    : task_(now.task),
      history_(now.history),
      repeats_(now.repeats),
      posterior_(posterior),
      penalty_(std::move(penalty)),
      score_(score),
      context_(context),
      others_(others),
      best_value_(-kInfinity) {}

void Climb::from(std::vector<Point> starts, Rng& rng) {
  if (starts.empty()) return;
  const bool many = has_many_neighbours(task_, starts.front());
  starts.resize(std::min(starts.size(), many ? kFewStarts : kMostStarts));
  for (Point& x : starts) many ? by_changes(std::move(x), rng) : by_neighbours(std::move(x), rng);
}

void Climb::over_candidates() {
  constexpr std::size_t kRows = 1024;  // scored at once
  const Feasible& feasible = task_.constraints.feasible();
  const auto& rows = *feasible.candidate_rows();
  std::vector<Point> block;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    Point x = feasible.candidates().point(rows[k]);
    if (repeats_ || !history_.seen().contains(x)) block.push_back(std::move(x));
    if (block.empty() || (block.size() < kRows && k + 1 < rows.size())) continue;
    const std::vector<double> values = score(block, best_value_);
    for (std::size_t i = 0; i < values.size(); ++i) offer(block[i], values[i]);
    block.clear();
  }
}

void Climb::by_neighbours(Point x, Rng& rng) {
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

void Climb::by_changes(Point x, Rng& rng) {
  double value = score({&x, 1}, -kInfinity).front();
  offer(x, value);
  while (expanded_.insert(x).second) {
    std::vector<Scored> best = promising_changes(x, value, rng);
    if (best.empty()) return;
    x = with(std::move(x), best.front().changes);
    value = best.front().value;
    std::vector<Changes> others;
    for (std::size_t k = 1; k < best.size(); ++k) others.push_back(std::move(best[k].changes));
    apply_best(std::move(others), x, value);
  }
}

std::vector<Climb::Scored> Climb::promising_changes(const Point& x, double value, Rng& rng) {
  std::vector<Changes> all = changes_from(x, rng);
  std::vector<Scored> better;
  std::vector<Point> block;
  for (std::size_t from = 0; from < all.size(); from += kBlock) {
    block.assign({x});  // the first one: the others differ from it in few variables, which is fast
    for (std::size_t k = from; k < std::min(from + kBlock, all.size()); ++k) block.push_back(with(x, all[k]));
    const std::vector<double> values = score_and_offer(block, value);
    for (std::size_t k = 1; k < values.size(); ++k) {
      if (values[k] > value) better.push_back({std::move(all[from + k - 1]), values[k]});
    }
  }
  std::stable_sort(better.begin(), better.end(), [](const Scored& a, const Scored& b) { return a.value > b.value; });
  better.resize(std::min(better.size(), kPromising));
  return better;
}

void Climb::apply_best(std::vector<Changes> changes, Point& x, double& value) {
  while (!changes.empty()) {
    std::vector<Point> points{x};
    std::vector<Changes> tried{{}};
    for (Changes& c : changes) {
      Point y = with(x, c);
      if (y == x || !is_allowed(y)) continue;
      points.push_back(std::move(y));
      tried.push_back(std::move(c));
    }
    const std::vector<double> values = score_and_offer(points, value);
    const auto top = std::max_element(values.begin() + 1, values.end());
    if (top == values.end() || !(*top > value)) return;
    value = *top;
    const auto taken = static_cast<std::size_t>(top - values.begin());
    x = std::move(points[taken]);
    changes.clear();
    for (std::size_t k = 1; k < tried.size(); ++k) {
      if (k != taken) changes.push_back(std::move(tried[k]));
    }
  }
}

void Climb::refine() {
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

std::vector<double> Climb::score(std::span<const Point> points, double floor) const {
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

std::vector<double> Climb::score_and_offer(std::span<const Point> points, double value) {
  std::vector<double> values = score(points, best_.empty() ? -kInfinity : std::min(value, best_value_));
  for (std::size_t k = 0; k < values.size(); ++k) offer(points[k], values[k]);
  return values;
}

std::vector<Point> Climb::neighbours_of(const Point& x, Rng& rng) const {
  std::vector<Point> neighbours;
  for_each_neighbour(task_.space, task_.constraints, x, [&](const Point& y) { neighbours.push_back(y); });
  shuffle(neighbours, rng);
  return neighbours;
}

std::vector<Changes> Climb::changes_from(const Point& x, Rng& rng) const {
  std::vector<Changes> chosen;
  std::uint32_t met = 0;
  for_each_neighbour(task_.space, task_.constraints, x, [&](const Point& y) {  // Vitter 1985, Algorithm R
    ++met;
    if (chosen.size() < kMostNeighbours) {
      chosen.push_back(difference(x, y));
    } else if (const std::uint32_t slot = rng.below(met); slot < kMostNeighbours) {
      chosen[slot] = difference(x, y);
    }
  });
  shuffle(chosen, rng);
  return chosen;
}

std::vector<Point> Climb::near_by(const Point& x, int bits) const {
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
      if (is_allowed(y)) result.push_back(std::move(y));
    }
  }
  return result;
}

void Climb::offer(const Point& x, double value) {
  const bool better = best_.empty() ? !std::isnan(value) : value > best_value_;
  if (!better || (!repeats_ && history_.seen().contains(x))) return;
  best_ = x;
  best_value_ = value;
}

}  // namespace bocs
