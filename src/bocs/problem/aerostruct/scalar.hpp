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

}  // namespace bocs::aerostruct
