#pragma once
// Products with the design of few 0/1 features and a high order, by halves. Cut the features into A and B; a monomial
// is a product of one of A, of degree a, and one of B, of degree b, with a + b <= order. With the monomials of both
// halves sorted by degree, X u and X'w are one small matrix product for every b.

#include <vector>

#include "bocs/numeric/linalg.hpp"

namespace bocs {

class Basis;

/// The monomials of a basis by halves. Depends on the basis alone.
struct HalfSplit {
  explicit HalfSplit(const Basis& basis);

  /// The monomials of the features of one half: the empty one, then by degree. Each is an earlier one times a feature.
  struct Half {
    std::vector<int> parent;
    std::vector<int> feature;
    std::vector<int> begin;  // of each degree, and the end
    [[nodiscard]] int size() const { return begin.back(); }
  };
  Half A, B;
  /// The coefficients as matrices one after the other, of degree b in B for b = 0 ... order: a row for every monomial
  /// of A of degree <= order - b, a column for every monomial of B of degree b.
  struct Block {
    int begin, rows, columns;
  };
  std::vector<Block> blocks;
  std::vector<int> monomials;  // of the basis: those of 0/1 features alone ...
  std::vector<int> places;     // ... and where their coefficients stand
  int size = 0;                // of all matrices together
};

/// Serves the monomials of the split, for points given by the values of all features. Keeps a reference to the split.
class Halves {
 public:
  Halves(const HalfSplit& split, const Matrix& features);
  [[nodiscard]] Vector times(const Vector& u) const;
  [[nodiscard]] Vector transposed_times(const Vector& w, int monomials) const;

 private:
  const HalfSplit* split_;
  Matrix A_, B_;         // N x (monomials of the half)
  Matrix A_transposed_;  // both, so that every product has its operands as they are stored
};

}  // namespace bocs
