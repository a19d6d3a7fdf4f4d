#pragma once
// Products with the design of few 0/1 features, by tables over subsets ("four Russians").
//
// Row n of X holds prod_{i in S} x_ni for every monomial S, so (X u)_n = sum_{S subset of x_n} u_S and
// (X diag(D) X')_nm = sum_{S subset of x_n & x_m} D_S: both are one function of a bit set. The features are cut into
// blocks of b bits; every choice of k = order blocks gets a table of that function restricted to the monomials assigned
// to it. Then one look-up per table replaces the sum over all monomials.

#include <cstdint>
#include <vector>

#include "bocs/poly/design.hpp"
#include "bocs/poly/subset_cuts.hpp"

namespace bocs {

/// Serves the regular monomials of 0/1 features alone. `features` has the values of all features at the points.
class SubsetTables final : public DesignKernel {
 public:
  SubsetTables(const Basis& basis, const Matrix& features);  // keeps a reference to the basis
  [[nodiscard]] Vector times(const Vector& u) const override;
  [[nodiscard]] Vector transposed_times(const Vector& w) const override;
  [[nodiscard]] Matrix weighted_gram(const Vector& D) const override;

 private:
  /// The points seen through the tables of a cut.
  struct View {
    const SubsetCut* cut;
    std::vector<std::vector<std::int32_t>> rows;  // per table, for each point: its index into the table
  };
  static View make_view(const Basis& basis, const Matrix& features, double look_ups);

  int points_;
  int monomials_;                 // of the basis
  View products_;                 // small blocks: N look-ups per table
  std::optional<Halves> halves_;  // instead of them, for high orders
  View gram_;                     // large blocks: N^2 / 2 look-ups per table
};

}  // namespace bocs
