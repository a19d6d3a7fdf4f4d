#pragma once
// What evaluations report besides the first number: further goals, and outcomes that have limits. One posterior has
// them all (Model::fit_all).

#include <vector>

#include "bocs/acquire/acquisition.hpp"
#include "bocs/model/scalarization.hpp"
#include "bocs/model/values.hpp"

namespace bocs {

class OtherNumbers {
 public:
  /// `first` is the unit of the first number: that of a posterior's first output.
  OtherNumbers(const ProposalContext& now, const Values& values, const Standard& first);

  /// What was measured at values.complete(): a column for each, standardized. A metric that is a goal and has a limit
  /// has two.
  [[nodiscard]] const Matrix& measured() const { return measured_; }
  [[nodiscard]] bool has_limits() const { return !limits_.empty(); }
  [[nodiscard]] bool has_front() const { return scalarization_.has_value(); }

  /// The number to improve on: the first output, with several goals f + penalty under the scalarization of the trial.
  [[nodiscard]] Prediction objective(std::vector<Prediction>& outputs, std::span<const Point> points) const;
  [[nodiscard]] double objective(const Trial& trial) const { return (*scalarization_)(goal_values(now_.task, trial)); }
  /// log of the chance that point i is within all limits; outcomes are taken to be independent.
  [[nodiscard]] double log_chance(const std::vector<Prediction>& outputs, Eigen::Index i) const;
  /// Is what is expected at point i within all limits?
  [[nodiscard]] bool is_expected_within(const std::vector<Prediction>& outputs, Eigen::Index i) const;
  /// How far outside the limits each of values.complete() is, in standard deviations of the outcomes, as reported or,
  /// where measurements are random, as predicted; 0 for those that are allowed.
  [[nodiscard]] Vector violations(const Posterior& posterior) const;

 private:
  struct Limit {
    double low, high;  // standardized
    const OutcomeLimit* limit;
    std::size_t output;
  };
  struct MeasuredGoal {
    double shift, scale;  // a unit of the posterior in units of the goal
    std::size_t output;
  };
  Standard add(Vector y);

  const ProposalContext& now_;
  const Values& values_;
  Matrix measured_;
  std::vector<MeasuredGoal> goals_;  // of the task's goals, in their order, those that are not known
  std::vector<Limit> limits_;
  std::optional<Scalarization> scalarization_;
};

/// log P(low <= F <= high) for F ~ N(mean, variance), also where the chance is too small for a double.
double log_chance_between(double low, double high, double mean, double variance);

}  // namespace bocs
