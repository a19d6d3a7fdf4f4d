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

namespace bocs {

class SubsetTables final : public DesignKernel {
 public:
  SubsetTables(const Basis& basis, const Matrix& features);
  [[nodiscard]] Vector times(const Vector& u) const override;
  [[nodiscard]] Vector transposed_times(const Vector& w) const override;
  [[nodiscard]] Matrix weighted_gram(const Vector& D) const override;

 private:
  struct Table {
    std::vector<std::int32_t> rows;   // for each point: its features inside the table's blocks, as a bit set
    std::vector<int> monomials;       // the monomials assigned here ...
    std::vector<std::int32_t> masks;  // ... as bit sets of the table
  };
  /// The tables of one way to cut the features into blocks.
  struct Cut {
    int bits = 0;  // of a table's index: it has 2^bits entries
    std::vector<Table> tables;
  };
  static Cut make_cut(const Basis& basis, const Matrix& features, double look_ups);

  int order_;
  int points_;
  int monomials_;
  Cut products_;  // small blocks: N look-ups per table
  Cut gram_;      // large blocks: N^2 / 2 look-ups per table
};

}  // namespace bocs
