#pragma once
// What the local searches share: the best allowed point, the best move, descent.

#include <limits>
#include <span>
#include <vector>

#include "bocs/minimize/minimizer.hpp"
#include "bocs/poly/walker.hpp"
#include "bocs/rule/moves.hpp"

namespace bocs {

/// A move and what it adds to the value; variable -1: none.
struct Move {
  int variable = -1;
  int level = 0;
  double delta = std::numeric_limits<double>::infinity();
  int other = -1;  // a second variable that moves with the first, where the constraints ask for it; -1: none
  int other_level = 0;
  Changes rest = {};  // further changes of a move of a structure or a condition
};
void apply(const Move& move, Walker& walker);

/// The best allowed point met so far; the first met of equals.
class Incumbent {
 public:
  explicit Incumbent(const Allowed& allowed) : allowed_(allowed) {}  // keeps its references

  [[nodiscard]] const Point& point() const { return x_; }
  [[nodiscard]] double value() const { return value_; }  // infinity as long as there is none

  /// Each returns true if the point is taken.
  bool offer(const Walker& at) { return at.value() < value_ && take(at.point(), at.value()); }
  /// The neighbour of the walker's point that a move leads to.
  bool offer(const Walker& at, const Move& move) {
    return at.value() + move.delta < value_ && take_neighbour(at.point(), move, at.value() + move.delta);
  }
  bool offer(const Walker& at, int variable, int level, double delta) { return offer(at, {variable, level, delta}); }

 private:
  bool take(const Point& x, double value);
  bool take_neighbour(const Point& x, const Move& move, double value);

  Allowed allowed_;
  Point x_;
  Point neighbour_;
  double value_ = std::numeric_limits<double>::infinity();
};

/// The result of a search: its incumbent, or, when it met nothing but excluded points, the best of those that differ
/// from the walker's point in one variable, in two, and so on; with constraints, one that differs in few. Throws
/// SpaceExhausted when no point is allowed.
Minimum best_or_nearest_allowed(const Polynomial& f, const Incumbent& found, Walker walker, const Allowed& allowed);

/// Finds the best moves from a walker's point, of equals the first: one variable, and two where the constraints do not
/// allow one alone. With constraints, the walker's point must satisfy them.
class MoveScanner {
 public:
  explicit MoveScanner(const Space& space, const Constraints& constraints = kNoConstraints);  // keeps references

  [[nodiscard]] const Constraints& constraints() const { return *constraints_; }

  struct Best {
    Move allowed;         // among the variables i with free_from[i] <= step
    double anywhere = 0;  // smallest delta of all moves; infinity: there is none
  };
  Best best(const Walker& walker, std::span<const int> free_from, int step);
  Move best(const Walker& walker) { return best(walker, always_free_, 0).allowed; }

  /// Offers all neighbours; returns the move to the one that became the incumbent, if any.
  Move offer_neighbours(const Walker& walker, Incumbent& found);

  /// Steepest descent to a local minimum. Offers it, and its neighbours in case it is excluded.
  void descend(Walker& walker, Incumbent& found);

 private:
  Best best_flip(const Walker& walker, std::span<const int> free_from, int step);
  template <class Visit>
  void for_each(const Walker& walker, Visit&& visit);  // of the moves

  const Space* space_;
  const Constraints* constraints_;
  std::optional<Position> position_;  // with constraints: follows the walker
  std::optional<Walker> probe_;       // the walker after the first of two changes
  std::vector<int> always_free_;
  std::vector<double> deltas_;   // binary spaces: of all flips
  std::vector<double> allowed_;  // the same, infinity where not allowed
};

}  // namespace bocs
