#pragma once
// What a history says about single points. The searches without a model (annealing, local, particle) are replayed over
// it from their first step: a step that meets a known point costs nothing, the first point it cannot answer for is the
// proposal. So a search needs no state of its own, and points that others added are simply known.

#include <functional>
#include <optional>
#include <unordered_map>

#include "bocs/core/trial.hpp"

namespace bocs {

class KnownValues {
 public:
  KnownValues(const Task& task, const History& history);

  /// nullptr: never seen. Infinity: failed, or still running, so that a search passes by for now. Otherwise the total,
  /// the mean of all observations of the point.
  [[nodiscard]] const double* find(const Point& x) const;

 private:
  std::unordered_map<Point, double, PointHash> values_;
};

/// The start of a search's `restart`-th run: the first one starts where random search does.
Point random_start(const Task& task, int restart);

/// The first point that one of the runs 0 ... runs-1 of a search cannot answer for, as the proposal of trial `number`;
/// a random point if all end among known ones. `run(restart)` replays one; nothing: it ended. `name`: "walk", for
/// Info::how.
Proposal first_unknown_point(const Task& task, const History& history, int number, const std::string& name, int runs,
                             const std::function<std::optional<Point>(int restart)>& run);

}  // namespace bocs
