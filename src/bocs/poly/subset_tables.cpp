#include "bocs/poly/subset_tables.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <span>

#include "bocs/core/config.hpp"
#include "bocs/core/numbers.hpp"

namespace bocs {
namespace {

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
  const double* fill(std::span<const int> monomials, std::span<const std::int32_t> masks, const Vector& weights,
                     int bits, int order) {
    for (std::size_t i = 0; i < masks.size(); ++i) weight_[static_cast<std::size_t>(masks[i])] = weights(monomials[i]);
    subset_sums(weight_.data(), 0, bits, order, entry_.get(), scratch_.get());
    for (const auto mask : masks) weight_[static_cast<std::size_t>(mask)] = 0;
    return entry_.get();
  }
  /// A table of zeros to add to, then the sum over all sets that contain each mask.
  double* zeros() {
    std::fill_n(entry_.get(), size_, 0.0);
    return entry_.get();
  }
  const double* collect(int bits, int order) {
    superset_sums(entry_.get(), 0, bits, order, weight_.data(), scratch_.get());
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
    : order_(basis.regular_order()), points_(static_cast<int>(features.rows())), monomials_(basis.regular_size()) {
  const double N = points_;
  products_ = make_cut(basis, features, N);
  gram_ = make_cut(basis, features, N * (N + 1) / 2);
}

SubsetTables::Cut SubsetTables::make_cut(const Basis& basis, const Matrix& features, double look_ups) {
  const int count = static_cast<int>(features.cols());
  const int order = std::max(1, std::min(basis.regular_order(), count));  // without features: one table of zeros
  const int b = block_bits(count, order, look_ups);
  const int blocks = std::max((count + b - 1) / b, order);
  Cut cut;
  cut.bits = b * order;

  // Every choice of `order` blocks, in lexicographic order.
  std::map<std::vector<int>, std::size_t> index;
  std::vector<int> choice(static_cast<std::size_t>(order));
  std::iota(choice.begin(), choice.end(), 0);
  for (bool more = true; more;) {
    index[choice] = cut.tables.size();
    Table& table = cut.tables.emplace_back();
    table.rows.assign(static_cast<std::size_t>(features.rows()), 0);
    for (int bit = 0; bit < cut.bits; ++bit) {
      const int f = choice[static_cast<std::size_t>(bit / b)] * b + bit % b;
      if (f >= count) continue;
      for (Eigen::Index n = 0; n < features.rows(); ++n) {
        if (features(n, f) != 0) table.rows[static_cast<std::size_t>(n)] |= 1 << bit;
      }
    }
    int i = order - 1;
    while (i >= 0 && choice[static_cast<std::size_t>(i)] == blocks - order + i) --i;
    more = i >= 0;
    if (more) std::iota(choice.begin() + i, choice.end(), choice[static_cast<std::size_t>(i)] + 1);
  }

  // Each monomial goes to the first table that has all its blocks.
  for (int k = 0; k < basis.regular_size(); ++k) {
    std::vector<int> chosen;
    for (const int f : basis.monomial(k)) {
      if (chosen.empty() || chosen.back() != f / b) chosen.push_back(f / b);
    }
    for (int block = 0; static_cast<int>(chosen.size()) < order; ++block) {
      if (std::find(chosen.begin(), chosen.end(), block) == chosen.end()) chosen.push_back(block);
    }
    std::sort(chosen.begin(), chosen.end());
    Table& table = cut.tables[index.at(chosen)];
    std::int32_t mask = 0;
    for (const int f : basis.monomial(k)) {
      const auto place = std::find(chosen.begin(), chosen.end(), f / b) - chosen.begin();
      mask |= 1 << (place * b + f % b);
    }
    table.monomials.push_back(k);
    table.masks.push_back(mask);
  }
  return cut;
}

Vector SubsetTables::times(const Vector& u) const {
  Vector result = Vector::Zero(points_);
  Workspace workspace(products_.bits);
  for (const auto& table : products_.tables) {
    const double* entry = workspace.fill(table.monomials, table.masks, u, products_.bits, order_);
    for (int n = 0; n < points_; ++n) result(n) += entry[table.rows[static_cast<std::size_t>(n)]];
  }
  return result;
}

Vector SubsetTables::transposed_times(const Vector& w) const {
  Vector result(monomials_);
  Workspace workspace(products_.bits);
  for (const auto& table : products_.tables) {
    double* entry = workspace.zeros();
    for (int n = 0; n < points_; ++n) entry[table.rows[static_cast<std::size_t>(n)]] += w(n);
    const double* sum = workspace.collect(products_.bits, order_);
    for (std::size_t i = 0; i < table.masks.size(); ++i) result(table.monomials[i]) = sum[table.masks[i]];
  }
  return result;
}

Matrix SubsetTables::weighted_gram(const Vector& D) const {
  Matrix G = Matrix::Zero(points_, points_);
  Workspace workspace(gram_.bits);
  for (const auto& table : gram_.tables) {
    const double* entry = workspace.fill(table.monomials, table.masks, D, gram_.bits, order_);
    for (int n = 0; n < points_; ++n) {  // column n of the lower triangle
      look_up(entry, table.rows[static_cast<std::size_t>(n)], table.rows.data() + n, points_ - n, &G(n, n));
    }
  }
  return G;
}

}  // namespace bocs
