#pragma once
// Models of what evaluations report besides the first number: outcomes that have limits, and further goals.

#include <memory>
#include <vector>

#include "bocs/acquire/acquisition.hpp"
#include "bocs/model/scalarization.hpp"
#include "bocs/model/values.hpp"

namespace bocs {

/// The limits of a task, each outcome with a model of its own.
class LimitModels {
 public:
  LimitModels(const ProposalContext& now, const Values& values, const Model& model);

  [[nodiscard]] bool empty() const { return outcomes_.empty(); }
  /// log of the chance that a point is within all limits; outcomes are taken to be independent.
  [[nodiscard]] Vector log_chance(std::span<const Point> points) const;
  /// How far outside the limits each of values.complete() is, in standard deviations of the outcomes, as reported or,
  /// where measurements are random, as predicted; 0 for those that are allowed.
  [[nodiscard]] const Vector& violations() const { return violations_; }

 private:
  struct Outcome {
    double low, high;  // standardized
    std::unique_ptr<Posterior> posterior;
  };
  std::vector<Outcome> outcomes_;
  Vector violations_;
};

/// log P(low <= F <= high) for F ~ N(mean, variance), also where the chance is too small for a double.
double log_chance_between(double low, double high, double mean, double variance);

/// f + penalty under the scalarization of the trial. `first` is the model of the first goal in units of `standard`.
std::unique_ptr<Posterior> scalarized(const ProposalContext& now, const Values& values, const Model& model,
                                      std::unique_ptr<Posterior> first, const Standard& standard,
                                      const Scalarization& scalarization);

}  // namespace bocs
