#pragma once
// A point that moves through the space of a polynomial, one variable at a time, with every delta kept up to date.

#include <vector>

#include "bocs/poly/polynomial.hpp"

namespace bocs {

class Walker {
 public:
  Walker(const Polynomial& f, Point start);  // keeps a reference to f

  [[nodiscard]] const Point& point() const { return x_; }
  [[nodiscard]] double value() const { return value_; }
  /// f(x with variable set to level) - f(x), in O(1).
  [[nodiscard]] double delta(int variable, int level) const;
  /// Sets the variable to the level and brings the deltas up to date, in O(terms touched).
  void move(int variable, int level);
  /// Jumps anywhere: O(all terms).
  void reset(Point x);
};

}  // namespace bocs
