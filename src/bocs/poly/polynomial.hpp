#pragma once
// The interface between models and minimizers: regressions produce polynomials, minimizers consume them.

#include <memory>
#include <optional>

#include "bocs/numeric/linalg.hpp"
#include "bocs/poly/basis.hpp"
#include "bocs/poly/quadratic.hpp"
#include "bocs/trial/trial.hpp"

namespace bocs {

/// f(x) = constant + sum_k alpha_k m_k(x) + sum_i offset_i(x_i): [BP18] Eq. (1), any order, and a separable part.
class Polynomial {
 public:
  Polynomial(std::shared_ptr<const Basis> basis, Vector alpha, double constant = 0);

  double operator()(const Point& x) const;

  /// Adds the penalty of a task (trial.hpp): l1 |x|_1 + l2 |x|_2^2, [BP18] Eq. (4): into the linear coefficients of
  /// binary variables, as an offset per level of integer ones.
  void add_penalty(const Task& task);

  /// Adds weight * sum in the same way.
  void add(const KnownSum& sum, double weight);
  /// Adds weight * the monomials of another one over the same basis.
  void add(const Polynomial& other, double weight);
  /// weight * this
  void scale(double weight);

  /// As a quadratic form; nothing unless the space is binary and the order at most 2.
  [[nodiscard]] std::optional<Quadratic> quadratic() const;

  [[nodiscard]] const Basis& basis() const { return *basis_; }
  [[nodiscard]] const Space& space() const { return basis_->space(); }
  [[nodiscard]] const Vector& alpha() const { return alpha_; }
  [[nodiscard]] double constant() const { return constant_; }
  /// The separable part of variable i: one number per level, or empty when there is none.
  [[nodiscard]] const std::vector<double>& offsets(int variable) const;

 private:
  std::shared_ptr<const Basis> basis_;
  Vector alpha_;
  double constant_;
  std::vector<double>& offsets_of(int variable);

  std::vector<std::vector<double>> offsets_;  // per variable; empty: none anywhere
};

}  // namespace bocs
