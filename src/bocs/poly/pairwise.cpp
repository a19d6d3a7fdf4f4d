#include "bocs/poly/pairwise.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "bocs/numeric/config.hpp"
#include "bocs/numeric/parallel.hpp"

// times and transposed_times work on groups of g features ("four Russians"): for each of the 2^g patterns of a group
// the sum of its rows of the F x F coefficient matrix is made once, then every point adds one row instead of g.

namespace bocs {
namespace {

/// Bits per group: fewest row operations, (2^g + N) / g.
int group_bits(Eigen::Index points) {
  int best = 1;
  for (int g = 2; g <= 8; ++g) {
    const auto cost = [&](int bits) { return (std::exp2(bits) + static_cast<double>(points)) / bits; };
    if (cost(g) < cost(best)) best = g;
  }
  return best;
}

using Four = ColumnStrip::Four;
constexpr int kFours = ColumnStrip::kFours;

/// Four running sums: their order is the same for every vector width.
struct alignas(32) Running {
  Four sums;
};

/// A group of features and a strip of columns: the points there, and a strip for each pattern of the group, which is
/// numbered by its bits. For two vectors a pattern has two strips, one after the other.
struct Block {
  const std::uint8_t* patterns;  // of the points
  const ColumnStrip* points;
  std::ptrdiff_t count;  // of points
  ColumnStrip* sums;
};

/// result of point n += sums[its pattern] . point n
template <int kVectors>
[[gnu::always_inline]] inline void add_dots_of(const Block& block, Running* result) {
  for (std::ptrdiff_t n = 0; n < block.count; ++n) {
    const ColumnStrip* sums = block.sums + kVectors * std::ptrdiff_t{block.patterns[n]};
    const ColumnStrip x = block.points[n];
    for (int k = 0; k < kVectors; ++k) {
      Four out = result[kVectors * n + k].sums;
      for (int q = 0; q < kFours; ++q) out += sums[k].at[q] * x.at[q];
      result[kVectors * n + k].sums = out;
    }
  }
}
BOCS_MULTIVERSION
void add_dots(const Block& block, int vectors, Running* result) {
  vectors == 1 ? add_dots_of<1>(block, result) : add_dots_of<2>(block, result);
}

/// sums[pattern of n] += w_n * point n; w has the numbers of all vectors at a point side by side.
template <int kVectors>
[[gnu::always_inline]] inline void add_points_of(const Block& block, const double* w) {
  for (std::ptrdiff_t n = 0; n < block.count; ++n) {
    ColumnStrip* sums = block.sums + kVectors * std::ptrdiff_t{block.patterns[n]};
    const ColumnStrip x = block.points[n];
    for (int k = 0; k < kVectors; ++k) {
      const double scale = w[kVectors * n + k];
      for (int q = 0; q < kFours; ++q) sums[k].at[q] += scale * x.at[q];
    }
  }
}
BOCS_MULTIVERSION
void add_points(const Block& block, int vectors, const double* w) {
  vectors == 1 ? add_points_of<1>(block, w) : add_points_of<2>(block, w);
}

/// The sums of the patterns that have the bit and none above it: those without it, and the row of the bit.
BOCS_MULTIVERSION
void add_row(const ColumnStrip* row, int bit, int vectors, ColumnStrip* sums) {
  const std::ptrdiff_t half = std::ptrdiff_t{vectors} << bit;
  for (int k = 0; k < vectors; ++k) {
    const ColumnStrip added = row[k];
    for (std::ptrdiff_t s = k; s < half; s += vectors) {
      for (int q = 0; q < kFours; ++q) sums[s + half].at[q] = sums[s].at[q] + added.at[q];
    }
  }
}

/// Adds the strip of every pattern with the bit, and none above it, to `total` and to the strip of the pattern without
/// it.
BOCS_MULTIVERSION
void fold_bit(ColumnStrip* sums, int bit, int vectors, ColumnStrip* total) {
  const std::ptrdiff_t half = std::ptrdiff_t{vectors} << bit;
  for (int k = 0; k < vectors; ++k) {
    ColumnStrip all = total[k];
    for (std::ptrdiff_t s = k; s < half; s += vectors) {
      for (int q = 0; q < kFours; ++q) {
        const Four with_bit = sums[s + half].at[q];
        all.at[q] += with_bit;
        sums[s].at[q] += with_bit;
      }
    }
    total[k] = all;
  }
}

}  // namespace

Pairwise::Pairwise(const Basis& basis, const Matrix& features)
    : group_(group_bits(features.rows())),
      count_(static_cast<int>(features.cols())),
      monomials_(basis.size()),
      B_(features.rows(), features.cols()) {
  const auto list = basis.features();
  std::vector<int> own(count_);  // our numbers of the features: theirs in the basis
  std::iota(own.begin(), own.end(), 0);
  const auto others = std::stable_partition(own.begin(), own.end(), [&](int f) { return list[f].scale == 0; });
  rows_.resize(others - own.begin());
  on_.resize(rows_.size());
  for (int i = 0; i < count_; ++i) B_.col(i) = features.col(own[i]);

  std::vector<int> shift(count_);  // pair (f, g > f) is monomial shift[f] + g: they follow each other in the basis
  int monomial = count_;
  for (int f = 0; f < count_; ++f) {
    int g = f + 1;
    while (g < count_ && list[g].variable == list[f].variable) ++g;
    shift[f] = monomial - g;
    monomial += count_ - g;
  }
  const int row_count = static_cast<int>(rows_.size());
  for (int i = 0; i < row_count; ++i) {
    Row& row = rows_[i];
    row.single = own[i];
    row.first = i + 1;
    while (row.first < count_ && list[own[row.first]].variable == list[own[i]].variable) ++row.first;
    for (int j = row.first; j < count_; ++j) {
      const auto [f, g] = std::minmax(own[i], own[j]);
      row.pairs.push_back(shift[f] + g);
    }
    for (Eigen::Index n = 0; n < B_.rows(); ++n) {
      if (B_(n, i) != 0) on_[i].push_back(static_cast<int>(n));
    }
  }
  for (int left = 0; left < count_; left += ColumnStrip::kColumns) {
    auto& strip = strips_.emplace_back(static_cast<std::size_t>(B_.rows()));
    for (int j = left; j < std::min(left + ColumnStrip::kColumns, count_); ++j) {
      for (Eigen::Index n = 0; n < B_.rows(); ++n) strip[n][j - left] = B_(n, j);
    }
  }
  for (int first = 0; first < row_count; first += group_) {
    auto& pattern = patterns_.emplace_back(static_cast<std::size_t>(B_.rows()), std::uint8_t{0});
    for (int bit = 0; bit < group_ && first + bit < row_count; ++bit) {
      for (const int n : on_[first + bit]) pattern[n] |= static_cast<std::uint8_t>(1 << bit);
    }
  }
}

template <class Body>
void Pairwise::for_each_monomial(int i, int s, const Body& body) const {
  const int left = s * ColumnStrip::kColumns;
  const int right = std::min(left + ColumnStrip::kColumns, count_);
  const Row& row = rows_[i];
  if (i >= left && i < right) body(i - left, row.single);
  for (int j = std::max(left, row.first); j < right; ++j) body(j - left, row.pairs[j - row.first]);
}

template <class Body>
void Pairwise::for_each_block(int part, const Body& body) const {
  for (int s = part; s < static_cast<int>(strips_.size()); s += kParts) {
    const int right = (s + 1) * ColumnStrip::kColumns;
    for (int g = 0; g < static_cast<int>(patterns_.size()) && g * group_ < right; ++g) {
      body(s, g, std::min(group_, static_cast<int>(rows_.size()) - g * group_));
    }
  }
}

std::vector<Vector> Pairwise::product(std::span<const Vector> u) const {
  const int vectors = static_cast<int>(u.size());
  const auto size = static_cast<std::size_t>(B_.rows() * vectors);
  std::vector<std::vector<Running>> points(kParts, std::vector<Running>(size));
  parallel_for(kParts, threads_for(vectors * product_cost()), [&](int part) {
    std::vector<ColumnStrip> sums(static_cast<std::size_t>(vectors) << group_);
    for_each_block(part, [&](int s, int g, int members) {
      for (int bit = 0; bit < members; ++bit) {
        ColumnStrip row[2] = {};
        for_each_monomial(g * group_ + bit, s, [&](int column, int monomial) {
          for (int k = 0; k < vectors; ++k) row[k][column] = u[k](monomial);
        });
        add_row(row, bit, vectors, sums.data());
      }
      add_dots({patterns_[g].data(), strips_[s].data(), B_.rows(), sums.data()}, vectors, points[part].data());
    });
  });
  std::vector<Vector> result(u.size(), Vector::Zero(B_.rows()));
  for (const auto& part : points) {
    for (Eigen::Index n = 0; n < B_.rows(); ++n) {
      for (int k = 0; k < vectors; ++k) {
        const Four& four = part[vectors * n + k].sums;
        result[k](n) += (four[0] + four[1]) + (four[2] + four[3]);
      }
    }
  }
  return result;
}

std::vector<Vector> Pairwise::transposed_product(std::span<const Vector> w) const {
  const int vectors = static_cast<int>(w.size());
  std::vector<double> weights(static_cast<std::size_t>(B_.rows() * vectors));
  for (Eigen::Index n = 0; n < B_.rows(); ++n) {
    for (int k = 0; k < vectors; ++k) weights[vectors * n + k] = w[k](n);
  }
  std::vector<Vector> result(w.size(), Vector::Zero(monomials_));
  parallel_for(kParts, threads_for(vectors * product_cost()), [&](int part) {
    std::vector<ColumnStrip> sums(static_cast<std::size_t>(vectors) << group_);
    for_each_block(part, [&](int s, int g, int members) {
      std::memset(static_cast<void*>(sums.data()), 0, sums.size() * sizeof(ColumnStrip));
      add_points({patterns_[g].data(), strips_[s].data(), B_.rows(), sums.data()}, vectors, weights.data());
      for (int bit = members - 1; bit >= 0; --bit) {
        ColumnStrip total[2] = {};  // sum_n w_n x_ni x_nj over the columns j of the strip
        fold_bit(sums.data(), bit, vectors, total);
        for_each_monomial(g * group_ + bit, s, [&](int column, int monomial) {
          for (int k = 0; k < vectors; ++k) result[k](monomial) = total[k][column];
        });
      }
    });
  });
  return result;
}

DesignKernel::Two Pairwise::times_both(const Two& u) const {
  auto both = product(u);
  return {std::move(both[0]), std::move(both[1])};
}

DesignKernel::Two Pairwise::transposed_times_both(const Two& w) const {
  auto both = transposed_product(w);
  return {std::move(both[0]), std::move(both[1])};
}

void Pairwise::RowGram::fill(const Pairwise& design, std::size_t i, const Vector& D) {
  const auto& on = design.on_[i];
  const Row& row = design.rows_[i];
  const std::size_t n = on.size();
  columns.clear();
  const auto gather = [&](Eigen::Index j, double weight) {
    const double* source = design.B_.col(j).data();
    const double scale = std::sqrt(weight);
    const std::size_t from = columns.size();
    columns.resize(from + n);
    for (std::size_t r = 0; r < n; ++r) columns[from + r] = source[on[r]] * scale;
  };
  gather(static_cast<Eigen::Index>(i), D(row.single));
  for (std::size_t j = 0; j < row.pairs.size(); ++j) gather(row.first + static_cast<Eigen::Index>(j), D(row.pairs[j]));
  product.assign(n * n, 0.0);
  const auto size = static_cast<Eigen::Index>(n);
  add_outer(Eigen::Map<Matrix>(product.data(), size, size),
            Eigen::Map<const Matrix>(columns.data(), size, static_cast<Eigen::Index>(row.pairs.size()) + 1));
}

Matrix Pairwise::weighted_gram(const Vector& D) const {
  const Eigen::Index N = B_.rows();
  std::array<Matrix, 2> parts;  // of every other row feature; two on one thread as well, for the bits
  parallel_for(2, threads_for(gram_cost()), [&](int part) {
    Matrix& G = parts[part];
    G.setZero(N, N);
    RowGram row;
    for (std::size_t i = part; i < rows_.size(); i += 2) {
      row.fill(*this, i, D);
      const auto& on = on_[i];
      for (std::size_t c = 0; c < on.size(); ++c) {
        double* target = G.col(on[c]).data();
        const double* column = row.product.data() + c * on.size();
        for (std::size_t r = c; r < on.size(); ++r) target[on[r]] += column[r];
      }
    }
  });
  for (Eigen::Index c = 0; c < N; ++c) parts[0].col(c).tail(N - c) += parts[1].col(c).tail(N - c);
  return std::move(parts[0]);
}

}  // namespace bocs
