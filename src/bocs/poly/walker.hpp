#pragma once
// A point that moves through the space of a polynomial, one variable at a time, with every delta kept up to date.
//
// A polynomial is linear in each feature phi_f alone, so the gradient df/dphi_f of all features gives the delta of any
// move of one variable in O(1): a move changes one feature, or a value and its square, or the indicators of two levels
// of a variable, and features of one variable never meet in a monomial.

#include <memory>
#include <span>
#include <vector>

#include "bocs/poly/polynomial.hpp"

namespace bocs {

class Walker {
 public:
  Walker(const Polynomial& f, Point start);  // keeps a reference to f

  [[nodiscard]] const Space& space() const { return f_->space(); }
  [[nodiscard]] const Point& point() const { return x_; }
  [[nodiscard]] double value() const { return value_; }
  /// f(x with variable set to level) - f(x), in O(1).
  [[nodiscard]] double delta(int variable, int level) const {
    const Axis& axis = (*axes_)[static_cast<std::size_t>(variable)];
    const int old = x_[static_cast<std::size_t>(variable)];
    double sum = 0;
    if (axis.scale > 0) {
      sum = axis.scale * (level - old) * gradient_[axis.feature];
      if (axis.square) sum += axis.square_change(old, level) * gradient_[axis.feature + 1];
    } else {  // the indicator of level l is feature + l - 1; level 0 has none
      if (level > 0) sum = gradient_[axis.feature + static_cast<std::size_t>(level) - 1];
      if (old > 0) sum -= gradient_[axis.feature + static_cast<std::size_t>(old) - 1];
    }
    return axis.offsets == nullptr ? sum : sum + (axis.offsets[level] - axis.offsets[old]);
  }
  /// The derivative by each feature. In a binary space feature i is variable i, and flipping it adds +-gradient()[i].
  [[nodiscard]] std::span<const double> gradient() const { return gradient_; }
  /// Sets the variable to the level and brings the deltas up to date, in O(terms touched).
  void move(int variable, int level);
  /// Jumps anywhere: O(all terms).
  void reset(Point x);

 private:
  struct Axis {                       // how the features and offsets of one variable depend on its level
    std::size_t feature = 0;          // its first feature
    double scale = 0;                 // > 0: the feature is scale * level (binary: 1); 0: indicators of the levels
    bool square = false;              // the next feature is the square (Integers::curve)
    const double* offsets = nullptr;  // per level, in f; nullptr: none. Only integer variables have them

    [[nodiscard]] double square_change(int from, int to) const {  // (2 s to - 1)^2 - (2 s from - 1)^2
      return 4 * scale * (to - from) * (scale * (to + from) - 1);
    }
  };
  struct Interactions;  // how the gradient depends on the features; never changes, shared by copies

  void change(std::size_t feature, double by);
  void recompute();

  const Polynomial* f_;
  std::shared_ptr<const std::vector<Axis>> axes_;
  std::shared_ptr<const Interactions> interactions_;
  Point x_;
  double value_ = 0;
  std::vector<double> phi_;       // value of each feature at x
  std::vector<double> gradient_;  // df/dphi_f at x
  int moves_ = 0;                 // since the last recomputation
};

}  // namespace bocs
