#pragma once
// The reference that our dense kernels are measured against: OpenBLAS with one thread. Only benchmarks link it.

#include <cblas.h>

#include "bocs/numeric/linalg.hpp"

extern "C" void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);  // LAPACK

namespace openblas {

using bocs::Matrix;
using bocs::Vector;

/// Call once, first.
inline void use_one_thread() { openblas_set_num_threads(1); }

/// lower(C) += A A'.
inline void add_outer(Matrix& C, const Eigen::Ref<const Matrix>& A) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, static_cast<int>(A.rows()), static_cast<int>(A.cols()), 1,
              A.data(), static_cast<int>(A.outerStride()), 1, C.data(), static_cast<int>(C.outerStride()));
}

inline void multiply(const Matrix& A, const Matrix& B, Matrix& C) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(A.rows()), static_cast<int>(B.cols()),
              static_cast<int>(A.cols()), 1, A.data(), static_cast<int>(A.rows()), B.data(), static_cast<int>(B.rows()),
              0, C.data(), static_cast<int>(C.rows()));
}

/// y = A x, or A' x.
inline Vector times(const Matrix& A, const Vector& x, bool transposed) {
  Vector y = Vector::Zero(transposed ? A.cols() : A.rows());
  cblas_dgemv(CblasColMajor, transposed ? CblasTrans : CblasNoTrans, static_cast<int>(A.rows()),
              static_cast<int>(A.cols()), 1, A.data(), static_cast<int>(A.rows()), x.data(), 1, 0, y.data(), 1);
  return y;
}

inline bool cholesky(Matrix& A) {
  const int n = static_cast<int>(A.rows());
  int info = 0;
  dpotrf_("L", &n, A.data(), &n, &info);
  return info == 0;
}

}  // namespace openblas
