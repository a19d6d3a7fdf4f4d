#pragma once
// Sparse Bayesian linear regression with the horseshoe prior, [BP18] Sec. 3.1, by Gibbs sampling.

#include "bocs/regress/anchor.hpp"
#include "bocs/regress/gaussian.hpp"
#include "bocs/regress/regression.hpp"

namespace bocs {

/// The sampler `collapsed` starts from a few reweighted ridge fits (EM), moves tau by Metropolis steps with alpha and
/// sigma^2 integrated out, and draws sigma^2 with alpha integrated out: it has converged where the plain
/// auxiliary-variable sampler of [MS16], `auxiliary`, still remembers its start. A draw is a function of the data and
/// the streams alone: a chain starts cold, or, where data are stable, from the state at their anchor (anchor.hpp).
class Horseshoe final : public Regression {
 public:
  explicit Horseshoe(HorseshoeOptions options = {});
  [[nodiscard]] std::vector<Draw> sample(const Design& X, const Vector& y, int draws, Rng& rng) const override;
  [[nodiscard]] std::vector<Draw> sample(const Design& X, const Vector& y, const StablePrefix& stable, int draws,
                                         Rng& rng) const override;

  /// log tau^2 of every draw as well, for tests of the chain.
  struct Trace {
    std::vector<Draw> draws;
    std::vector<double> log_tau2;
  };
  [[nodiscard]] Trace trace(const Design& X, const Vector& y, int draws, Rng& rng) const;
  [[nodiscard]] Trace trace(const Design& X, const Vector& y, const StablePrefix& stable, int draws, Rng& rng) const;

 private:
  [[nodiscard]] Trace run(const Design& X, const Vector& y, const ChainState* start, int draws, Rng& rng) const;

  HorseshoeOptions options_;
  std::unique_ptr<AnchorCache> anchors_ = std::make_unique<AnchorCache>();
};

}  // namespace bocs
