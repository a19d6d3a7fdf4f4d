#pragma once
// How searches step through a space: one variable to another level, or, where the constraints do not allow that, a
// second variable with it.

#include <utility>

#include "bocs/rule/feasible.hpp"
#include "bocs/space/steps.hpp"

namespace bocs {

/// A point that satisfies the constraints, and which changes of it do.
class Position {
 public:
  Position(const Feasible& feasible, const Point& x);  // keeps a reference

  [[nodiscard]] const Point& point() const { return x_; }
  /// Goes to another point that satisfies the constraints, in O(changes).
  void move_to(const Point& x);

  /// Is the change allowed by itself?
  [[nodiscard]] bool allows(int variable, int level) const { return allows(sums_, variable, level); }
  /// Is the move of a structure or a condition, which keeps the rules of its own, allowed by those of the user?
  [[nodiscard]] bool allows(const Changes& move);

  /// Calls visit(other, other_level) for the changes of a second variable that make the first one, not allowed by
  /// itself, allowed. Within the call, `allows` is as if the first had been made, `allowed_before` as without it.
  template <class Visit>
  void for_each_partner(int variable, int level, Visit&& visit);
  [[nodiscard]] bool allowed_before(int variable, int level) const { return allows(before_, variable, level); }

 private:
  [[nodiscard]] const LinearRow& row(int r) const { return feasible_->rows()[static_cast<std::size_t>(r)]; }
  [[nodiscard]] double sum(int r) const { return sums_[static_cast<std::size_t>(r)]; }
  void change(int variable, int level);
  [[nodiscard]] bool allows(const std::vector<double>& sums, int variable, int level) const;
  /// The violated rows among those of the variable.
  [[nodiscard]] int violated_rows(int variable) const;

  const Feasible* feasible_;
  Point x_;
  std::vector<double> sums_;    // by row, at x
  std::vector<double> before_;  // the same, before the first of two changes
};

template <class Visit>
void Position::for_each_partner(int variable, int level, Visit&& visit) {
  const int old = x_[static_cast<std::size_t>(variable)];
  before_ = sums_;
  change(variable, level);
  int smallest = -1;  // a violated row: the partner is in all of them
  int violated = 0;
  for (const Contribution& c : feasible_->contributions(variable)) {
    if (row(c.row).allows(sum(c.row))) continue;
    ++violated;
    if (smallest < 0 || row(c.row).terms.size() < row(smallest).terms.size()) smallest = c.row;
  }
  for (const Contribution& c : row(smallest).terms) {
    const int other = c.variable;
    const int other_old = x_[static_cast<std::size_t>(other)];
    if (other == variable) continue;
    const double rest = sum(smallest) - c(other_old);
    const bool in_one_row = feasible_->contributions(other).size() == 1;
    for_each_step(feasible_->space()[other], other_old, [&](int other_level) {
      if (!row(smallest).allows(rest + c(other_level))) return;  // most fail here
      if (violated > 1 && violated_rows(other) < violated) return;
      if (in_one_row || allows(other, other_level)) visit(other, other_level);
    });
  }
  x_[static_cast<std::size_t>(variable)] = old;
  std::swap(sums_, before_);
}

/// Calls visit(y) for every neighbour of x: one variable changed, or two where one alone is not allowed. In a table of
/// candidates: the rows that differ in one or two coordinates.
template <class Visit>
void for_each_neighbour(const Space& space, const Constraints& constraints, const Point& x, Visit&& visit) {
  if (constraints.candidates() != nullptr) {
    for (const Point& y : constraints.feasible().neighbours_in_table(x)) visit(y);
    return;
  }
  Point y = x;
  std::optional<Position> position;
  if (!constraints.empty()) position.emplace(constraints.feasible(), x);
  for (int i = 0; i < space.dimension(); ++i) {
    const auto slot = static_cast<std::size_t>(i);
    const auto with_partners = [&](int level) {
      position->for_each_partner(i, level, [&](int other, int other_level) {
        if (other < i && !position->allowed_before(other, other_level)) return;  // met from the other side
        y[static_cast<std::size_t>(other)] = other_level;
        visit(std::as_const(y));
        y[static_cast<std::size_t>(other)] = x[static_cast<std::size_t>(other)];
      });
    };
    if (!space.is_free(i)) {
      space.for_each_move(x, i, [&](const Changes& move) {
        for (const Change& change : move) y[static_cast<std::size_t>(change.coordinate)] = change.level;
        if (!position || position->allows(move)) {
          visit(std::as_const(y));
        } else if (move.size() == 1) {
          with_partners(move.front().level);
        }
        for (const Change& change : move) {
          y[static_cast<std::size_t>(change.coordinate)] = x[static_cast<std::size_t>(change.coordinate)];
        }
      });
      continue;
    }
    for_each_step(space[i], x[slot], [&](int level) {
      y[slot] = level;
      if (!position || position->allows(i, level)) {
        visit(std::as_const(y));
      } else {
        with_partners(level);
      }
    });
    y[slot] = x[slot];
  }
}

/// One of the neighbours: a random variable to a random other level and, where that is not allowed, a random partner
/// with it. A random point when x has no neighbour; x itself when the space has no other level.
Point random_neighbour(const Space& space, const Constraints& constraints, const Point& x, Rng& rng);

}  // namespace bocs
