#pragma once
// Products with the order-2 design of many features, without storing it.

#include <cstdint>
#include <vector>

#include "bocs/poly/design.hpp"

namespace bocs {

/// Serves the 0/1 features and their pairs with any other feature. It counts the 0/1 features first: "row" features,
/// whose zeros save work; then the others.
class Pairwise final : public DesignKernel {
 public:
  Pairwise(const Basis& basis, const Matrix& features);
  [[nodiscard]] Vector times(const Vector& u) const override;
  [[nodiscard]] Vector transposed_times(const Vector& w) const override;
  /// Row-sparse SYRK: pairs (i, j > i) are non-zero only in the points with x_i = 1.
  [[nodiscard]] Matrix weighted_gram(const Vector& D) const override;

 private:
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  /// Row i: the weight of feature i on the diagonal, of (i, j) at j > i.
  [[nodiscard]] RowMajor upper(const Vector& weights) const;
  /// The monomials of a row feature i.
  struct Row {
    int single = 0;
    int first = 0;           // feature j of the first pair (i, j); the features of one variable have no pairs
    std::vector<int> pairs;  // (i, first), (i, first + 1), ...
  };

  static constexpr int kStrip = 64;  // columns treated together: N of them and the 2^g sums fit the second-level cache

  /// A group of features, and the columns `begin ... begin + width - 1` of the sums of its 2^g patterns. Starts at the
  /// group's own first feature, or later.
  struct Strip {
    int first;    // feature of the group
    int members;  // features in the group
    int begin;
    int width;
    const std::uint8_t* patterns;  // of the points
    const double* points;          // the columns of point n start at n * kStrip
    double* sums;
    [[nodiscard]] double* row(int pattern) const { return sums + static_cast<std::ptrdiff_t>(pattern) * kStrip; }
  };
  template <class Body>
  void for_each_strip(const Body& body) const;

  int group_;                                        // bits per group of features in times and transposed_times
  int count_;                                        // F
  int monomials_;                                    // of the basis
  Matrix B_;                                         // N x F
  std::vector<RowMajor> strips_;                     // the same, kStrip columns at a time, one point after the other
  std::vector<Row> rows_;                            // per row feature
  std::vector<std::vector<int>> on_;                 // per row feature: the points where it is 1
  std::vector<std::vector<std::uint8_t>> patterns_;  // per group: the group's bits in every point
};

}  // namespace bocs
