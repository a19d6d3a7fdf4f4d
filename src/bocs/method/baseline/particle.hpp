#pragma once
// Sequential Monte Carlo on the black box ([BP18] Sec. 4, PS; Schaefer 2013, "Particle algorithms for optimization on
// binary spaces"): a population drifts from the uniform distribution towards exp(-f / temperature) as the temperature
// falls.

#include "bocs/method/options.hpp"
#include "bocs/method/replay.hpp"
#include "bocs/numeric/linalg.hpp"
#include "bocs/numeric/rng.hpp"

namespace bocs {

/// A generation: cool until only a fraction `keep` of the particles counts, fit logistic conditionals to the weighted
/// particles, resample, propose one move per particle from the fit, and take it by the rule of Metropolis and Hastings.
/// The moves of a generation do not depend on each other: they can be evaluated as one batch. Moves to known points
/// cost nothing. A population that proposes nothing new any more is replaced by a random one.
class ParticleSearch : public Method {
 public:
  explicit ParticleSearch(const ParticleOptions& options) : options_(options) {}  // `particles` already chosen
  [[nodiscard]] Proposal propose(const Task& task, const History& history, int number) const override;
  [[nodiscard]] bool has_fronts() const override { return false; }

 private:
  /// One population from its random beginning, over the known values.
  class Population {
   public:
    Population(const ParticleOptions& options, const Task& task, int restart);
    std::optional<Point> run(const Task& task, const KnownValues& known);  // see Replay; ends when it died out

   private:
    /// One generation; its first point that is not known.
    std::optional<Point> advance(const Task& task, const KnownValues& known);
    /// Systematic: particle j is kept floor or ceil of n weight_j times.
    void resample(const Vector& weights, Rng rng);

    ParticleOptions options_;
    Rng stream_;
    struct Particles {
      std::vector<Point> x;
      Vector values;
      double inverse_temperature;
    };
    Particles now_;
    std::size_t valued_ = 0;  // particles of the beginning whose value is known
    std::uint64_t generation_ = 0;
    int idle_ = 0;                // generations that met known points only
    PointSet met_;                // points of the generation that is not finished may be among them
    std::size_t met_before_ = 0;  // size of met_ after the last generation
  };

  ParticleOptions options_;
  std::unique_ptr<Replay<Population>> populations_ = std::make_unique<Replay<Population>>();
};

/// The increase r >= 0 of the inverse temperature at which weights exp(-r value_j) have the effective number
/// (sum w)^2 / sum w^2 = keep * n; a large one if no increase lowers it that far, 0 if all
/// finite values are the same. Infinite values weigh nothing.
double tempering_step(const Vector& values, double keep);

}  // namespace bocs
