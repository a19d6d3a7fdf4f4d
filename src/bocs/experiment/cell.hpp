#pragma once
// The unit of an experiment: one run of one method on one instance. A cell is known by its inputs alone, so that a
// finished one is recognised whatever grid asks for it again.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "bocs/trial/trial.hpp"

namespace bocs {

enum class CellKind {
  optimization,  // a method minimizes the problem
  validation,    // a regression predicts unseen points, [BP18] supplement F
  coefficients,  // how many coefficients of a regression are large, by order, [BP18] supplement B
};

std::string to_string(CellKind kind);
CellKind parse_cell_kind(const std::string& text);  // throws InvalidArgument

/// The inputs.
struct Cell {
  CellKind kind = CellKind::optimization;
  std::string problem;
  std::string method;  // or, unless optimization, the regression: "horseshoe:order=3"; its order is 2 if none is set
  double lambda = 0;
  std::string penalty = "l1";  // or l2: lambda times the sum of the squares
  std::uint64_t instance = 0;
  int repeat = 0;
  std::uint64_t seed = 1;  // of the whole grid
  int trials = 0;          // evaluations, initial ones included; or training points
  int initial = 0;         // 0: the method's choice
  int in_flight = 1;       // trials asked before the oldest of them is told
  int test_points = 0;     // validation only
  int draws = 0;           // of the posterior; validation and coefficients only

  /// All inputs as text: equal for equal cells only.
  [[nodiscard]] std::string key() const;
  /// Of the random choices. Depends on seed, instance and repeat alone: methods meet the same initial data.
  [[nodiscard]] std::uint64_t task_seed() const;
};

/// A trial after which the best value changed.
struct Improvement {
  int trial = 0;               // from 0
  double value = 0;            // of the best point so far, noise-free, penalty included, in the problem's own sense
  double suggest_seconds = 0;  // spent by the method up to this trial, the trial included
};

struct CellResult {
  Cell cell;
  Sense sense = Sense::minimize;
  std::optional<double> optimum;      // penalty included; nothing where it is not known
  std::vector<Improvement> best;      // in order of trial
  std::optional<double> recommended;  // noise-free value of the recommended point; noisy problems only
  int evaluations = 0;                // fewer than cell.trials when the space was exhausted
  int failures = 0;
  double suggest_seconds_mean = 0;
  double seconds = 0;
  std::string version;  // and commit of the program that ran it

  std::vector<double> truth;      // validation: at the test points
  std::vector<double> predicted;  // their predictions
  std::vector<double> deviation;  // standard deviation of the predictions over the draws
  std::vector<double> large;      // coefficients: number of |alpha| >= 0.1, mean over the draws; entry k-1: order k

  /// The best value after so many evaluations; nothing if none had succeeded.
  [[nodiscard]] std::optional<double> value_at(int evaluations) const;
  /// The mean of the best value over the first so many evaluations, from the first success on: the area under the
  /// curve.
  [[nodiscard]] std::optional<double> area_at(int evaluations) const;
  /// How much worse than the optimum, >= 0 up to rounding.
  [[nodiscard]] std::optional<double> regret_at(int evaluations) const;
  /// How much better the recommended point is than the best measurement's, both noise-free; nothing if there is no
  /// noise.
  [[nodiscard]] std::optional<double> gain() const;
  /// Of the whole run.
  [[nodiscard]] double suggest_seconds() const { return suggest_seconds_mean * std::max(1, evaluations); }
  /// Seconds of suggestion until a value as good as `target`; nothing if it was never reached.
  [[nodiscard]] std::optional<double> seconds_until(double target) const;
};

/// The result as one line of JSON, without the end of the line, and back. Throws InvalidArgument for text that is none.
std::string to_line(const CellResult& result);
CellResult parse_line(const std::string& line);

}  // namespace bocs
