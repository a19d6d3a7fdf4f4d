#pragma once
// Everything between the inputs and the outputs of the wing is a template of the scalar type T, double or
// std::complex<double>: the imaginary part of f(x + i h), h = 1e-30, is h f'(x) to machine precision (complex step).
// This holds for analytic code only: products without conjugation (Eigen's dot, norm and cross conjugate), branches on
// real parts.

#include <Eigen/Core>
#include <cmath>
#include <complex>

namespace bocs::aerostruct {

using Complex = std::complex<double>;
inline constexpr double kStep = 1e-30;

template <class T>
using Vec3 = Eigen::Matrix<T, 3, 1>;

template <class T>
T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class T>
Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <class T>
T norm(const Vec3<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

template <class T>
using Square = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

/// A^-1 B by elimination with partial pivoting. The systems of a wing are small, and Eigen's blocked factorizations
/// took most of the time that these files need to compile.
template <class T>
Square<T> solve(Square<T> A, Square<T> B) {
  const Eigen::Index n = A.rows(), columns = B.cols();
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < n; ++i) {
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    }
    if (pivot != k) {
      for (Eigen::Index j = k; j < n; ++j) std::swap(A(k, j), A(pivot, j));
      for (Eigen::Index j = 0; j < columns; ++j) std::swap(B(k, j), B(pivot, j));
    }
    for (Eigen::Index i = k + 1; i < n; ++i) A(i, k) /= A(k, k);
    const auto eliminate = [&](Square<T>& C, Eigen::Index j) {
      for (Eigen::Index i = k + 1; i < n; ++i) C(i, j) -= A(i, k) * C(k, j);
    };
    for (Eigen::Index j = k + 1; j < n; ++j) eliminate(A, j);
    for (Eigen::Index j = 0; j < columns; ++j) eliminate(B, j);
  }
  for (Eigen::Index j = 0; j < columns; ++j) {
    for (Eigen::Index k = n - 1; k >= 0; --k) {
      B(k, j) /= A(k, k);
      for (Eigen::Index i = 0; i < k; ++i) B(i, j) -= A(i, k) * B(k, j);
    }
  }
  return B;
}

}  // namespace bocs::aerostruct
