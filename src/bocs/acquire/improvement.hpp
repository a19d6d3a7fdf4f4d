#pragma once
// Expected improvement over the best value seen, under any model (Jones, Schonlau and Welch 1998; [BP18] Sec. 4, EI).

#include "bocs/acquire/acquisition.hpp"

namespace bocs {

/// log E[max(0, best - F)] for F ~ N(mean, variance); -infinity if there is nothing to be gained for certain.
double log_expected_improvement(double mean, double variance, double best);

/// The improvement is that of f + penalty: the model is of f alone, the penalty is known. Running trials enter it with
/// the mean of all values, so that a batch spreads; failed ones with the worst, so that it keeps away. Where
/// measurements are random, the improvement is over the best value the model predicts at a measured point. A point
/// that has been seen is proposed only where repeats are allowed.
class ExpectedImprovement : public Acquisition {
 public:
  explicit ExpectedImprovement(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

  [[nodiscard]] Proposal choose(const Situation& now) const override;
  [[nodiscard]] const Model& model() const override { return *model_; }

 private:
  std::shared_ptr<const Model> model_;
};

}  // namespace bocs
