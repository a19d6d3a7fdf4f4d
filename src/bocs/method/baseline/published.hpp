#pragma once
// Two competitors as the paper ran them ([BP18] Sec. 4: SA, OLS): every step is paid for, and nothing starts again.
// Ours (annealing.hpp, local.hpp) are stronger.

#include "bocs/method/method.hpp"

namespace bocs {

/// One walk over the trials: every trial is a neighbour of the point the walk is at, or the start, and is evaluated
/// even if it is known. "authors": it is taken with probability exp(-increase / T), T = 0.8^t after t steps. "spears":
/// with probability 1 / (1 + exp(increase / T)), T = 0.3 exp(-t / d^2), which is the first run of Spears (1993), who
/// counts sweeps over the d variables. Temperatures are in units of the objective.
class PublishedAnnealing : public Method {
 public:
  explicit PublishedAnnealing(bool spears) : spears_(spears) {}
  [[nodiscard]] Proposal propose(const Task& task, const History& history, int number) const override;
  [[nodiscard]] bool has_fronts() const override { return false; }

 private:
  bool spears_;
};

/// All neighbours, then the best of them, until none is better: then the local optimum again and again.
class PublishedLocalSearch : public Method {
 public:
  [[nodiscard]] Proposal propose(const Task& task, const History& history, int number) const override;
  [[nodiscard]] bool has_fronts() const override { return false; }
};

}  // namespace bocs
