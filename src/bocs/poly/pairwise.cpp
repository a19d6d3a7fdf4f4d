#include "bocs/poly/pairwise.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bocs/core/config.hpp"

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

BOCS_MULTIVERSION
void add_row(const double* __restrict a, const double* __restrict b, int n, double* __restrict out) {
  for (int j = 0; j < n; ++j) out[j] = a[j] + b[j];
}

[[gnu::always_inline]] inline void add_scaled_row(double scale, const double* __restrict row, int n,
                                                  double* __restrict out) {
  for (int j = 0; j < n; ++j) out[j] += scale * row[j];
}

/// Eight running sums: the order of summation is the same for every vector width.
[[gnu::always_inline]] inline double dot(const double* __restrict a, const double* __restrict b, int n) {
  double sums[8] = {};
  int j = 0;
  for (; j + 8 <= n; j += 8) {
    for (int lane = 0; lane < 8; ++lane) sums[lane] += a[j + lane] * b[j + lane];
  }
  double sum = 0;
  for (; j < n; ++j) sum += a[j] * b[j];
  for (const double s : sums) sum += s;
  return sum;
}

/// The rows of the patterns: sums[pattern] is a row of `stride` numbers, of which `width` count; points likewise.
struct Rows {
  const std::uint8_t* patterns;
  const double* points;
  double* sums;
  std::ptrdiff_t stride;
  int width;
};

/// result_n += sums[pattern of n] . point n
BOCS_MULTIVERSION
void add_dots(const Rows& rows, std::ptrdiff_t count, double* __restrict result) {
  for (std::ptrdiff_t n = 0; n < count; ++n) {
    const std::ptrdiff_t pattern = rows.patterns[n];
    if (pattern != 0) result[n] += dot(rows.sums + pattern * rows.stride, rows.points + n * rows.stride, rows.width);
  }
}

/// sums[pattern of n] += w_n * point n
BOCS_MULTIVERSION
void add_points(const Rows& rows, std::ptrdiff_t count, const double* __restrict w) {
  for (std::ptrdiff_t n = 0; n < count; ++n) {
    const std::ptrdiff_t pattern = rows.patterns[n];
    if (pattern != 0) {
      add_scaled_row(w[n], rows.points + n * rows.stride, rows.width, rows.sums + pattern * rows.stride);
    }
  }
}

/// Adds the row of every pattern with the bit to `total` and to the row of the pattern without it.
BOCS_MULTIVERSION
void fold_bit(const Rows& rows, int bit, double* __restrict total) {
  for (std::ptrdiff_t s = 0; s < std::ptrdiff_t{1} << bit; ++s) {
    const double* with_bit = rows.sums + (s + (std::ptrdiff_t{1} << bit)) * rows.stride;
    add_scaled_row(1, with_bit, rows.width, total);
    add_scaled_row(1, with_bit, rows.width, rows.sums + s * rows.stride);
  }
}

/// block(r, c) = column(c)[rows[r]] * scale(c): the gather of the row-sparse SYRK.
void gather(const Matrix& columns, const std::vector<int>& rows, const std::vector<int>& which, const Vector& scale,
            Matrix& block) {
  const auto n = static_cast<Eigen::Index>(rows.size());
  block.resize(n, static_cast<Eigen::Index>(which.size()));
  for (Eigen::Index c = 0; c < block.cols(); ++c) {
    const double* source = columns.col(which[static_cast<std::size_t>(c)]).data();
    double* target = block.col(c).data();
    const double s = scale(c);
    for (Eigen::Index r = 0; r < n; ++r) target[r] = source[rows[static_cast<std::size_t>(r)]] * s;
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
  for (int left = 0; left < count_; left += kStrip) {
    const int width = std::min(kStrip, count_ - left);
    strips_.emplace_back(RowMajor::Zero(B_.rows(), kStrip));
    strips_.back().leftCols(width) = B_.middleCols(left, width);
  }
  for (int first = 0; first < row_count; first += group_) {
    auto& pattern = patterns_.emplace_back(static_cast<std::size_t>(B_.rows()), std::uint8_t{0});
    for (int bit = 0; bit < group_ && first + bit < row_count; ++bit) {
      for (const int n : on_[first + bit]) pattern[n] |= static_cast<std::uint8_t>(1 << bit);
    }
  }
}

Pairwise::RowMajor Pairwise::upper(const Vector& weights) const {
  RowMajor U = RowMajor::Zero(static_cast<Eigen::Index>(rows_.size()), count_);
  for (Eigen::Index i = 0; i < U.rows(); ++i) {
    const Row& row = rows_[i];
    U(i, i) = weights(row.single);
    for (int j = row.first; j < count_; ++j) U(i, j) = weights(row.pairs[j - row.first]);
  }
  return U;
}

template <class Body>
void Pairwise::for_each_strip(const Body& body) const {
  std::vector<double> sums(static_cast<std::size_t>(1 << group_) * kStrip);
  for (std::size_t s = 0; s < strips_.size(); ++s) {
    const int left = static_cast<int>(s) * kStrip;
    const int right = std::min(left + kStrip, count_);
    for (std::size_t g = 0; g < patterns_.size() && static_cast<int>(g) * group_ < right; ++g) {
      const int first = static_cast<int>(g) * group_;
      const int begin = std::max(left, first);
      body(Strip{first, std::min(group_, static_cast<int>(rows_.size()) - first), begin, right - begin,
                 patterns_[g].data(), strips_[s].data() + (begin - left), sums.data()});
    }
  }
}

Vector Pairwise::times(const Vector& u) const {
  const RowMajor U = upper(u);
  Vector result = Vector::Zero(B_.rows());
  for_each_strip([&](const Strip& strip) {
    std::fill_n(strip.row(0), strip.width, 0.0);
    for (int bit = 0; bit < strip.members; ++bit) {
      for (int s = 0; s < 1 << bit; ++s) {
        add_row(strip.row(s), &U(strip.first + bit, strip.begin), strip.width, strip.row(s + (1 << bit)));
      }
    }
    add_dots({strip.patterns, strip.points, strip.sums, kStrip, strip.width}, B_.rows(), result.data());
  });
  return result;
}

Vector Pairwise::transposed_times(const Vector& w) const {
  // V(i, j) = sum_n w_n x_ni x_nj, j >= i
  RowMajor V = RowMajor::Zero(static_cast<Eigen::Index>(rows_.size()), count_);
  for_each_strip([&](const Strip& strip) {
    std::fill_n(strip.row(0), kStrip << group_, 0.0);
    const Rows rows{strip.patterns, strip.points, strip.sums, kStrip, strip.width};
    add_points(rows, B_.rows(), w.data());
    for (int bit = strip.members - 1; bit >= 0; --bit) fold_bit(rows, bit, &V(strip.first + bit, strip.begin));
  });
  Vector result = Vector::Zero(monomials_);
  for (Eigen::Index i = 0; i < V.rows(); ++i) {
    const Row& row = rows_[i];
    result(row.single) = V(i, i);
    for (int j = row.first; j < count_; ++j) result(row.pairs[j - row.first]) = V(i, j);
  }
  return result;
}

Matrix Pairwise::weighted_gram(const Vector& D) const {
  const Eigen::Index N = B_.rows();
  Matrix G = Matrix::Zero(N, N);
  Matrix block;
  Matrix product;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& on = on_[i];
    const auto n = static_cast<Eigen::Index>(on.size());
    if (n == 0) continue;
    const Row& row = rows_[i];
    std::vector<int> which = {static_cast<int>(i)};
    for (int j = row.first; j < count_; ++j) which.push_back(j);
    Vector scale(static_cast<Eigen::Index>(which.size()));
    scale(0) = std::sqrt(D(row.single));
    for (std::size_t j = 0; j < row.pairs.size(); ++j) scale(j + 1) = std::sqrt(D(row.pairs[j]));
    gather(B_, on, which, scale, block);
    product.setZero(n, n);
    add_outer(product, block);
    for (Eigen::Index c = 0; c < n; ++c) {
      double* target = G.col(on[c]).data();
      for (Eigen::Index r = c; r < n; ++r) target[on[r]] += product(r, c);
    }
  }
  return G;
}

}  // namespace bocs
