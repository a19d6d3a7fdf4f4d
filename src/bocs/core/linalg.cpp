#include "bocs/core/linalg.hpp"

#include <cblas.h>

#include <cmath>
#include <limits>
#include <vector>

#include "bocs/core/error.hpp"

extern "C" {  // LAPACK, part of OpenBLAS
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dsyevr_(const char* jobz, const char* range, const char* uplo, const int* n, double* a, const int* lda,
             const double* vl, const double* vu, const int* il, const int* iu, const double* abstol, int* m, double* w,
             double* z, const int* ldz, int* isuppz, double* work, const int* lwork, int* iwork, const int* liwork,
             int* info);
}

namespace bocs {
namespace {

int extent(Eigen::Index n) { return static_cast<int>(n); }

}  // namespace

void add_outer(Matrix& C, const Eigen::Ref<const Matrix>& A, double scale) {
  if (A.cols() == 0 || A.rows() == 0) return;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, extent(A.rows()), extent(A.cols()), scale, A.data(),
              extent(A.outerStride()), 1, C.data(), extent(C.outerStride()));
}

void multiply(const Eigen::Ref<const Matrix>& A, const Eigen::Ref<const Matrix>& B, Matrix& C) {
  C.resize(A.rows(), B.cols());
  if (C.size() == 0) return;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, extent(A.rows()), extent(B.cols()), extent(A.cols()), 1,
              A.data(), extent(A.outerStride()), B.data(), extent(B.outerStride()), 0, C.data(),
              extent(C.outerStride()));
}

namespace {

Vector gemv(CBLAS_TRANSPOSE transpose, const Matrix& A, const Vector& x, Eigen::Index size) {
  Vector y = Vector::Zero(size);
  if (A.size() == 0) return y;
  cblas_dgemv(CblasColMajor, transpose, extent(A.rows()), extent(A.cols()), 1, A.data(), extent(A.outerStride()),
              x.data(), 1, 0, y.data(), 1);
  return y;
}

}  // namespace

Vector times(const Matrix& A, const Vector& x) { return gemv(CblasNoTrans, A, x, A.rows()); }
Vector transposed_times(const Matrix& A, const Vector& x) { return gemv(CblasTrans, A, x, A.cols()); }

int cholesky(Matrix& A, const std::function<void(Matrix&)>& refill) {
  const int n = extent(A.rows());
  if (n == 0) return 0;
  const double largest = A.diagonal().cwiseAbs().maxCoeff();
  int info = 0;
  dpotrf_("L", &n, A.data(), &n, &info);
  int rung = 0;
  for (double shift = 1e-14; info != 0 && shift < 0.05; shift *= 100) {
    ++rung;
    refill(A);
    A.diagonal().array() += shift * largest;
    dpotrf_("L", &n, A.data(), &n, &info);
  }
  const bool finite = std::isfinite(A.diagonal().sum());  // LAPACK lets a NaN pass
  return info == 0 && finite ? rung : -1;
}

int cholesky(Matrix& A) {
  return cholesky(A, [copy = Matrix(A)](Matrix& target) { target = copy; });
}

void solve_lower(const Matrix& L, Vector& x) {
  cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, extent(L.rows()), L.data(),
              extent(L.outerStride()), x.data(), 1);
}

void solve_lower_transposed(const Matrix& L, Vector& x) {
  cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, extent(L.rows()), L.data(), extent(L.outerStride()),
              x.data(), 1);
}

double log_determinant(const Matrix& L) {
  double sum = 0;
  for (Eigen::Index i = 0; i < L.rows(); ++i) sum += std::log(L(i, i));
  return 2 * sum;
}

double smallest_eigenvalue(Matrix A) {
  const int n = extent(A.rows());
  require(n > 0, "smallest_eigenvalue: the matrix is empty");
  const int one = 1;
  const double zero = 0;
  int found = 0;
  int info = 0;
  Vector w(n);
  std::vector<int> support(2);
  double work_size = 0;
  int iwork_size = 0;
  int query = -1;
  dsyevr_("N", "I", "L", &n, A.data(), &n, &zero, &zero, &one, &one, &zero, &found, w.data(), nullptr, &one,
          support.data(), &work_size, &query, &iwork_size, &query, &info);
  std::vector<double> work(static_cast<std::size_t>(work_size));
  std::vector<int> iwork(static_cast<std::size_t>(iwork_size));
  const int work_length = static_cast<int>(work.size());
  const int iwork_length = static_cast<int>(iwork.size());
  dsyevr_("N", "I", "L", &n, A.data(), &n, &zero, &zero, &one, &one, &zero, &found, w.data(), nullptr, &one,
          support.data(), work.data(), &work_length, iwork.data(), &iwork_length, &info);
  return info == 0 && found == 1 ? w(0) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace bocs
