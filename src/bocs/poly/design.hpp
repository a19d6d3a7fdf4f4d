#pragma once
// N points seen through a basis: the N x p matrix X of [BP18] Sec. 3.1 as a notion, not an array.

#include <memory>
#include <span>

#include "bocs/core/linalg.hpp"
#include "bocs/poly/basis.hpp"

namespace bocs {

class Design {
 public:
  Design(std::shared_ptr<const Basis> basis, std::span<const Point> points);

  [[nodiscard]] int rows() const;  // N
  [[nodiscard]] int cols() const;  // p
  [[nodiscard]] const Basis& basis() const;
  [[nodiscard]] const std::shared_ptr<const Basis>& shared_basis() const;

  [[nodiscard]] Vector times(const Vector& u) const;             // X u
  [[nodiscard]] Vector transposed_times(const Vector& w) const;  // X' w
  [[nodiscard]] Matrix gram() const;                             // X' X, lower triangle of p x p
  [[nodiscard]] Matrix weighted_gram(const Vector& D) const;     // X diag(D) X', lower triangle of N x N: the hot spot
};

}  // namespace bocs
