#pragma once
// What the local searches share: the best point outside the excluded ones, the moves of a variable, descent.

#include <limits>
#include <span>
#include <vector>

#include "bocs/minimize/minimizer.hpp"
#include "bocs/poly/walker.hpp"

namespace bocs {

/// The best point met so far that is not excluded; the first met of equals.
class Incumbent {
 public:
  explicit Incumbent(const PointSet& excluded) : excluded_(&excluded) {}  // keeps a reference

  [[nodiscard]] const Point& point() const { return x_; }
  [[nodiscard]] double value() const { return value_; }  // infinity as long as there is none

  /// Each returns true if the point is taken.
  bool offer(const Walker& at) { return at.value() < value_ && take(at.point(), at.value()); }
  /// The neighbour of the walker's point that a move leads to.
  bool offer(const Walker& at, int variable, int level, double delta) {
    return at.value() + delta < value_ && take_neighbour(at.point(), variable, level, at.value() + delta);
  }

 private:
  bool take(const Point& x, double value);
  bool take_neighbour(const Point& x, int variable, int level, double value);

  const PointSet* excluded_;
  Point x_;
  Point neighbour_;
  double value_ = std::numeric_limits<double>::infinity();
};

/// The result of a search: its incumbent, or, when it met nothing but excluded points, the best of those that differ
/// from the walker's point in one variable, in two, and so on. Throws SpaceExhausted when every point is excluded.
Minimum conclude(const Polynomial& f, const Incumbent& found, Walker walker, const PointSet& excluded);

/// Calls visit(level) for the levels a local search tries for a variable: all others, or, when there are many, those 1,
/// 2, 4, ... away and the two ends.
template <class Visit>
void for_each_move(const Variable& v, int current, Visit&& visit) {
  constexpr int kFew = 32;
  if (v.levels <= kFew || v.kind == Kind::categorical) {
    for (int level = 0; level < v.levels; ++level) {
      if (level != current) visit(level);
    }
    return;
  }
  const int last = v.levels - 1;
  if (current > 0) visit(0);
  for (int step = 1; current - step > 0; step *= 2) visit(current - step);
  for (int step = 1; current + step < last; step *= 2) visit(current + step);
  if (current < last) visit(last);
}

/// A move and what it adds to the value; variable -1: none.
struct Move {
  int variable = -1;
  int level = 0;
  double delta = std::numeric_limits<double>::infinity();
};

/// Finds the best moves from a walker's point, of equals the first.
class MoveScanner {
 public:
  explicit MoveScanner(const Space& space);  // keeps a reference

  struct Best {
    Move allowed;         // among the variables i with free_from[i] <= step
    double anywhere = 0;  // smallest delta of all moves
  };
  Best best(const Walker& walker, std::span<const int> free_from, int step);
  Move best(const Walker& walker) { return best(walker, always_free_, 0).allowed; }

  /// Offers all neighbours; returns the move to the one that became the incumbent, if any.
  Move offer_neighbours(const Walker& walker, Incumbent& found) const;

  /// Steepest descent to a local minimum. Offers it, and its neighbours in case it is excluded.
  void descend(Walker& walker, Incumbent& found);

 private:
  Best best_flip(const Walker& walker, std::span<const int> free_from, int step);

  const Space* space_;
  std::vector<int> always_free_;
  std::vector<double> deltas_;   // binary spaces: of all flips
  std::vector<double> allowed_;  // the same, infinity where not allowed
};

}  // namespace bocs
