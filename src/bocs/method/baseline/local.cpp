#include "bocs/method/baseline/local.hpp"

#include <optional>

#include "bocs/acquire/initial.hpp"
#include "bocs/method/baseline/published.hpp"
#include "bocs/rule/moves.hpp"

namespace bocs {
namespace {

constexpr int kRestarts = 100;  // over known points only, then any unseen point will do

}  // namespace

std::optional<Point> LocalSearch::Descent::run(const Task& task, const KnownValues& known) {
  const double* value = known.find(x_);
  if (value == nullptr) return x_;
  for (;;) {
    Point best = x_;
    const double* best_value = value;
    std::optional<Point> unknown;
    for_each_neighbour(task.space, task.constraints, x_, [&](const Point& neighbour) {
      if (unknown) return;
      const double* found = known.find(neighbour);
      if (found == nullptr) {
        unknown = neighbour;
      } else if (*found < *best_value) {
        best = neighbour;
        best_value = found;
      }
    });
    if (unknown) return unknown;
    if (best_value == value) return std::nullopt;
    x_ = std::move(best);
    value = best_value;
  }
}

Proposal LocalSearch::propose(const Task& task, const History& history, int number) const {
  require_unseen(task, history);
  // A descent that has ended was over known points: the history is never shorter than the number of ended descents,
  // unless they fall on the same points.
  return descents_->propose(std::monostate{}, task, history, number, "descent", history.size() + kRestarts);
}

void LocalOptions::describe(OptionTable& table) {
  table.boolean("restarts", restarts, "false, as in the paper: stays at its first local optimum");
}

std::unique_ptr<Method> make_local(const LocalOptions& options) {
  if (options.restarts) return std::make_unique<LocalSearch>();
  return std::make_unique<PublishedLocalSearch>();
}

}  // namespace bocs
