#include "bocs/method/simplify.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "bocs/base/error.hpp"
#include "bocs/method/explaining_draws.hpp"
#include "bocs/poly/design.hpp"

namespace bocs {
namespace {

constexpr int kDraws = 200, kSweeps = 50;  // of the posterior: a simplification is asked for again and again

/// What f loses on the way from one point to another.
struct Loss {
  double mean = 0, low = 0, high = 0, chance = 0;
  bool measured = false;
};

class Losses {
 public:
  Losses(const Method& method, const Task& task, const History& history, bool exact, int threads)
      : posterior_(explaining_draws(method, task, history, Sense::minimize,
                                    {.order = 0, .draws = kDraws, .sweeps = kSweeps, .threads = threads})) {
    if (!exact) return;
    for (const Trial* trial : history.complete()) measured_.emplace(trial->x, trial->y);
  }

  [[nodiscard]] bool knows(const Point& x) const { return measured_.contains(x); }

  [[nodiscard]] Loss operator()(const Point& from, const Point& to) const {
    const auto a = measured_.find(from), b = measured_.find(to);
    if (a != measured_.end() && b != measured_.end()) {
      const double loss = b->second - a->second;
      return {loss, loss, loss, loss > 0 ? 1.0 : 0.0, true};
    }
    const std::vector<Point> points{from, to};
    const Design X(posterior_.basis, points);
    std::vector<double> losses;
    for (const Draw& draw : posterior_.draws) {
      const Vector f = X.times(draw.alpha);
      losses.push_back(f[1] - f[0]);
    }
    std::sort(losses.begin(), losses.end());
    const auto count = static_cast<double>(losses.size());
    const auto quantile = [&](double q) { return losses[static_cast<std::size_t>(q * (count - 1))]; };
    const auto costly = std::count_if(losses.begin(), losses.end(), [](double loss) { return loss > 0; });
    return {std::accumulate(losses.begin(), losses.end(), 0.0) / count, quantile(0.025), quantile(0.975),
            static_cast<double>(costly) / count, false};
  }

 private:
  ExplainingDraws posterior_;
  std::unordered_map<Point, double, PointHash> measured_;
};

Point without(Point x, const ChangeFromPresent& change, const Point& present) {
  for (const int i : change.coordinates) x[static_cast<std::size_t>(i)] = present[static_cast<std::size_t>(i)];
  return x;
}

void set_cost(ChangeFromPresent& change, const Loss& loss) {
  change.cost = loss.mean;
  change.low = loss.low;
  change.high = loss.high;
  change.chance = loss.chance;
  change.measured = loss.measured;
}

/// Undoes the change after which the least is lost against the answer, if that is allowed. `lost` so far: measured, or
/// the sum of what each step is expected to lose; gains that are only expected do not pay for losses. False: there is
/// none.
bool undo_one(Simplification& result, const Task& task, const Losses& losses, double allowed, double& lost) {
  ChangeFromPresent* cheapest = nullptr;
  double least = allowed;
  for (ChangeFromPresent& change : result.changes) {
    if (!change.kept) continue;
    const Point y = without(result.x, change, task.present);
    if (!task.constraints.satisfied(y)) continue;
    const Loss all = losses(result.answer, y);
    const double loss = all.measured ? all.mean : lost + std::max(0.0, losses(result.x, y).mean);
    if (loss > least) continue;
    least = loss;
    cheapest = &change;
  }
  if (cheapest == nullptr) return false;
  result.x = without(result.x, *cheapest, task.present);
  cheapest->kept = false;
  lost = std::max(0.0, least);
  return true;
}

/// Of the kept changes whose undoing has not been measured, that which is least sure to be needed.
Point least_sure(const Simplification& result, const Task& task, const Losses& losses) {
  Point next;
  double least = 2;
  for (const ChangeFromPresent& change : result.changes) {
    Point y = without(result.x, change, task.present);
    if (!change.kept || change.measured || losses.knows(y) || !task.constraints.satisfied(y)) continue;
    if (change.chance >= least) continue;
    least = change.chance;
    next = std::move(y);
  }
  return next;
}

}  // namespace

int Simplification::kept() const {
  return static_cast<int>(std::count_if(changes.begin(), changes.end(), [](const auto& c) { return c.kept; }));
}

std::vector<ChangeFromPresent> changes_from_present(const Task& task, const Point& x) {
  const Space& space = task.space;
  std::vector<ChangeFromPresent> changes;
  for (int v = 0; v < static_cast<int>(space.variables().size()); ++v) {
    std::vector<int> coordinates;
    for (int i = space.first(v); i < space.first(v + 1); ++i) {
      const auto slot = static_cast<std::size_t>(i);
      if (x[slot] != task.present[slot]) coordinates.push_back(i);
    }
    if (coordinates.empty()) continue;
    const std::string& name = space.variables()[static_cast<std::size_t>(v)].name;
    changes.push_back({name, space.text(task.present, v), space.text(x, v), std::move(coordinates)});
  }
  return changes;
}

Simplification simplify(const Method& method, const Task& task, const History& history, double loss, int threads) {
  require(!task.present.empty(), "to simplify takes a present setting: write a [default] table, or default={...}");
  require(!task.has_front(), "several goals cannot be simplified together");
  require(std::isfinite(loss) && loss >= 0, "the loss must be a finite number, at least 0");
  const Recommendation answer = method.recommend(task, history);
  const Losses losses(method, task, history, !std::isfinite(answer.error), threads);
  Simplification result{answer.x, answer.x};
  result.changes = changes_from_present(task, answer.x);
  double lost = 0;
  while (undo_one(result, task, losses, loss, lost)) {
  }
  const Loss all = losses(result.answer, result.x);
  result.loss = all.mean;
  result.low = all.low;
  result.high = all.high;
  result.measured = all.measured;
  for (ChangeFromPresent& change : result.changes) {
    const Point& from = change.kept ? result.x : result.answer;
    set_cost(change, losses(from, without(from, change, task.present)));
  }
  std::stable_sort(result.changes.begin(), result.changes.end(),
                   [](const auto& a, const auto& b) { return a.kept != b.kept ? a.kept : a.cost > b.cost; });
  result.next = result.measured ? least_sure(result, task, losses) : result.x;
  return result;
}

double parse_loss(const std::string& text, double value) {
  const bool share = text.ends_with('%');
  const char* end = text.data() + text.size() - (share ? 1 : 0);
  double loss = 0;
  const auto [at, error] = std::from_chars(text.data(), end, loss);
  require(error == std::errc() && at == end && std::isfinite(loss) && loss >= 0,
          [&] { return "the loss '" + text + "' cannot be read; allowed: a number from 0 on, as 0.5 or 1%"; });
  return share ? loss / 100 * std::abs(value) : loss;
}

}  // namespace bocs
