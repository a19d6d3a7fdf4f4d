// Compiled once per processor level: BOCS_LEVEL is `baseline` or `x86_64_v3`, and `Eigen` is renamed by the compiler's
// command line. Includes nothing but Eigen: an inline function of the standard library that was compiled here for a
// wide processor might be the copy that the linker keeps for everybody (tests/numeric/kernel_symbols.cmake looks for
// such).
#include "bocs/numeric/dense_kernels.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace bocs {
namespace {

using Dense = Eigen::MatrixXd;
using Strided = Eigen::Map<Dense, 0, Eigen::OuterStride<>>;
using ConstStrided = Eigen::Map<const Dense, 0, Eigen::OuterStride<>>;
using Values = Eigen::Map<Eigen::VectorXd>;
using ConstValues = Eigen::Map<const Eigen::VectorXd>;
using Index = Eigen::Index;

ConstStrided view(const double* A, int rows, int cols, int ld) { return {A, rows, cols, Eigen::OuterStride<>(ld)}; }
Strided view(double* A, int rows, int cols, int ld) { return {A, rows, cols, Eigen::OuterStride<>(ld)}; }

void add_outer(int n, int k, double scale, const double* A, int lda, double* C, int ldc) {
  view(C, n, n, ldc).selfadjointView<Eigen::Lower>().rankUpdate(view(A, n, k, lda), scale);
}

void add_product(int m, int n, int k, double scale, const double* A, int lda, const double* B, int ldb, double* C,
                 int ldc) {
  view(C, m, n, ldc).noalias() += scale * view(A, m, k, lda) * view(B, n, k, ldb).transpose();
}

void multiply(int m, int n, int k, const double* A, int lda, const double* B, int ldb, double* C, int ldc) {
  view(C, m, n, ldc).noalias() = view(A, m, k, lda) * view(B, k, n, ldb);
}

void times(int m, int n, const double* A, int lda, const double* x, double* y) {
  Values(y, m).noalias() = view(A, m, n, lda) * ConstValues(x, n);
}

void transposed_times(int m, int n, const double* A, int lda, const double* x, double* y) {
  Values(y, n).noalias() = view(A, m, n, lda).transpose() * ConstValues(x, m);
}

void solve_lower(int n, const double* L, int ldl, double* x) {
  Values solution(x, n);
  view(L, n, n, ldl).triangularView<Eigen::Lower>().solveInPlace(solution);
}

void solve_lower_transposed(int n, const double* L, int ldl, double* x) {
  Values solution(x, n);
  view(L, n, n, ldl).transpose().triangularView<Eigen::Upper>().solveInPlace(solution);
}

/// Whether the tridiagonal matrix has an eigenvalue below x: then a pivot of its elimination, shifted by x, is
/// negative.
bool has_eigenvalue_below(double x, const Eigen::VectorXd& diagonal, const Eigen::VectorXd& squares_beside) {
  constexpr double kSmallest = 1e-290;  // pivots: what is divided by them stays finite
  double pivot = 1;
  for (Index i = 0; i < diagonal.size(); ++i) {
    pivot = diagonal(i) - x - squares_beside(i) / pivot;
    if (pivot < 0) return true;
    if (pivot < kSmallest) pivot = kSmallest;
  }
  return false;
}

/// Reflections make the matrix tridiagonal, bisection finds its smallest eigenvalue. Eigen's solver for all of them
/// takes as long to compile as everything else here.
double smallest_eigenvalue(int n, const double* A) {
  Dense T = Dense::Zero(n, n);
  T.triangularView<Eigen::Lower>() = Eigen::Map<const Dense>(A, n, n);
  const double scale = T.cwiseAbs().maxCoeff();
  if (scale == 0) return 0;
  T /= scale;
  Eigen::VectorXd diagonal(n), squares_beside = Eigen::VectorXd::Zero(n), v, w;
  for (Index k = 0; k < n; ++k) {
    diagonal(k) = T(k, k);
    const Index below = n - k - 1;
    if (below == 0) break;
    v = T.col(k).tail(below);
    const double norm = v.norm();
    squares_beside(k + 1) = norm * norm;
    v(0) += v(0) > 0 ? norm : -norm;  // the reflection I - 2 v v' / v'v takes the column to a multiple of e_1
    const double square = v.squaredNorm();
    if (below == 1 || square == 0) continue;
    auto rest = T.bottomRightCorner(below, below).selfadjointView<Eigen::Lower>();
    w.noalias() = rest * v;
    w *= 2 / square;
    w -= (w.dot(v) / square) * v;
    rest.rankUpdate(v, w, -1);
  }
  const double sum = diagonal.sum() + squares_beside.sum();
  if (!(sum - sum == 0)) return std::numeric_limits<double>::quiet_NaN();
  double high = diagonal.minCoeff();
  double low = high - 2 * __builtin_sqrt(squares_beside.maxCoeff());  // Gershgorin
  for (double middle = low + 0.5 * (high - low); low < middle && middle < high; middle = low + 0.5 * (high - low)) {
    (has_eigenvalue_below(middle, diagonal, squares_beside) ? high : low) = middle;
  }
  return scale * low;
}

// --- Cholesky of small matrices, where a Gibbs sweep spends its time

// Up to this size the tiles below beat Eigen's blocked factorization: by 1.3 at n = 170, 1.1 at 300
// (bench/core_bench.cpp).
constexpr int kSmall = 300;

using Vector4 = double __attribute__((vector_size(32), aligned(8), may_alias));

/// A(rows i ... i+11, columns j ... j+3) -= A(rows, 0 ... j-1) A(j ... j+3, 0 ... j-1)'; A is n x n, column-major.
[[gnu::always_inline]] inline void update_tile(double* A, Index n, Index i, Index j) {
  Vector4 sum[3][4] = {};
  const double* column = A + i;
  const double* row = A + j;
  for (Index k = 0; k < j; ++k, column += n, row += n) {
    Vector4 x[3];
    for (int v = 0; v < 3; ++v) x[v] = *reinterpret_cast<const Vector4*>(column + 4 * v);
    for (int c = 0; c < 4; ++c) {
      for (int v = 0; v < 3; ++v) sum[v][c] += x[v] * row[c];
    }
  }
  for (int c = 0; c < 4; ++c) {
    for (int v = 0; v < 3; ++v) *reinterpret_cast<Vector4*>(A + (j + c) * n + i + 4 * v) -= sum[v][c];
  }
}

/// column j -= A(j, k) * column k, in rows j ... to-1.
[[gnu::always_inline]] inline void update_column(double* A, Index n, Index j, Index k, Index to) {
  const double factor = A[k * n + j];
  double* target = A + j * n;
  const double* source = A + k * n;
  for (Index i = j; i < to; ++i) target[i] -= factor * source[i];
}

/// Left-looking Cholesky, four columns at a time, in tiles of 12 x 4 that stay in registers. Tiles are laid from the
/// bottom, so that the uppermost one reaches into the strict upper triangle, which is free.
bool small_cholesky(double* A, Index n) {
  for (Index j = 0; j < n; j += 4) {
    const Index end = j + 4 < n ? j + 4 : n;
    Index above = n;  // rows j ... above-1 are not updated yet
    if (end == j + 4) {
      for (; above > j && above >= 12; above -= 12) update_tile(A, n, above - 12, j);
    }
    for (Index c = j; c < end; ++c) {
      for (Index k = 0; k < j; ++k) update_column(A, n, c, k, above);
      for (Index k = j; k < c; ++k) update_column(A, n, c, k, n);
      double* column = A + c * n;
      if (!(column[c] > 0)) return false;
      column[c] = __builtin_sqrt(column[c]);
      const double inverse = 1 / column[c];
      for (Index i = c + 1; i < n; ++i) column[i] *= inverse;
    }
  }
  return true;
}

bool cholesky(int n, double* A) {
  if (n <= kSmall) return small_cholesky(A, n);
  Eigen::Ref<Dense> target = Eigen::Map<Dense>(A, n, n);
  return Eigen::LLT<Eigen::Ref<Dense>, Eigen::Lower>(target).info() == Eigen::Success;
}

DenseKernels make_kernels() {
  // Blocks of products are cut to these caches instead of the processor's own: the order of summation then depends on
  // the level alone. They are those of the machines of the last ten years or smaller.
  Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 4 << 20);
  return {add_outer,          add_product, multiply,    times,
          transposed_times,   cholesky,    solve_lower, solve_lower_transposed,
          smallest_eigenvalue};
}

}  // namespace

#define BOCS_JOIN_(a, b) a##b
#define BOCS_JOIN(a, b) BOCS_JOIN_(a, b)

const DenseKernels& BOCS_JOIN(BOCS_LEVEL, _kernels)() {
  static const DenseKernels kernels = make_kernels();
  return kernels;
}

}  // namespace bocs
