#pragma once
// The points that satisfy the constraints of a space: found, counted, drawn at random, repaired, listed.

#include <functional>
#include <optional>

#include "bocs/core/constraint.hpp"

namespace bocs {

/// What a variable adds to the sum of one constraint.
struct Contribution {
  int row = 0;        // which constraint
  double offset = 0;  // offset + slope * level ...
  double slope = 0;
  std::vector<double> extra = {};  // ... + extra[level]; empty: nothing

  [[nodiscard]] double operator()(int level) const {
    return offset + slope * level + (extra.empty() ? 0 : extra[static_cast<std::size_t>(level)]);
  }
};

/// low <= sum <= high, where the range is widened by what rounding can do to the sum.
struct Row {
  double low = 0;
  double high = 0;
  std::vector<int> variables = {};  // in ascending order

  [[nodiscard]] bool allows(double sum) const { return low <= sum && sum <= high; }
};

class Feasible {
 public:
  Feasible(const Space& space, std::vector<Constraint> list);  // as Constraints
  ~Feasible();

  [[nodiscard]] const Space& space() const { return space_; }
  [[nodiscard]] const std::vector<Constraint>& list() const { return list_; }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }  // one for each constraint
  [[nodiscard]] const std::vector<Contribution>& contributions(int variable) const {
    return contributions_[static_cast<std::size_t>(variable)];
  }
  /// The sum of each row at a point.
  [[nodiscard]] std::vector<double> sums(const Point& x) const;
  [[nodiscard]] bool contains(const Point& x) const;

 private:
  void compile(const Constraint& constraint);

  Space space_;
  std::vector<Constraint> list_;
  std::vector<Row> rows_;
  std::vector<std::vector<Contribution>> contributions_;  // by variable
};

}  // namespace bocs
