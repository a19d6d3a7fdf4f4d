#pragma once
// The points tried before there is a model. Every method draws them from the same stream, so that methods of one seed
// are compared on the same initial data.

#include "bocs/trial/trial.hpp"

namespace bocs {

/// The number of initial points when the user names none: 20 (as in [BP18] Sec. 5), 2 d below d = 10. At least one for
/// each level of a categorical variable, and of integer ones with at most `all_values` values, up to 100.
int default_initial(const Space& space, int all_values = 2);

/// A random point for trial `number`, uniform over what the constraints allow (as far as Feasible::random is); one that
/// the history has not seen, unless `repeats`. Throws SpaceExhausted when every point has been seen.
Point initial_point(const Task& task, const History& history, int number, bool repeats);

struct InitialDesign {
  int points = 0;
  bool repeats = false;
  int all_values = 2;                // integer variables with at most so many values show all of them
  std::vector<Point> patterns = {};  // combinations of levels, each to be shown by some point; -1: any level
  bool fixed = false;                // the user named the number of points

  /// The same for a task: unless the user named a number, at most a fifth of the planned trials, but at least 5 points,
  /// so that no budget is spent on random points alone.
  [[nodiscard]] InitialDesign of(const Task& task) const;
};

/// Point `number` < design.points of an initial design: an initial_point, unless the points left would then not suffice
/// to show every level of every binary and categorical variable, two values of every integer one, and the patterns.
/// Then it has a missing pattern, or as many missing levels as the constraints allow.
Point design_point(const Task& task, const History& history, int number, const InitialDesign& design);

/// Throws SpaceExhausted when the history has seen every point, as far as their number is known (Feasible::count).
void require_unseen(const Task& task, const History& history);

}  // namespace bocs
