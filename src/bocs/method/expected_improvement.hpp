#pragma once
// Expected improvement over a model of f: `ei` with a Gaussian process ([BP18] Sec. 4, EI; Jones, Schonlau and Welch
// 1998), `smac` with a random forest (Hutter, Hoos and Leyton-Brown 2011).

#include "bocs/method/method.hpp"
#include "bocs/method/predictor.hpp"

namespace bocs {

/// log E[max(0, best - F)] for F ~ N(mean, variance); -infinity if there is nothing to be gained for certain.
double log_expected_improvement(double mean, double variance, double best);

/// The improvement is that of f + penalty: the model is of f alone, the penalty is known. Running trials enter the
/// model with the mean of all values, so that a batch spreads; failed ones with the worst, so that it keeps away. Never
/// proposes a point that has been seen.
class ExpectedImprovement : public Method {
 public:
  /// The first `initial` points are random, and later ones with probability `random_fraction`.
  ExpectedImprovement(int initial, double random_fraction, FitPredictor fit);

  [[nodiscard]] Proposal propose(const Task& task, const History& history, int number) const override;

 private:
  int initial_;
  double random_fraction_;
  FitPredictor fit_;
};

struct EiOptions {
  int initial = 0;
  int steps = 5;
  void describe(OptionTable& table);
};
std::unique_ptr<Method> make_ei(const Spec& spec, const Space& space);

struct SmacOptions {
  int initial = 0;
  int trees = 50;
  double split_fraction = 5.0 / 6;
  int min_split = 3;
  double random_fraction = 0.2;
  void describe(OptionTable& table);
};
std::unique_ptr<Method> make_smac(const Spec& spec, const Space& space);

}  // namespace bocs
