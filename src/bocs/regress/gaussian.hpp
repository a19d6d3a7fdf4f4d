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

  /// The evidence for one value of tau2, and what a solution begins with.
  struct Factor {
    double tau2 = 0;
    double log_determinant = 0;  // log det M
    double quadratic = 0;        // y' M^-1 y
    int repairs = 0;             // rungs of the jitter ladder, 0 in health
    bool usable = false;
    Matrix L;         // Cholesky factor; of the preconditioner for conjugate gradients
    Vector solution;  // M^-1 y, or the whitened mean A^-1 D^1/2 X'y in coefficient space
  };

  /// alpha | y under one factor. The factor, the scales and the stream it was made with must stay as they are.
  struct Solution {
    const GaussianPosterior* gaussian;
    const Factor* factor;
    Rng* rng;          // for the draw
    double quadratic;  // y' M^-1 y
    Vector solution;   // as in the factor
    // Where a draw is a part of the solution (conjugate gradients): u ~ N(0, D) and M^-1 (X u + N(0, I)).
    Vector prior_draw = {}, prior_solution = {};

    /// E(alpha | y)
    [[nodiscard]] Vector mean() const { return gaussian->mean(factor->tau2, solution); }
    /// From alpha | y, sigma^2.
    [[nodiscard]] Vector draw(double sigma) const { return gaussian->draw(*this, sigma); }
  };

  /// New local scales, one per column of X; those of constant columns must be 0.
  virtual void set_scales(const Vector& beta2) = 0;
  /// Fills the factor for tau2 under the current scales; its memory is used again. Several threads may prepare factors.
  virtual void prepare(double tau2, Factor& factor) const = 0;
  /// False when prepare only approximates log_determinant and quadratic (conjugate gradients).
  [[nodiscard]] virtual bool exact_evidence() const { return true; }
  /// rng: for its draw; nullptr: none will be wanted.
  [[nodiscard]] virtual Solution solve(const Factor& factor, Rng* rng) {
    return {this, &factor, rng, factor.quadratic, factor.solution};
  }

  /// Nanoseconds since the beginning, about: counted operations over rates of one machine, so the same on all.
  [[nodiscard]] double work() const { return work_; }

 protected:
  /// E(alpha | y) of M^-1 y, or of the whitened mean.
  [[nodiscard]] virtual Vector mean(double tau2, const Vector& solution) const = 0;
  [[nodiscard]] virtual Vector draw(const Solution& solution, double sigma) const = 0;

  double work_ = 0;
};

/// y: the observations less their mean. X must outlive the result. A flat intercept centres the columns of X: a
/// rank-two correction, never a centred X. `fastest` chooses by cost.
std::unique_ptr<GaussianPosterior> make_gaussian(const Design& X, Vector y, Intercept intercept,
                                                 GaussianKernel kernel = GaussianKernel::fastest);

}  // namespace bocs
