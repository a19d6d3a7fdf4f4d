#pragma once
// Factorization machines [Ren10]: y = w_0 + sum_i w_i x_i + sum_{i<j} <v_i, v_j> x_i x_j with short vectors v_i, fitted
// by alternating least squares [RGFS11]. With the annealing of its minimum this is FMQA [KGJ+20].

#include "bocs/regress/options.hpp"
#include "bocs/regress/regression.hpp"

namespace bocs {

/// A draw is the fit from random vectors, so draws differ, but they are no posterior.
class Factorization final : public Regression {
 public:
  explicit Factorization(FactorizationOptions options = {}) : options_(options) {}
  /// Refuses orders above 2, and monomials that are added or left out.
  void check(const Basis& basis) const override;
  [[nodiscard]] std::vector<Draw> sample(const Design& X, const Vector& y, int draws, Rng& rng) const override;

 private:
  FactorizationOptions options_;
};

}  // namespace bocs
