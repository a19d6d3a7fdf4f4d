#include "bocs/poly/subset_tables.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "bocs/numeric/config.hpp"
#include "bocs/numeric/numbers.hpp"

namespace bocs {
namespace {

constexpr int kHalves = 4;         // orders from which products by halves are faster
constexpr int kMaxTableBits = 12;  // 4096 doubles: a table fits the first-level cache

/// Bits per block: the least work for building the tables and looking up.
int block_bits(int features, int order, double look_ups) {
  int best = 1;
  double best_cost = INFINITY;
  for (int b = 1; b * order <= std::max(kMaxTableBits, order); ++b) {
    const int blocks = std::max((features + b - 1) / b, order);
    const double build = 0.7 * order * std::exp2(b * order) + 100;
    const double cost = binomial(blocks, order) * (build + look_ups);
    if (cost < best_cost) {
      best_cost = cost;
      best = b;
    }
  }
  return best;
}

/// table[s] = sum of weight[prefix | S] over the sets S inside s (s over `bits` bits) with at most `order` elements: by
/// doubling, table[s + 2^j] = table[s] + (the same, one order lower, for the sets that contain j).
/// scratch: 2^bits numbers for every order.
BOCS_MULTIVERSION
void subset_sums(const double* __restrict weight, int prefix, int bits, int order, double* __restrict table,
                 double* __restrict scratch) {
  table[0] = weight[prefix];
  for (int j = 0; j < bits; ++j) {
    const int half = 1 << j;
    if (order == 1) {
      const double w = weight[prefix | half];
      for (int s = 0; s < half; ++s) table[s + half] = table[s] + w;
      continue;
    }
    if (order == 2) {  // the order-1 sums written out: no call for the many short ones
      scratch[0] = weight[prefix | half];
      for (int i = 0; i < j; ++i) {
        const double w = weight[prefix | half | 1 << i];
        for (int s = 0; s < 1 << i; ++s) scratch[s + (1 << i)] = scratch[s] + w;
      }
    } else {
      subset_sums(weight, prefix | half, j, order - 1, scratch, scratch + half);
    }
    for (int s = 0; s < half; ++s) table[s + half] = table[s] + scratch[s];
  }
}

/// The transpose: sum[prefix | S] = sum of table[s] over all s that contain S, for the sets S of at most `order`
/// elements. Overwrites the table.
BOCS_MULTIVERSION
void superset_sums(double* __restrict table, int prefix, int bits, int order, double* __restrict sum,
                   double* __restrict scratch) {
  for (int j = bits - 1; j >= 0; --j) {
    const int half = 1 << j;
    if (order == 1) {
      double total = 0;
      for (int s = 0; s < half; ++s) total += table[s + half];
      sum[prefix | half] = total;
    } else {
      std::copy(table + half, table + 2 * half, scratch);
      superset_sums(scratch, prefix | half, j, order - 1, sum, scratch + half);
    }
    for (int s = 0; s < half; ++s) table[s] += table[s + half];
  }
  sum[prefix] = table[0];
}

/// Memory for one table at a time.
class Workspace {
 public:
  explicit Workspace(int bits)
      : size_(std::size_t{1} << bits),
        weight_(size_, 0.0),
        entry_(std::make_unique_for_overwrite<double[]>(size_)),
        scratch_(std::make_unique_for_overwrite<double[]>(2 * size_)) {}

  /// entry[s] = sum of the weights of the monomials inside s.
  const double* fill(const SubsetCut& cut, const SubsetCut::Table& table, const Vector& weights) {
    for (std::size_t i = 0; i < table.masks.size(); ++i) weight_[table.masks[i]] = weights(table.monomials[i]);
    subset_sums(weight_.data(), 0, cut.bits(), cut.order, entry_.get(), scratch_.get());
    for (const auto mask : table.masks) weight_[mask] = 0;
    return entry_.get();
  }
  /// A table of zeros to add to, then the sum over all sets that contain each mask.
  double* zeros() {
    std::fill_n(entry_.get(), size_, 0.0);
    return entry_.get();
  }
  const double* collect(const SubsetCut& cut) {
    superset_sums(entry_.get(), 0, cut.bits(), cut.order, weight_.data(), scratch_.get());
    return weight_.data();
  }

 private:
  std::size_t size_;
  std::vector<double> weight_;
  std::unique_ptr<double[]> entry_;
  std::unique_ptr<double[]> scratch_;
};

/// column[m] += entry[row & rows[m]] for m = 0 ... count-1.
BOCS_MULTIVERSION
void look_up(const double* __restrict entry, std::int32_t row, const std::int32_t* __restrict rows, int count,
             double* __restrict column) {
  for (int m = 0; m < count; ++m) column[m] += entry[row & rows[m]];
}

}  // namespace

SubsetTables::SubsetTables(const Basis& basis, const Matrix& features)
    : points_(static_cast<int>(features.rows())), monomials_(basis.size()) {
  const double N = points_;
  if (basis.regular_order() >= kHalves) {
    halves_.emplace(basis.cuts().halves(basis), features);
  } else {
    products_ = make_view(basis, features, N);
  }
  gram_ = make_view(basis, features, N * (N + 1) / 2);
}

SubsetTables::View SubsetTables::make_view(const Basis& basis, const Matrix& features, double look_ups) {
  std::vector<Eigen::Index> columns;  // of the 0/1 features
  for (Eigen::Index f = 0; f < features.cols(); ++f) {
    if (basis.features()[f].scale == 0) columns.push_back(f);
  }
  const int count = static_cast<int>(columns.size());
  const int b = block_bits(count, std::min(basis.regular_order(), count), look_ups);
  View view{&basis.cuts().get(basis, b), {}};
  const auto N = static_cast<std::size_t>(features.rows());
  std::vector<std::vector<std::int32_t>> patterns(view.cut->blocks, std::vector<std::int32_t>(N, 0));  // per block
  for (int bit = 0; bit < count; ++bit) {
    auto& pattern = patterns[bit / b];
    const double* feature = features.col(columns[bit]).data();
    for (std::size_t n = 0; n < N; ++n) pattern[n] |= static_cast<std::int32_t>(feature[n] != 0) << (bit % b);
  }
  for (const SubsetCut::Table& table : view.cut->tables) {
    auto& rows = view.rows.emplace_back(N, 0);
    for (std::size_t i = 0; i < table.blocks.size(); ++i) {
      const auto& pattern = patterns[table.blocks[i]];
      const int shift = static_cast<int>(i) * b;
      for (std::size_t n = 0; n < N; ++n) rows[n] |= pattern[n] << shift;
    }
  }
  return view;
}

Vector SubsetTables::times(const Vector& u) const {
  if (halves_) return halves_->times(u);
  Vector result = Vector::Zero(points_);
  const SubsetCut& cut = *products_.cut;
  Workspace workspace(cut.bits());
  for (std::size_t t = 0; t < cut.tables.size(); ++t) {
    const double* entry = workspace.fill(cut, cut.tables[t], u);
    const std::int32_t* rows = products_.rows[t].data();
    for (int n = 0; n < points_; ++n) result(n) += entry[rows[n]];
  }
  return result;
}

Vector SubsetTables::transposed_times(const Vector& w) const {
  if (halves_) return halves_->transposed_times(w, monomials_);
  Vector result = Vector::Zero(monomials_);
  const SubsetCut& cut = *products_.cut;
  Workspace workspace(cut.bits());
  for (std::size_t t = 0; t < cut.tables.size(); ++t) {
    double* entry = workspace.zeros();
    const std::int32_t* rows = products_.rows[t].data();
    for (int n = 0; n < points_; ++n) entry[rows[n]] += w(n);
    const double* sum = workspace.collect(cut);
    const SubsetCut::Table& table = cut.tables[t];
    for (std::size_t i = 0; i < table.masks.size(); ++i) result(table.monomials[i]) = sum[table.masks[i]];
  }
  return result;
}

Matrix SubsetTables::weighted_gram(const Vector& D) const {
  Matrix G = Matrix::Zero(points_, points_);
  const SubsetCut& cut = *gram_.cut;
  Workspace workspace(cut.bits());
  for (std::size_t t = 0; t < cut.tables.size(); ++t) {
    const double* entry = workspace.fill(cut, cut.tables[t], D);
    const std::int32_t* rows = gram_.rows[t].data();
    for (int n = 0; n < points_; ++n) look_up(entry, rows[n], rows + n, points_ - n, &G(n, n));  // lower triangle
  }
  return G;
}

}  // namespace bocs
