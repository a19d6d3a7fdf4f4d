#pragma once
// Vectors and matrices (Eigen), and the few large dense operations that are worth the processor's widest vector units
// (numeric/dense_kernels). They may be called from any number of threads at once; each call runs on the thread that
// makes it, large symmetric products on those that it may use (numeric/parallel.hpp), and gives the same bits in all
// cases.

#include <functional>

#include "bocs/numeric/matrix.hpp"

namespace bocs {

/// lower(C) += scale * A A'. The strict upper triangle of C is left alone. Needs C.rows() == C.cols() == A.rows().
void add_outer(Eigen::Ref<Matrix> C, const Eigen::Ref<const Matrix>& A, double scale = 1);

/// C = A B.
void multiply(const Eigen::Ref<const Matrix>& A, const Eigen::Ref<const Matrix>& B, Matrix& C);

/// y = A x and y = A' x.
Vector times(const Matrix& A, const Vector& x);
Vector transposed_times(const Matrix& A, const Vector& x);

/// Lower Cholesky factor in place of the lower triangle. If A is not numerically positive definite, climbs a fixed
/// ladder of diagonal shifts, 1e-14 ... 1e-2 times the largest diagonal entry; `refill` writes A's lower triangle anew
/// for each rung. Returns the number of rungs climbed: 0 for none, -1 if even the last one failed (then A holds
/// garbage).
int cholesky(Matrix& A, const std::function<void(Matrix&)>& refill);
int cholesky(Matrix& A);

/// x = L^-1 x and x = L^-T x for a lower triangular L.
void solve_lower(const Matrix& L, Vector& x);
void solve_lower_transposed(const Matrix& L, Vector& x);

/// Sum of 2 log L_ii: the log-determinant of L L'.
double log_determinant(const Matrix& L);

/// Smallest eigenvalue of the symmetric matrix whose lower triangle is given.
double smallest_eigenvalue(const Matrix& A);

}  // namespace bocs
