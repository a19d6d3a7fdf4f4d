#pragma once
// The Gaussian part of the horseshoe regression, [BP18] Eq. (2), first line. With D = tau2 diag(beta2),
//
//   y | alpha, s2 ~ N(X alpha, s2 I),  alpha | s2 ~ N(0, s2 D):   alpha | y, s2 ~ N(A^-1 X'y, s2 A^-1),  A = X'X +
//   D^-1.
//
// D^-1 is never formed: scales may underflow. Everything comes from M = I + X D X' (N x N, "data space") or
// I + D^1/2 X'X D^1/2 (p x p, "coefficient space"), whose eigenvalues are all >= 1.

#include <memory>

#include "bocs/poly/design.hpp"
#include "bocs/regress/options.hpp"

namespace bocs {

class GaussianPosterior {
 public:
  virtual ~GaussianPosterior() = default;

  /// What is known for one value of tau2.
  struct Factor {
    double tau2 = 0;
    double log_determinant = 0;  // log det M
    double quadratic = 0;        // y' M^-1 y
    int repairs = 0;             // rungs of the jitter ladder, 0 in health
    bool usable = false;
    Matrix L;         // Cholesky factor; of the preconditioner for conjugate gradients
    Vector solution;  // M^-1 y, or the whitened mean A^-1 D^1/2 X'y in coefficient space
    // Conjugate gradients, between solve and draw: u ~ N(0, D) and M^-1 (X u + N(0, I)).
    Vector prior_draw, prior_solution;
  };

  /// New local scales, one per column of X; those of constant columns must be 0.
  virtual void set_scales(const Vector& beta2) = 0;
  /// Fills the factor for tau2 under the current scales; its memory is used again.
  virtual void factorize(double tau2, Factor& factor) const = 0;
  /// Makes quadratic and solution exact: a no-op but for conjugate gradients, which prepare a draw in the same run of
  /// theirs when they are given its stream.
  virtual void solve(Factor&, Rng* /*draw*/) const {}
  /// False when factorize only approximates log_determinant and quadratic (conjugate gradients).
  [[nodiscard]] virtual bool exact_evidence() const { return true; }

  /// E(alpha | y), and a draw from alpha | y, sigma^2; both after solve, the draw with the stream that was given there.
  [[nodiscard]] virtual Vector mean(const Factor& factor) const = 0;
  [[nodiscard]] virtual Vector draw(const Factor& factor, double sigma, Rng& rng) const = 0;

  /// Nanoseconds since the beginning, about: counted operations over rates of one machine, so the same on all.
  [[nodiscard]] double work() const { return work_; }

 protected:
  mutable double work_ = 0;
};

/// y: the observations less their mean. X must outlive the result. A flat intercept centres the columns of X: a
/// rank-two correction, never a centred X. `fastest` chooses by cost.
std::unique_ptr<GaussianPosterior> make_gaussian(const Design& X, Vector y, Intercept intercept,
                                                 GaussianKernel kernel = GaussianKernel::fastest);

}  // namespace bocs
