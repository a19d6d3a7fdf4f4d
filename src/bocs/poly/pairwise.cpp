#include "bocs/poly/pairwise.hpp"

#include <algorithm>
#include <cmath>

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
      monomials_(basis.regular_size()),
      B_(features),
      starts_(static_cast<std::size_t>(count_)),
      on_(static_cast<std::size_t>(count_)) {
  int monomial = count_;
  const auto list = basis.features();
  for (int i = 0; i < count_; ++i) {
    int j = i + 1;  // no products of two features of the same variable
    while (j < count_ && list[static_cast<std::size_t>(j)].variable == list[static_cast<std::size_t>(i)].variable) ++j;
    starts_[static_cast<std::size_t>(i)] = {monomial, j};
    monomial += count_ - j;
    for (Eigen::Index n = 0; n < B_.rows(); ++n) {
      if (B_(n, i) != 0) on_[static_cast<std::size_t>(i)].push_back(static_cast<int>(n));
    }
  }
  for (int left = 0; left < count_; left += kStrip) {
    const int width = std::min(kStrip, count_ - left);
    strips_.emplace_back(RowMajor::Zero(B_.rows(), kStrip));
    strips_.back().leftCols(width) = B_.middleCols(left, width);
  }
  for (int first = 0; first < count_; first += group_) {
    auto& pattern = patterns_.emplace_back(static_cast<std::size_t>(B_.rows()), std::uint8_t{0});
    for (int bit = 0; bit < group_ && first + bit < count_; ++bit) {
      for (const int n : on_[static_cast<std::size_t>(first + bit)]) {
        pattern[static_cast<std::size_t>(n)] |= static_cast<std::uint8_t>(1 << bit);
      }
    }
  }
}

Pairwise::RowMajor Pairwise::upper(const Vector& weights) const {
  RowMajor U = RowMajor::Zero(count_, count_);
  for (int i = 0; i < count_; ++i) {
    const auto [monomial, j] = starts_[static_cast<std::size_t>(i)];
    U(i, i) = weights(i);
    U.row(i).tail(count_ - j) = weights.segment(monomial, count_ - j).transpose();
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
      body(Strip{first, std::min(group_, count_ - first), begin, right - begin, patterns_[g].data(),
                 strips_[s].data() + (begin - left), sums.data()});
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
  RowMajor V = RowMajor::Zero(count_, count_);  // V(i, j) = sum_n w_n x_ni x_nj, j >= i
  for_each_strip([&](const Strip& strip) {
    std::fill_n(strip.row(0), kStrip << group_, 0.0);
    const Rows rows{strip.patterns, strip.points, strip.sums, kStrip, strip.width};
    add_points(rows, B_.rows(), w.data());
    for (int bit = strip.members - 1; bit >= 0; --bit) fold_bit(rows, bit, &V(strip.first + bit, strip.begin));
  });
  Vector result(monomials_);
  for (int i = 0; i < count_; ++i) {
    const auto [monomial, j] = starts_[static_cast<std::size_t>(i)];
    result(i) = V(i, i);
    result.segment(monomial, count_ - j) = V.row(i).tail(count_ - j).transpose();
  }
  return result;
}

Matrix Pairwise::weighted_gram(const Vector& D) const {
  const Eigen::Index N = B_.rows();
  Matrix G = Matrix::Zero(N, N);
  Matrix block;
  Matrix product;
  for (int i = 0; i < count_; ++i) {
    const auto& rows = on_[static_cast<std::size_t>(i)];
    const auto n = static_cast<Eigen::Index>(rows.size());
    if (n == 0) continue;
    const auto [monomial, begin] = starts_[static_cast<std::size_t>(i)];
    std::vector<int> which = {i};
    for (int j = begin; j < count_; ++j) which.push_back(j);
    Vector scale(static_cast<Eigen::Index>(which.size()));
    scale(0) = std::sqrt(D(i));
    scale.tail(count_ - begin) = D.segment(monomial, count_ - begin).cwiseSqrt();
    gather(B_, rows, which, scale, block);
    product.setZero(n, n);
    add_outer(product, block);
    for (Eigen::Index c = 0; c < n; ++c) {
      double* target = G.col(rows[static_cast<std::size_t>(c)]).data();
      for (Eigen::Index r = c; r < n; ++r) target[rows[static_cast<std::size_t>(r)]] += product(r, c);
    }
  }
  return G;
}

}  // namespace bocs
