#pragma once
// The interface of the regressions: data in, draws of the coefficients out.

#include <memory>
#include <vector>

#include "bocs/core/registry.hpp"
#include "bocs/poly/design.hpp"

namespace bocs {

/// One draw from the posterior of (alpha_0, alpha, sigma^2).
struct Draw {
  double intercept = 0;
  Vector alpha;
  double sigma2 = 0;
  int repairs = 0;  // numerical repairs made on the way to it
};

class Regression {
 public:
  virtual ~Regression() = default;
  /// X is N x p, y has N finite entries, N >= 1.
  [[nodiscard]] virtual std::vector<Draw> sample(const Design& X, const Vector& y, int draws, Rng& rng) const = 0;
};

/// "horseshoe", "bayes" or "mle", with their options. Throws InvalidArgument.
std::unique_ptr<Regression> make_regression(const Spec& spec);

std::vector<RegistryEntry> list_regressions();

}  // namespace bocs
