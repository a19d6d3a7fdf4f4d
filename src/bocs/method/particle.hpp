#pragma once
// Sequential Monte Carlo on the black box ([BP18] Sec. 4, PS; Schaefer 2013, "Particle algorithms for optimization on
// binary spaces"): a population drifts from the uniform distribution towards exp(-f / temperature) as the temperature
// falls.

#include "bocs/core/linalg.hpp"
#include "bocs/method/method.hpp"

namespace bocs {

struct ParticleOptions {
  int particles = 0;
  double keep = 0.3;
  void describe(OptionTable& table);
};

/// A generation: cool until only a fraction `keep` of the particles counts, fit logistic conditionals to the weighted
/// particles, resample, propose one move per particle from the fit, and take it by the rule of Metropolis and Hastings.
/// The moves of a generation do not depend on each other: they can be evaluated as one batch. Moves to known points
/// cost nothing. A population that proposes nothing new any more is replaced by a random one.
class ParticleSearch : public Method {
 public:
  explicit ParticleSearch(const ParticleOptions& options) : options_(options) {}  // `particles` already chosen
  [[nodiscard]] Proposal propose(const Task& task, const History& history, int number) const override;

 private:
  ParticleOptions options_;
};

/// Throws InvalidArgument unless all variables are binary.
std::unique_ptr<Method> make_particle(const Spec& spec, const Space& space);

/// The increase r >= 0 of the inverse temperature at which weights exp(-r value_j) have the effective number
/// (sum w)^2 / sum w^2 = keep * n; a large one if no increase lowers it that far, 0 if all
/// finite values are the same. Infinite values weigh nothing.
double tempering_step(const Vector& values, double keep);

}  // namespace bocs
