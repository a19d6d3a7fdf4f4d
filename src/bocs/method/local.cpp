#include "bocs/method/local.hpp"

#include <optional>

#include "bocs/acquire/initial.hpp"
#include "bocs/core/moves.hpp"
#include "bocs/method/replay.hpp"

namespace bocs {
namespace {

constexpr int kRestarts = 100;  // over known points only, then any unseen point will do

/// Steepest descent from the `restart`-th start over the known values. Returns the first point it needs and does not
/// know; nothing when it has ended in a local optimum.
std::optional<Point> descend(const Task& task, const KnownValues& known, int restart) {
  Point x = random_start(task, restart);
  const double* value = known.find(x);
  if (value == nullptr) return x;
  for (;;) {
    Point best = x;
    const double* best_value = value;
    std::optional<Point> unknown;
    for_each_neighbour(task.space, task.constraints, x, [&](const Point& neighbour) {
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
    x = std::move(best);
    value = best_value;
  }
}

}  // namespace

Proposal LocalSearch::propose(const Task& task, const History& history, int number) const {
  require_unseen(task, history);
  const KnownValues known(task, history);
  // A descent that has ended was over known points: the history is never shorter than the number of ended descents,
  // unless they fall on the same points.
  return first_unknown_point(task, history, number, "descent", history.size() + kRestarts,
                             [&](int restart) { return descend(task, known, restart); });
}

}  // namespace bocs
