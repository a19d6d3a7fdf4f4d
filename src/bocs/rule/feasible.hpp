#pragma once
// The points that satisfy the constraints of a space: found, counted, drawn at random, repaired, listed.

#include <algorithm>
#include <functional>
#include <limits>

#include "bocs/rule/constraint.hpp"

namespace bocs {

/// What a variable adds to the sum of one constraint. All contributions to a row are multiples of one power of two that
/// is large enough for sums and differences of them to be exact: no order of adding changes a bit.
struct Contribution {
  int row = 0;
  int variable = 0;
  double offset = 0;  // offset + slope * level ...
  double slope = 0;
  int cap = std::numeric_limits<int>::max();  // levels above count as this one
  std::vector<double> by_level = {};          // ... or, unless empty, this
  double rounder = 0;  // 0: exact as it is; else 3 * 2^51 units: adding it rounds to the unit, subtracting it restores

  [[nodiscard]] double operator()(int level) const {
    return by_level.empty() ? rounded(offset + slope * std::min(level, cap)) : by_level[level];
  }
  [[nodiscard]] double rounded(double value) const { return (value + rounder) - rounder; }
};

/// low <= sum <= high, and, where there is a set, the sum is in it. Whole numbers are taken as they are; with fractions
/// the range is widened by what writing them in binary and rounding them to the unit can do to the sum. The sums of a
/// set number the combinations of levels: each variable's level is a digit, the first one counts most.
struct LinearRow {
  double low = 0;
  double high = 0;
  std::vector<Contribution> terms = {};  // by variable, ascending
  std::vector<double> set = {};          // ascending, from low to high; empty: every sum between them

  [[nodiscard]] bool same(const LinearRow& other) const;  // but for rounding
  [[nodiscard]] bool allows(double sum) const {
    return low <= sum && sum <= high && (set.empty() || std::binary_search(set.begin(), set.end(), sum));
  }
};

class SumTable;  // of partial sums: rule/sum_table.hpp

class Feasible {
 public:
  /// Those of the space, too. Throws as Constraints does.
  Feasible(const Space& space, std::vector<Constraint> list, std::shared_ptr<const Candidates> candidates = nullptr);
  ~Feasible();

  [[nodiscard]] const Space& space() const { return space_; }
  [[nodiscard]] const std::vector<Constraint>& list() const { return list_; }
  [[nodiscard]] const std::vector<LinearRow>& rows() const { return rows_; }
  /// So many of the rows, the first ones, are the user's; the others are those of structures and conditions.
  [[nodiscard]] int given() const { return given_; }
  /// The rows of the table of candidates that satisfy the rest, ascending; all points there are. nullptr: no table.
  [[nodiscard]] const std::vector<std::uint32_t>* candidate_rows() const { return candidates_ ? &allowed_ : nullptr; }
  [[nodiscard]] const Candidates& candidates() const { return *candidates_; }
  [[nodiscard]] std::vector<Point> neighbours_in_table(const Point& x) const;
  [[nodiscard]] int constraint_of(int row) const { return constraint_of_[static_cast<std::size_t>(row)]; }
  /// Those of one variable, by row, ascending.
  [[nodiscard]] const std::vector<Contribution>& contributions(int variable) const {
    return contributions_[static_cast<std::size_t>(variable)];
  }

  [[nodiscard]] bool contains(const Point& x) const { return violated(x) < 0; }
  [[nodiscard]] int violated(
      const Point& x) const;  // the first constraint x violates; -1: none. The last: no candidate

  /// The number of points, exact below 2^53; nothing when a table of partial sums would be too large.
  [[nodiscard]] std::optional<double> count() const;

  /// Exactly uniform when count() is known: drawn from the table. Otherwise a random depth-first completion, followed
  /// by a random walk of changes of up to three variables at once, whose limit is uniform over what it can reach.
  [[nodiscard]] Point random(Rng& rng) const;

  /// A point that keeps as many levels of x as it can, looked for greedily in random order. -1 in x: any level, chosen
  /// at random after the others.
  [[nodiscard]] Point repair(const Point& x, Rng& rng) const;

  /// A point that is not excluded, near x; nothing if there is none. Throws SearchGaveUp when a long search could not
  /// tell.
  [[nodiscard]] std::optional<Point> outside(const PointSet& excluded, const Point& x) const;

  /// Calls visit(x) for every point.
  void for_each(const std::function<void(const Point&)>& visit) const;

 private:
  void compile(int constraint);
  void keep_candidates();
  [[nodiscard]] int violated_row(const std::int32_t* x) const;
  [[nodiscard]] std::vector<std::uint32_t> nearest_candidates(const Point& x, const PointSet& excluded) const;
  [[nodiscard]] Point mixed(Point x, Rng& rng) const;

  Space space_;
  std::vector<Constraint> list_;
  int given_ = 0;
  std::vector<LinearRow> rows_;
  std::vector<int> constraint_of_;                        // by row
  std::vector<std::vector<Contribution>> contributions_;  // by variable
  std::unique_ptr<const SumTable> table_;                 // nullptr: too large
  Point witness_;                                         // without a table: some point
  std::shared_ptr<const Candidates> candidates_;          // nullptr: all points that satisfy the rows
  std::vector<std::uint32_t> allowed_;
};

/// Uniform over the space without constraints, as Feasible::random with them.
Point random_point(const Space& space, const Constraints& constraints, Rng& rng);

}  // namespace bocs
