#include "bocs/poly/halves.hpp"

#include <algorithm>
#include <map>

#include "bocs/poly/basis.hpp"

namespace bocs {
namespace {

using Product = std::vector<int>;  // features, ascending
struct Shorter {                   // sorts by degree
  bool operator()(const Product& a, const Product& b) const { return std::pair(a.size(), a) < std::pair(b.size(), b); }
};
using Index = std::map<Product, int, Shorter>;

HalfSplit::Half make_half(Index& index, int order) {
  HalfSplit::Half half;
  for (auto& [product, number] : index) {
    number = static_cast<int>(half.parent.size());
    while (half.begin.size() <= product.size()) half.begin.push_back(number);
    const Product parent(product.begin(), product.empty() ? product.end() : product.end() - 1);
    half.parent.push_back(product.empty() ? -1 : index.at(parent));
    half.feature.push_back(product.empty() ? -1 : product.back());
  }
  while (static_cast<int>(half.begin.size()) <= order + 1) half.begin.push_back(static_cast<int>(index.size()));
  return half;
}

/// One column for every monomial of the half.
Matrix make_columns(const HalfSplit::Half& half, const Matrix& features) {
  Matrix columns(features.rows(), half.size());
  columns.col(0).setOnes();
  for (int i = 1; i < half.size(); ++i) {
    columns.col(i) = columns.col(half.parent[i]).cwiseProduct(features.col(half.feature[i]));
  }
  return columns;
}

}  // namespace

HalfSplit::HalfSplit(const Basis& basis) {
  const auto features = basis.features();
  std::vector<int> zero_one;
  for (int f = 0; f < static_cast<int>(features.size()); ++f) {
    if (features[f].scale == 0) zero_one.push_back(f);
  }
  const int first_of_B = zero_one[zero_one.size() / 2];
  const int order = basis.regular_order();
  const auto split = [&](int k) {
    const auto monomial = basis.monomial(k);
    const auto middle = std::lower_bound(monomial.begin(), monomial.end(), first_of_B);
    return std::pair(Product(monomial.begin(), middle), Product(middle, monomial.end()));
  };

  Index in_A{{{}, 0}}, in_B{{{}, 0}};
  for (int k = 0; k < basis.regular_size(); ++k) {
    const auto monomial = basis.monomial(k);
    if (std::any_of(monomial.begin(), monomial.end(), [&](int f) { return features[f].scale > 0; })) continue;
    monomials.push_back(k);
    const auto [a, b] = split(k);
    in_A.emplace(a, 0);
    in_B.emplace(b, 0);
  }
  A = make_half(in_A, order);
  B = make_half(in_B, order);
  for (int b = 0; b <= order; ++b) {
    const int rows = A.begin[order - b + 1], columns = B.begin[b + 1] - B.begin[b];
    blocks.push_back({size, rows, columns});
    size += rows * columns;
  }
  for (const int k : monomials) {
    const auto [a, b] = split(k);
    const Block& block = blocks[b.size()];
    places.push_back(block.begin + (in_B.at(b) - B.begin[b.size()]) * block.rows + in_A.at(a));
  }
}

Halves::Halves(const HalfSplit& split, const Matrix& features)
    : split_(&split),
      A_(make_columns(split.A, features)),
      B_(make_columns(split.B, features)),
      A_transposed_(A_.transpose()) {}

Vector Halves::times(const Vector& u) const {
  Vector packed = Vector::Zero(split_->size);
  for (std::size_t i = 0; i < split_->places.size(); ++i) packed(split_->places[i]) = u(split_->monomials[i]);
  Vector result = Vector::Zero(B_.rows());
  Matrix product;
  for (std::size_t b = 0; b < split_->blocks.size(); ++b) {
    const auto [begin, rows, columns] = split_->blocks[b];
    if (columns == 0) continue;
    const Eigen::Map<const Matrix> block(packed.data() + begin, rows, columns);
    multiply(A_.leftCols(rows), block, product);
    for (int j = 0; j < columns; ++j) result += product.col(j).cwiseProduct(B_.col(split_->B.begin[b] + j));
  }
  return result;
}

Vector Halves::transposed_times(const Vector& w, int monomials) const {
  Vector packed(split_->size);
  Matrix product;
  for (std::size_t b = 0; b < split_->blocks.size(); ++b) {
    const auto [begin, rows, columns] = split_->blocks[b];
    if (columns == 0) continue;
    const Matrix weighted = w.asDiagonal() * B_.middleCols(split_->B.begin[b], columns);
    multiply(A_transposed_.topRows(rows), weighted, product);
    packed.segment(begin, rows * columns) = product.reshaped();
  }
  Vector result = Vector::Zero(monomials);
  for (std::size_t i = 0; i < split_->places.size(); ++i) result(split_->monomials[i]) = packed(split_->places[i]);
  return result;
}

}  // namespace bocs
