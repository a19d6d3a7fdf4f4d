#pragma once
// What the local searches share: the best point outside the excluded ones, the moves of a variable, descent.

#include <limits>

#include "bocs/minimize/minimizer.hpp"
#include "bocs/poly/walker.hpp"

namespace bocs {

/// The best point met so far that is not excluded; the first met of equals.
class Incumbent {
 public:
  explicit Incumbent(const PointSet& excluded) : excluded_(&excluded) {}  // keeps a reference

  [[nodiscard]] const Point& point() const { return x_; }
  [[nodiscard]] double value() const { return value_; }  // infinity as long as there is none

  void offer(const Walker& at) {
    if (at.value() < value_) take(at.point(), at.value());
  }
  /// The neighbour of the walker's point with `variable` set to `level`.
  void offer(const Walker& at, int variable, int level, double delta) {
    if (at.value() + delta < value_) take_neighbour(at.point(), variable, level, at.value() + delta);
  }

 private:
  void take(const Point& x, double value);
  void take_neighbour(const Point& x, int variable, int level, double value);

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

/// Steepest descent by single moves to a local minimum. All neighbours of the points passed are offered to `found`.
void descend(Walker& walker, const Space& space, Incumbent& found);

}  // namespace bocs
