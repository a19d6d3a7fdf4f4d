#include "bocs/poly/subset_tables.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "bocs/core/config.hpp"

namespace bocs {
namespace {

constexpr int kMaxTableBits = 12;  // 4096 doubles: a table fits the first-level cache

double binomial(int n, int k) {
  double result = 1;
  for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

/// Bits per block: the fewest nanoseconds for building the tables and looking up N^2 / 2 pairs.
int block_bits(int features, int order, int points) {
  int best = 1;
  double best_cost = INFINITY;
  for (int b = 1; b * order <= std::max(kMaxTableBits, order); ++b) {
    const int blocks = std::max((features + b - 1) / b, order);
    const double build = 0.5 * order * std::exp2(std::min(b * order, features));
    const double look_up = 0.4 * points * (points + 1) / 2;
    const double cost = binomial(blocks, order) * (build + look_up);
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
void subset_sums(const double* weight, int prefix, int bits, int order, double* table, double* scratch) {
  table[0] = weight[prefix];
  for (int j = 0; j < bits; ++j) {
    const int half = 1 << j;
    if (order == 1) {
      const double w = weight[prefix | half];
      for (int s = 0; s < half; ++s) table[s + half] = table[s] + w;
    } else {
      subset_sums(weight, prefix | half, j, order - 1, scratch, scratch + half);
      for (int s = 0; s < half; ++s) table[s + half] = table[s] + scratch[s];
    }
  }
}

/// The transpose: sum[prefix | S] = sum of table[s] over all s that contain S, for the sets S of at most `order`
/// elements. Overwrites the table.
void superset_sums(double* table, int prefix, int bits, int order, double* sum, double* scratch) {
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

/// column[m] += entry[row & rows[m]] for m = 0 ... count-1.
BOCS_MULTIVERSION
void look_up(const double* __restrict entry, std::int32_t row, const std::int32_t* __restrict rows, int count,
             double* __restrict column) {
  for (int m = 0; m < count; ++m) column[m] += entry[row & rows[m]];
}

}  // namespace

SubsetTables::SubsetTables(const Basis& basis, const Matrix& features)
    : order_(basis.order()), points_(static_cast<int>(features.rows())), monomials_(basis.size()) {
  const int count = static_cast<int>(features.cols());
  const int order = std::min(order_, count);
  const int b = block_bits(count, order, points_);
  const int blocks = std::max((count + b - 1) / b, order);

  // Every choice of `order` blocks, in lexicographic order.
  std::map<std::vector<int>, int> index;
  std::vector<int> choice(static_cast<std::size_t>(order));
  for (int i = 0; i < order; ++i) choice[static_cast<std::size_t>(i)] = i;
  for (bool more = true; more;) {
    index[choice] = static_cast<int>(tables_.size());
    Table table;
    table.bits = b * order;
    table.rows.assign(static_cast<std::size_t>(points_), 0);
    for (int place = 0; place < order; ++place) {
      for (int bit = 0; bit < b; ++bit) {
        const int f = choice[static_cast<std::size_t>(place)] * b + bit;
        if (f >= count) continue;
        for (int n = 0; n < points_; ++n) {
          if (features(n, f) != 0) table.rows[static_cast<std::size_t>(n)] |= 1 << (place * b + bit);
        }
      }
    }
    tables_.push_back(std::move(table));
    int i = order - 1;
    while (i >= 0 && choice[static_cast<std::size_t>(i)] == blocks - order + i) --i;
    more = i >= 0;
    if (more) {
      ++choice[static_cast<std::size_t>(i)];
      for (int j = i + 1; j < order; ++j) {
        choice[static_cast<std::size_t>(j)] = choice[static_cast<std::size_t>(j) - 1] + 1;
      }
    }
  }

  // Each monomial goes to the first table that has all its blocks.
  for (int k = 0; k < monomials_; ++k) {
    std::vector<int> needed;
    for (const int f : basis.monomial(k)) {
      if (needed.empty() || needed.back() != f / b) needed.push_back(f / b);
    }
    std::vector<int> chosen = needed;
    for (int block = 0; static_cast<int>(chosen.size()) < order; ++block) {
      if (std::find(needed.begin(), needed.end(), block) == needed.end()) chosen.push_back(block);
    }
    std::sort(chosen.begin(), chosen.end());
    Table& table = tables_[static_cast<std::size_t>(index.at(chosen))];
    std::int32_t mask = 0;
    for (const int f : basis.monomial(k)) {
      const auto place = std::find(chosen.begin(), chosen.end(), f / b) - chosen.begin();
      mask |= 1 << (place * b + f % b);
    }
    table.monomials.push_back(k);
    table.masks.push_back(mask);
  }
}

void SubsetTables::fill(const Table& table, const Vector& weights, std::vector<double>& entry) const {
  const std::size_t size = std::size_t{1} << table.bits;
  std::vector<double> weight(size, 0.0);
  std::vector<double> scratch(2 * size);
  for (std::size_t i = 0; i < table.masks.size(); ++i) {
    weight[static_cast<std::size_t>(table.masks[i])] = weights(table.monomials[i]);
  }
  entry.resize(size);
  subset_sums(weight.data(), 0, table.bits, order_, entry.data(), scratch.data());
}

Vector SubsetTables::times(const Vector& u) const {
  Vector result = Vector::Zero(points_);
  std::vector<double> entry;
  for (const auto& table : tables_) {
    fill(table, u, entry);
    for (int n = 0; n < points_; ++n) {
      result(n) += entry[static_cast<std::size_t>(table.rows[static_cast<std::size_t>(n)])];
    }
  }
  return result;
}

Vector SubsetTables::transposed_times(const Vector& w) const {
  Vector result(monomials_);
  for (const auto& table : tables_) {
    const std::size_t size = std::size_t{1} << table.bits;
    std::vector<double> entry(size, 0.0);
    std::vector<double> sum(size);
    std::vector<double> scratch(2 * size);
    for (int n = 0; n < points_; ++n) {
      entry[static_cast<std::size_t>(table.rows[static_cast<std::size_t>(n)])] += w(n);
    }
    superset_sums(entry.data(), 0, table.bits, order_, sum.data(), scratch.data());
    for (std::size_t i = 0; i < table.masks.size(); ++i) {
      result(table.monomials[i]) = sum[static_cast<std::size_t>(table.masks[i])];
    }
  }
  return result;
}

Matrix SubsetTables::weighted_gram(const Vector& D) const {
  Matrix G = Matrix::Zero(points_, points_);
  std::vector<double> entry;
  for (const auto& table : tables_) {
    fill(table, D, entry);
    for (int n = 0; n < points_; ++n) {  // column n of the lower triangle
      look_up(entry.data(), table.rows[static_cast<std::size_t>(n)], table.rows.data() + n, points_ - n, &G(n, n));
    }
  }
  return G;
}

}  // namespace bocs
