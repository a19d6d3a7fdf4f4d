#include "bocs/numeric/linalg.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bocs/base/error.hpp"
#include "bocs/numeric/dense_kernels.hpp"
#include "bocs/numeric/parallel.hpp"

namespace bocs {
namespace {

constexpr int kManyRows = 512;    // from here on products are worth several threads
constexpr int kColumnBlocks = 8;  // whatever the number of threads, so that the bits are the same

int extent(Eigen::Index n) { return static_cast<int>(n); }

/// The best for this processor: the same in every thread, and in every run on this kind of processor.
const DenseKernels& dense_kernels() {
  static const DenseKernels& kernels = *available_kernels().back();
  return kernels;
}

}  // namespace

std::vector<const DenseKernels*> available_kernels() {
  std::vector<const DenseKernels*> kernels{&baseline_kernels()};
#ifdef BOCS_X86_64_V3
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) {
    kernels.push_back(&x86_64_v3_kernels());
  }
#endif
  return kernels;
}

void add_outer(Eigen::Ref<Matrix> C, const Eigen::Ref<const Matrix>& A, double scale) {
  if (A.cols() == 0 || A.rows() == 0) return;
  const DenseKernels& kernels = dense_kernels();
  const int n = extent(A.rows()), k = extent(A.cols()), lda = extent(A.outerStride()), ldc = extent(C.outerStride());
  // By blocks of columns, each on any thread: the square at the diagonal and what is below it.
  const int width = n < kManyRows ? n : (n + kColumnBlocks - 1) / kColumnBlocks;
  const double cost = static_cast<double>(n) * n * k / 40;
  parallel_for((n + width - 1) / width, threads_for(cost), [&](int block) {
    const int from = block * width, to = std::min(n, from + width);
    double* column = C.data() + static_cast<std::ptrdiff_t>(from) * ldc;
    kernels.add_outer(to - from, k, scale, A.data() + from, lda, column + from, ldc);
    if (to < n)
      kernels.add_product(n - to, to - from, k, scale, A.data() + to, lda, A.data() + from, lda, column + to, ldc);
  });
}

void multiply(const Eigen::Ref<const Matrix>& A, const Eigen::Ref<const Matrix>& B, Matrix& C) {
  C.resize(A.rows(), B.cols());
  if (C.size() == 0) return;
  const DenseKernels& kernels = dense_kernels();
  const int m = extent(A.rows()), n = extent(B.cols()), k = extent(A.cols());
  const int lda = extent(A.outerStride()), ldb = extent(B.outerStride()), ldc = extent(C.outerStride());
  // A block of columns for each thread, whole groups of the kernel's columns: these do not see each other, and no bit
  // depends on where a block ends.
  constexpr int kGroup = 4, kFewest = 16;
  const int blocks = std::clamp(threads_for(static_cast<double>(m) * n * k / 20), 1, std::max(1, n / kFewest));
  const int width = n / blocks / kGroup * kGroup;
  parallel_for(blocks, blocks, [&](int block) {
    const int from = block * width, to = block + 1 == blocks ? n : from + width;
    kernels.multiply(m, to - from, k, A.data(), lda, B.data() + static_cast<std::ptrdiff_t>(from) * ldb, ldb,
                     C.data() + static_cast<std::ptrdiff_t>(from) * ldc, ldc);
  });
}

Vector times(const Matrix& A, const Vector& x) {
  Vector y = Vector::Zero(A.rows());
  if (A.size() > 0) {
    dense_kernels().times(extent(A.rows()), extent(A.cols()), A.data(), extent(A.outerStride()), x.data(), y.data());
  }
  return y;
}

Vector transposed_times(const Matrix& A, const Vector& x) {
  Vector y = Vector::Zero(A.cols());
  if (A.size() > 0) {
    dense_kernels().transposed_times(extent(A.rows()), extent(A.cols()), A.data(), extent(A.outerStride()), x.data(),
                                     y.data());
  }
  return y;
}

int cholesky(Matrix& A, const std::function<void(Matrix&)>& refill) {
  if (A.rows() == 0) return 0;
  const auto factorize = [&] { return dense_kernels().cholesky(extent(A.rows()), A.data()); };
  const double largest = A.diagonal().cwiseAbs().maxCoeff();
  bool positive = factorize();
  int rung = 0;
  for (double shift = 1e-14; !positive && shift < 0.05; shift *= 100) {
    ++rung;
    refill(A);
    A.diagonal().array() += shift * largest;
    positive = factorize();
  }
  const bool finite = std::isfinite(A.diagonal().sum());  // an infinite entry passes as positive
  return positive && finite ? rung : -1;
}

int cholesky(Matrix& A) {
  return cholesky(A, [copy = Matrix(A)](Matrix& target) { target = copy; });
}

void solve_lower(const Matrix& L, Vector& x) {
  dense_kernels().solve_lower(extent(L.rows()), L.data(), extent(L.outerStride()), x.data());
}

void solve_lower_transposed(const Matrix& L, Vector& x) {
  dense_kernels().solve_lower_transposed(extent(L.rows()), L.data(), extent(L.outerStride()), x.data());
}

double log_determinant(const Matrix& L) {
  double sum = 0;
  for (Eigen::Index i = 0; i < L.rows(); ++i) sum += std::log(L(i, i));
  return 2 * sum;
}

double smallest_eigenvalue(const Matrix& A) {
  require(A.rows() > 0, "smallest_eigenvalue: the matrix is empty");
  return dense_kernels().smallest_eigenvalue(extent(A.rows()), A.data());
}

}  // namespace bocs
