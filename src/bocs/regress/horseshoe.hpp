#pragma once
// Sparse Bayesian linear regression with the horseshoe prior, [BP18] Sec. 3.1, by Gibbs sampling.

#include "bocs/regress/gaussian.hpp"
#include "bocs/regress/regression.hpp"

namespace bocs {

struct HorseshoeOptions {
  int sweeps = 0;                     // before the first draw; 0: 25 collapsed, 1000 auxiliary
  int thin = 1;                       // sweeps from one draw to the next
  std::string intercept = "flat";     // flat | mean, see regress/gaussian.hpp
  std::string sampler = "collapsed";  // collapsed | auxiliary
  std::string kernel = "fastest";     // fastest | coefficients | data | gradients

  void describe(OptionTable& table);
};

/// The sampler `collapsed` starts from a few reweighted ridge fits (EM), moves tau by Metropolis steps with alpha and
/// sigma^2 integrated out, and draws sigma^2 with alpha integrated out: it has converged where the plain
/// auxiliary-variable sampler of [MS16], `auxiliary`, still remembers its start. Every chain starts cold: a draw is a
/// function of the data and the stream alone.
class Horseshoe final : public Regression {
 public:
  explicit Horseshoe(HorseshoeOptions options = {});
  [[nodiscard]] std::vector<Draw> sample(const Design& X, const Vector& y, int draws, Rng& rng) const override;

  /// log tau^2 of every draw as well, for tests of the chain.
  struct Trace {
    std::vector<Draw> draws;
    std::vector<double> log_tau2;
  };
  [[nodiscard]] Trace trace(const Design& X, const Vector& y, int draws, Rng& rng) const;

 private:
  HorseshoeOptions options_;
};

}  // namespace bocs
