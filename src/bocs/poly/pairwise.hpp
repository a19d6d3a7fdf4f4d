#pragma once
// Products with the order-2 design of many features, without storing it.

#include <cstdint>
#include <span>
#include <vector>

#include "bocs/poly/design.hpp"

namespace bocs {

/// Numbers of columns that are treated together: those of all patterns of a group (pairwise.cpp), for two vectors, fit
/// the first-level cache.
struct alignas(64) ColumnStrip {
  using Four = double __attribute__((vector_size(32), aligned(32)));  // split by the compiler for older processors
  static constexpr int kFours = 4;
  static constexpr int kColumns = 4 * kFours;
  Four at[kFours];
  double& operator[](int column) { return reinterpret_cast<double*>(at)[column]; }
};

/// Serves the 0/1 features and their pairs with any other feature. It counts the 0/1 features first: "row" features,
/// whose zeros save work; then the others.
class Pairwise final : public DesignKernel {
 public:
  Pairwise(const Basis& basis, const Matrix& features);
  [[nodiscard]] Vector times(const Vector& u) const override { return product({&u, 1}).front(); }
  [[nodiscard]] Vector transposed_times(const Vector& w) const override { return transposed_product({&w, 1}).front(); }
  [[nodiscard]] Two times_both(const Two& u) const override;
  [[nodiscard]] Two transposed_times_both(const Two& w) const override;
  /// Row-sparse SYRK: pairs (i, j > i) are non-zero only in the points with x_i = 1.
  [[nodiscard]] Matrix weighted_gram(const Vector& D) const override;

 private:
  /// The monomials of a row feature i.
  struct Row {
    int single = 0;
    int first = 0;           // feature j of the first pair (i, j); the features of one variable have no pairs
    std::vector<int> pairs;  // (i, first), (i, first + 1), ...
  };

  /// Of one or two vectors at once; the points are read once.
  [[nodiscard]] std::vector<Vector> product(std::span<const Vector> u) const;
  [[nodiscard]] std::vector<Vector> transposed_product(std::span<const Vector> w) const;

  /// The part of row feature i in weighted_gram, at the n points where it is 1: n x n numbers, and room to make them.
  struct RowGram {
    std::vector<double> product, columns;
    void fill(const Pairwise& design, std::size_t i, const Vector& D);
  };
  /// Calls body(column of strip s, monomial) for the monomials of row feature i there.
  template <class Body>
  void for_each_monomial(int i, int s, const Body& body) const;
  /// Calls body(strip, group) where the group has pairs with the strip, for one of kParts parts of the strips.
  template <class Body>
  void for_each_block(int part, const Body& body) const;
  static constexpr int kParts = 4;

  /// Nanoseconds, about, of a product with one vector and of weighted_gram.
  [[nodiscard]] double product_cost() const { return static_cast<double>(B_.rows()) * count_ * count_ / 64; }
  [[nodiscard]] double gram_cost() const { return product_cost() * static_cast<double>(B_.rows()) / 2.5; }

  int group_;                                        // bits per group of features in times and transposed_times
  int count_;                                        // F
  int monomials_;                                    // of the basis
  Matrix B_;                                         // N x F
  std::vector<std::vector<ColumnStrip>> strips_;     // the same, some columns at a time, one point after the other
  std::vector<Row> rows_;                            // per row feature
  std::vector<std::vector<int>> on_;                 // per row feature: the points where it is 1
  std::vector<std::vector<std::uint8_t>> patterns_;  // per group: the group's bits in every point
};

}  // namespace bocs
