#pragma once
// The semidefinite relaxation of binary quadratics and its randomized rounding, [BP18] Sec. 3.2.

#include "bocs/minimize/diagonal_sdp.hpp"
#include "bocs/minimize/minimizer.hpp"
#include "bocs/minimize/options.hpp"

namespace bocs {

class Sdp : public Minimizer {
 public:
  explicit Sdp(SdpOptions options = {}) : options_(std::move(options)) {}
  /// Refuses spaces that are not binary and orders above 2.
  void check(const Space& space, const Constraints& constraints, int order) const override;
  /// lower_bound is the certified bound of the relaxation, which does not know the constraints: valid with them, too.
  [[nodiscard]] Minimum minimize(const Polynomial& f, const Allowed& allowed, Rng& rng) const override;

 private:
  SdpOptions options_;
};

/// f(x) = constant + z'Bz with z = (2x - 1, 1), a vector of -1 and 1.
struct Lifting {
  Matrix B;  // (d+1) x (d+1), zero diagonal
  double constant = 0;
};
Lifting lift(const Quadratic& q);

/// A random point by a random hyperplane through the vectors of a solution for Lifting::B.
Point round_hyperplane(const Matrix& V, Rng& rng);
/// The same after Charikar & Wirth (2004): projections beyond T = sqrt(4 log n) are cut, those within decide at random.
Point round_charikar_wirth(const Matrix& V, Rng& rng);

}  // namespace bocs
