#pragma once
// Points of low energy from an annealer or an Ising machine, made to keep the rules.

#include "bocs/minimize/minimizer.hpp"
#include "bocs/minimize/sampler.hpp"

namespace bocs {

/// Every sample counts; each is repaired to the constraints, if there are any, and improved by single moves. The
/// certified bound of the form is Thompson's to add, so that people see what the machine left.
class Sampled : public Minimizer {
 public:
  explicit Sampled(QuadraticSampler sampler) : sampler_(std::move(sampler)) {}
  /// Refuses spaces that are not binary and orders above 2.
  void check(const Space& space, const Constraints& constraints, int order) const override;
  /// Throws InvalidArgument where the sampler gives no point, or one that is none of the space.
  [[nodiscard]] Minimum minimize(const Polynomial& f, const Allowed& allowed, Rng& rng) const override;

 private:
  QuadraticSampler sampler_;
};

}  // namespace bocs
