#pragma once
// From finished cells to tables. Instances differ more than methods, so errors are clustered by instance: the standard
// error is that of the means of the instances.

#include <span>

#include "bocs/experiment/cell.hpp"

namespace bocs {

/// A mean, and what is known about its error.
struct Estimate {
  int runs = 0;
  int instances = 0;
  double mean = kUnknown;    // of the instances' means: that of the runs, when all have the same number
  double error = kUnknown;   // of the mean: half of its 95 % interval, by Student's t; unknown for a single run
  double median = kUnknown;  // of the runs
};

/// One number of one run.
struct Observation {
  std::uint64_t instance = 0;
  double value = 0;
};

/// A t-distributed number is within plus or minus this with probability 0.95.
double student_quantile(int degrees_of_freedom);

/// With a single instance the error is that of its runs: nothing is known about other instances.
Estimate estimate(std::span<const Observation> observations);

/// What the paper has for a method: a mean and twice its standard error.
struct PaperValue {
  std::string problem;  // empty: any
  std::optional<double> lambda;
  int trials = 0;  // 0: any
  std::string method;
  double mean = 0;
  double error = 0;
};

struct TableOptions {
  std::string metric =
      "auto";         // regret | value | gain | recommended (CellResult); auto: regret where every optimum is known
  bool area = false;  // regret or value: not at the end, but its mean over all evaluations
  int at = 0;         // after so many evaluations; 0: at the end
  std::optional<double> until;    // instead: seconds of suggestion until a value as good as this, or until the end
  double scale_by = 1;            // multiplies what is shown
  std::string against;            // a method to be compared with, pair by pair
  std::vector<PaperValue> paper;  // before it is multiplied by scale_by
};

/// Method minus baseline on the same instance and repetition.
struct Comparison {
  Estimate difference;
  int better = 0;  // instances on which the method's mean is better
  int worse = 0;
  int verdict = 0;  // 1: the mean difference is better beyond its error, -1: worse; the counts may say otherwise
};

/// A method on a problem.
struct TableRow {
  CellKind kind = CellKind::optimization;
  std::string problem;
  double lambda = 0;
  int trials = 0;
  std::string method;
  std::string metric;  // "regret", "value", "gain", "recommended", "seconds", "test error", "large coefficients"
  Estimate estimate;   // of the metric, times scale_by
  bool best = false;   // the best mean of the problem, lambda and budget
  Estimate value;      // of the best value itself
  std::optional<double> found;        // fraction of the runs that found the optimum, where it is known
  std::optional<double> reached;      // fraction of the runs that reached `until`
  std::optional<double> per_success;  // seconds of all runs, divided by the number of those that reached `until`
  std::optional<PaperValue> paper;    // times scale_by
  std::optional<Comparison> comparison;
  double suggest_seconds_mean = 0;

  /// Is the difference to the paper's mean within the root of the sum of squares of both errors? Nothing if either is
  /// not known, or there are fewer than five runs.
  [[nodiscard]] std::optional<bool> agrees() const;
};

/// One row per problem, budget, lambda and method, in this order, each by first appearance. Throws InvalidArgument if
/// `against` names no method of the results, or metric=regret is asked for where an optimum is not known.
std::vector<TableRow> make_table(std::span<const CellResult> results, const TableOptions& options);

/// A table after 30, 60, 100 and 200 evaluations, at the end, and the mean over all: not only the end counts, for
/// budgets differ.
struct AnytimeColumn {
  std::string name;            // "30", "60", "100", "200", "end", "area"
  std::vector<TableRow> rows;  // those of make_table; runs == 0 where a budget is not larger than the column's
};
std::vector<AnytimeColumn> make_anytime_table(std::span<const CellResult> results, const TableOptions& options);

/// How the methods stand among each other: 1 is the best of a replication, equal ones share the mean of their places.
struct RankTable {
  struct Line {
    std::string problem;
    double lambda = 0;
    int trials = 0;
    int replications = 0;       // those that all the methods have finished
    std::vector<double> ranks;  // mean over the replications, by method
  };
  std::vector<std::string> methods;  // that have run on every problem, by first appearance
  std::vector<Line> problems;        // in the order of make_table
  std::vector<double> average;       // over the problems, by method
};

/// By the metric of make_table, at `options.at` evaluations. Throws InvalidArgument if a problem has no replication
/// that all these methods have finished, or where no direction is the better one.
RankTable make_ranks(std::span<const CellResult> results, const TableOptions& options);

/// The results that belong to the cells, in the order of the cells.
std::vector<CellResult> select(std::span<const CellResult> results, std::span<const Cell> cells);
/// All results, in an order that does not depend on which was finished first.
std::vector<CellResult> sorted(std::span<const CellResult> results);

}  // namespace bocs
