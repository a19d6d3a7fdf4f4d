#include "bocs/acquire/initial.hpp"

#include <algorithm>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/rule/feasible.hpp"

namespace bocs {
namespace {

constexpr int kUsual = 20, kMost = 100, kLeast = 5;

/// The levels of each variable that some point has shown.
class Coverage {
 public:
  Coverage(const Space& space, int all_values)
      : space_(&space), all_values_(all_values), shown_(static_cast<std::size_t>(space.dimension())) {}

  void add(const Point& x) {
    for (std::size_t i = 0; i < x.size(); ++i) shown_[i].insert(x[i]);
  }
  /// How many levels variable i still has to show.
  [[nodiscard]] int missing(int i) const {
    const Coordinate& c = (*space_)[i];
    const int wanted = c.ordered && c.levels > all_values_ ? 2 : c.levels;
    return std::max(0, wanted - static_cast<int>(shown_[static_cast<std::size_t>(i)].size()));
  }
  /// A random one of the levels that variable i has not shown.
  [[nodiscard]] std::int32_t new_level(int i, Rng& rng) const {
    const auto& shown = shown_[static_cast<std::size_t>(i)];
    const auto count = static_cast<std::uint32_t>((*space_)[i].levels) - static_cast<std::uint32_t>(shown.size());
    auto level = static_cast<std::int32_t>(rng.below(count));
    for (const auto taken : shown) level += taken <= level ? 1 : 0;
    return level;
  }

 private:
  const Space* space_;
  int all_values_;
  std::vector<std::set<std::int32_t>> shown_;
};

/// x with levels that are missing, as many as the constraints allow.
Point with_new_levels(const Task& task, const Coverage& coverage, const Point& x, Rng& rng) {
  Point wanted = task.constraints.empty() ? x : Point(x.size(), -1);
  for (int i = 0; i < task.space.dimension(); ++i) {
    if (coverage.missing(i) > 0) wanted[static_cast<std::size_t>(i)] = coverage.new_level(i, rng);
  }
  return task.constraints.empty() ? wanted : task.constraints.feasible().repair(wanted, rng);
}

/// The number of points that show all missing levels, at most `limit` + 1; with constraints, found greedily, and levels
/// that cannot be shown do not count.
int points_needed(const Task& task, Coverage coverage, int limit, Rng& rng) {
  const int d = task.space.dimension();
  int most = 0, all = 0;
  const auto count = [&] {
    most = all = 0;
    for (int i = 0; i < d; ++i) {
      most = std::max(most, coverage.missing(i));
      all += coverage.missing(i);
    }
  };
  count();
  if (task.constraints.empty()) return most;
  int points = 0;
  while (all > 0 && points <= limit) {
    const int before = all;
    coverage.add(with_new_levels(task, coverage, Point(static_cast<std::size_t>(d)), rng));
    count();
    if (all == before) break;
    ++points;
  }
  return points;
}

bool shows(const Point& x, const Point& pattern) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (pattern[i] >= 0 && x[i] != pattern[i]) return false;
  }
  return true;
}

/// x with one of the patterns that neither the history nor x shows, if the points left are too few for all of those.
Point with_missing_pattern(const Task& task, const History& history, const std::vector<Point>& patterns, int left,
                           Point x, Rng& rng) {
  std::vector<Point> missing;
  for (const Point& pattern : patterns) {
    const auto shown = [&](const Trial& trial) { return shows(trial.x, pattern); };
    if (!shows(x, pattern) && std::ranges::none_of(history.trials(), shown)) missing.push_back(pattern);
  }
  if (static_cast<int>(missing.size()) <= left) return x;
  const Point& pattern = missing[static_cast<std::size_t>(left)];  // another one each time, if it cannot be shown
  if (!task.constraints.empty()) return task.constraints.feasible().repair(pattern, rng);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = pattern[i] >= 0 ? pattern[i] : x[i];
  return x;
}

}  // namespace

int default_initial(const Space& space, int all_values) {
  int levels = 0;
  for (const Coordinate& c : space.coordinates()) {
    const bool all = c.ordered ? c.levels <= all_values : !c.is_bit();
    if (all) levels = std::max(levels, c.levels);
  }
  return std::max(std::min(2 * space.dimension(), kUsual), std::min(levels, kMost));
}

void require_unseen(const Task& task, const History& history) {
  auto seen = static_cast<double>(history.seen().size());
  const auto allowed = task.constraints.empty() ? std::nullopt : task.constraints.feasible().count();
  if (allowed && *allowed <= seen) {  // the rules of a batch leave out points that have been seen
    const auto counts = [&](const Point& x) { return task.constraints.satisfied(x); };
    seen = static_cast<double>(std::count_if(history.seen().begin(), history.seen().end(), counts));
  }
  if (task.constraints.empty() ? task.space.no_larger_than(seen) : allowed && *allowed <= seen) {
    throw SpaceExhausted("the whole space has been evaluated: all its " + std::to_string(history.seen().size()) +
                         (task.constraints.empty() ? "" : " allowed") + " points are taken");
  }
}

Point initial_point(const Task& task, const History& history, int number, bool repeats) {
  if (!repeats) require_unseen(task, history);
  Rng rng(task.seed, "initial", static_cast<std::uint64_t>(number));
  if (task.constraints.empty()) {
    // Rejection needs at most size-of-the-space draws on average, and that only when the history is as long.
    for (;;) {
      Point x = task.space.random(rng);
      if (repeats || !history.seen().contains(x)) return x;
    }
  }
  constexpr int kDraws = 100;  // then almost everything has been seen
  const Feasible& feasible = task.constraints.feasible();
  Point x;
  for (int k = 0; k < kDraws; ++k) {
    x = feasible.random(rng);
    if (repeats || !history.seen().contains(x)) return x;
  }
  auto left = feasible.outside(history.seen(), x);
  if (!left) throw SpaceExhausted("every point that satisfies the constraints has been evaluated");
  return std::move(*left);
}

InitialDesign InitialDesign::of(const Task& task) const {
  InitialDesign design = *this;
  if (!fixed && task.trials > 0) design.points = std::min(points, std::max(kLeast, task.trials / 5));
  return design;
}

Point design_point(const Task& task, const History& history, int number, const InitialDesign& design) {
  Point x = initial_point(task, history, number, design.repeats);
  Coverage before(task.space, design.all_values);
  for (const Trial& trial : history.trials()) before.add(trial.x);
  Coverage after = before;
  after.add(x);
  const int left = design.points - number - 1;
  Rng rng(task.seed, "cover", static_cast<std::uint64_t>(number));
  Point y = points_needed(task, after, left, rng) <= left ? x : with_new_levels(task, before, x, rng);
  y = with_missing_pattern(task, history, design.patterns, left, std::move(y), rng);
  if (!design.repeats && history.seen().contains(y)) return x;
  return y;
}

}  // namespace bocs
