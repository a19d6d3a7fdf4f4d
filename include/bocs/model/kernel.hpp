#pragma once
// The kernel of a Gaussian process: how alike f is at two points. A kernel of your own says what the parameters are and
// what one column of the correlation matrix is: docs/extending.md.

#include <memory>
#include <span>

#include "bocs/numeric/matrix.hpp"
#include "bocs/space/space.hpp"

namespace bocs {

/// A kernel over fixed data, with fixed parameters. The kernel outlives it.
class Correlations {
 public:
  virtual ~Correlations() = default;
  /// N x N, of the data among themselves; the strict upper triangle is 0.
  [[nodiscard]] virtual Matrix among_data() const = 0;
  /// Entry (j, k): of data point j with the k-th of the points, which are at least one.
  [[nodiscard]] virtual Matrix with(std::span<const Point> points) const = 0;
  /// Entry t: the sum over j > k of weights(j, k) times the derivative of R(j, k) with respect to log theta_t. R is
  /// what among_data gave; the strict upper triangle of the weights is 0.
  [[nodiscard]] virtual Vector gradient(const Matrix& R, Matrix weights) const = 0;
  /// The same data with other parameters, for a kernel that can keep something of the data; nullptr: it cannot.
  [[nodiscard]] virtual std::unique_ptr<const Correlations> at(const Vector& /*theta*/) const { return nullptr; }
};

/// A correlation function: symmetric, positive semidefinite, 1 where the points are equal. Any number of threads may
/// call it at once; the result depends on the arguments alone.
class Kernel {
 public:
  virtual ~Kernel() = default;

  /// What is usual before anything is known. Parameters are positive; their logarithms are learned, and a normal prior
  /// of standard deviation 1 keeps them near these.
  [[nodiscard]] virtual Vector defaults() const = 0;
  /// result[j] = correlation of data[j] with x.
  virtual void column(std::span<const Point> data, const Point& x, const Vector& theta, double* result) const = 0;
  /// result_t += sum over j of weights[j] times the derivative of column()[j] with respect to log theta_t. Unless a
  /// kernel knows better: by differences of columns.
  virtual void gradient(std::span<const Point> data, const Point& x, const Vector& theta, const double* weights,
                        Vector& result) const;
  /// All of it at once. Unless a kernel knows a faster way: column by column.
  [[nodiscard]] virtual std::unique_ptr<const Correlations> over(std::span<const Point> data,
                                                                 const Vector& theta) const;
};

/// The kernel that is used unless you bring your own: the product of Matérn 5/2 of real numbers
/// (model/smooth_kernel.hpp), a sum of four for each order (model/order_kernel.hpp), and exp(-sum_i w_i dist_i), one
/// weight w_i per coordinate, of all others (model/distance_kernel.hpp).
std::shared_ptr<const Kernel> default_kernel(const Space& space);

}  // namespace bocs
