#pragma once
// The dense kernels behind numeric/linalg, for the sources of this folder and their tests only. Matrices are
// column-major; `ld` is the distance between two columns.
//
// They are Eigen's own, compiled once per level of the processor (CMakeLists.txt), each time in a namespace of its own,
// so that one binary runs everywhere, uses the wide vector units where they exist, and never shares a symbol or a
// setting with the Eigen of the program around it. No BLAS: no threads inside, no buffers that are shared between
// calls, nothing that the environment or the distribution could change (docs/decisions.md, "No BLAS").

#include <vector>

namespace bocs {

struct DenseKernels {
  /// lower(C) += scale A A', A: n x k.
  void (*add_outer)(int n, int k, double scale, const double* A, int lda, double* C, int ldc);
  /// C += scale A B', A: m x k, B: n x k.
  void (*add_product)(int m, int n, int k, double scale, const double* A, int lda, const double* B, int ldb, double* C,
                      int ldc);
  /// C = A B, A: m x k, B: k x n.
  void (*multiply)(int m, int n, int k, const double* A, int lda, const double* B, int ldb, double* C, int ldc);
  /// y = A x, A: m x n.
  void (*times)(int m, int n, const double* A, int lda, const double* x, double* y);
  /// y = A' x, A: m x n.
  void (*transposed_times)(int m, int n, const double* A, int lda, const double* x, double* y);
  /// Lower Cholesky factor in place of the lower triangle; the strict upper triangle may be overwritten. False if A is
  /// not positive. A is contiguous.
  bool (*cholesky)(int n, double* A);
  /// x = L^-1 x and x = L^-T x.
  void (*solve_lower)(int n, const double* L, int ldl, double* x);
  void (*solve_lower_transposed)(int n, const double* L, int ldl, double* x);
  /// The smallest eigenvalue of the symmetric n x n matrix whose lower triangle is given; NaN if it was not found.
  double (*smallest_eigenvalue)(int n, const double* A);
};

/// For any processor, and for those with AVX2 and FMA (only in binaries for x86-64).
const DenseKernels& baseline_kernels();
const DenseKernels& x86_64_v3_kernels();

/// Those of this binary that this processor can run, the best one last.
std::vector<const DenseKernels*> available_kernels();

}  // namespace bocs
