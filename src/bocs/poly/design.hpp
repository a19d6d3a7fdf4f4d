#pragma once
// N points seen through a basis: the N x p matrix X of [BP18] Sec. 3.1 as a notion, not an array. At d = 1000 it would
// fill 4 GB; and where it would fit, its products are still faster without it.

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "bocs/numeric/linalg.hpp"
#include "bocs/poly/basis.hpp"

namespace bocs {

/// One exact way to compute the products, for the columns it serves. Chosen by Design for the size and the kind of the
/// variables. Vectors over the columns have all p entries; those of columns not served are ignored, or 0 in a result.
class DesignKernel {
 public:
  using Two = std::array<Vector, 2>;
  virtual ~DesignKernel() = default;
  [[nodiscard]] virtual Vector times(const Vector& u) const = 0;             // X u
  [[nodiscard]] virtual Vector transposed_times(const Vector& w) const = 0;  // X' w
  [[nodiscard]] virtual Matrix weighted_gram(const Vector& D) const = 0;     // X diag(D) X', lower triangle, D >= 0
  /// Of two vectors, which may be cheaper than one after the other.
  [[nodiscard]] virtual Two times_both(const Two& u) const { return {times(u[0]), times(u[1])}; }
  [[nodiscard]] virtual Two transposed_times_both(const Two& w) const {
    return {transposed_times(w[0]), transposed_times(w[1])};
  }
};

class Design {
 public:
  Design(std::shared_ptr<const Basis> basis, std::span<const Point> points);

  [[nodiscard]] int rows() const { return static_cast<int>(features_.rows()); }  // N
  [[nodiscard]] int cols() const { return basis_->size(); }                      // p
  [[nodiscard]] const Basis& basis() const { return *basis_; }
  /// N x F: the value of every feature at every point.
  [[nodiscard]] const Matrix& features() const { return features_; }
  /// The design of the first points alone.
  [[nodiscard]] Design first(int points) const { return {basis_, features_.topRows(points)}; }

  [[nodiscard]] Vector times(const Vector& u) const { return kernel_->times(u); }
  [[nodiscard]] Vector transposed_times(const Vector& w) const { return kernel_->transposed_times(w); }
  [[nodiscard]] Matrix weighted_gram(const Vector& D) const { return kernel_->weighted_gram(D); }
  using Two = DesignKernel::Two;
  [[nodiscard]] Two times_both(const Two& u) const { return kernel_->times_both(u); }
  [[nodiscard]] Two transposed_times_both(const Two& w) const { return kernel_->transposed_times_both(w); }
  /// The chosen columns of X, N x m, stored.
  [[nodiscard]] Matrix columns(std::span<const int> which) const;

  /// The rows from ... from + count - 1 of X, count x p, stored.
  [[nodiscard]] Matrix rows(int from, int count) const;

  /// Mean of each column.
  [[nodiscard]] const Vector& means() const { return means_; }
  /// 1 for columns that vary over the points, 0 for those that are constant, for they carry no information, and for
  /// those excluded.
  [[nodiscard]] const Vector& varying() const { return varying_; }
  /// 1 for all columns but those that the basis excludes: 0.
  [[nodiscard]] const Vector& included() const { return included_; }

 private:
  Design(std::shared_ptr<const Basis> basis, Matrix features);

  std::shared_ptr<const Basis> basis_;
  Matrix features_;
  std::unique_ptr<DesignKernel> kernel_;
  Vector means_;
  Vector varying_;
  Vector included_;
};

}  // namespace bocs
