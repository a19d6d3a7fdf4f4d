#pragma once
// Products with the order-2 design of many 0/1 features, without storing it.

#include <cstdint>
#include <vector>

#include "bocs/poly/design.hpp"

namespace bocs {

class Pairwise final : public DesignKernel {
 public:
  Pairwise(const Basis& basis, const Matrix& features);
  [[nodiscard]] Vector times(const Vector& u) const override;
  [[nodiscard]] Vector transposed_times(const Vector& w) const override;
  /// Row-sparse SYRK: features (i, j > i) are non-zero only in the rows with x_i = 1.
  [[nodiscard]] Matrix weighted_gram(const Vector& D) const override;

 private:
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  /// Row i: the weight of feature i on the diagonal, of (i, j) at j > i.
  [[nodiscard]] RowMajor upper(const Vector& weights) const;
  /// The first monomial (i, j) of row i and the first such j; pairs of later features follow one by one.
  struct RowStart {
    int monomial = 0;
    int feature = 0;
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

  int group_;  // bits per group of features in times and transposed_times
  int count_;  // F
  int monomials_;
  Matrix B_;                                         // N x F, 0/1
  std::vector<RowMajor> strips_;                     // the same, kStrip columns at a time, one point after the other
  std::vector<RowStart> starts_;                     // per feature
  std::vector<std::vector<int>> on_;                 // per feature: the rows where it is 1
  std::vector<std::vector<std::uint8_t>> patterns_;  // per group: the group's bits in every row
};

}  // namespace bocs
