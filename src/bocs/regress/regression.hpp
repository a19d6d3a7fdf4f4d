#pragma once
// The interface of the regressions: data in, draws of the coefficients out.

#include <memory>
#include <vector>

#include "bocs/base/alternatives.hpp"
#include "bocs/poly/design.hpp"
#include "bocs/regress/options.hpp"

namespace bocs {

/// One draw from the posterior of (alpha_0, alpha, sigma^2).
struct Draw {
  double intercept = 0;
  Vector alpha;
  double sigma2 = 0;
  int repairs = 0;  // numerical repairs made on the way to it
};

/// The first `rows` rows of the data: earlier and later calls with the same stream have them as well.
struct StablePrefix {
  int rows = 0;
  Rng stream;
};

class Regression {
 public:
  virtual ~Regression() = default;
  /// Throws InvalidArgument when it cannot treat polynomials over this basis.
  virtual void check(const Basis& /*basis*/) const {}
  /// X is N x p, y has N finite entries, N >= 1.
  [[nodiscard]] virtual std::vector<Draw> sample(const Design& X, const Vector& y, int draws, Rng& rng) const = 0;
  /// The same, where a model may spend most of its work on stable data, once for many calls. Other draws than those of
  /// the function above; still a function of the arguments alone.
  [[nodiscard]] virtual std::vector<Draw> sample(const Design& X, const Vector& y, const StablePrefix& stable,
                                                 int draws, Rng& rng) const {
    static_cast<void>(stable);
    return sample(X, y, draws, rng);
  }
};

/// Their names: "horseshoe", "bayes", "mle", "factorization".
const Alternatives<RegressionOptions>& regressions();

/// Throws InvalidArgument for options out of bounds.
std::unique_ptr<Regression> make_regression(const RegressionOptions& options);
/// "horseshoe:sweeps=50". Throws InvalidArgument.
std::unique_ptr<Regression> make_regression(const Spec& spec);

}  // namespace bocs
