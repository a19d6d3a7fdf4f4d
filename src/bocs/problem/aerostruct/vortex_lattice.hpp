#pragma once
// Incompressible vortex lattice with one chordwise row: seven horseshoe vortices on the half wing and their mirror
// images.

#include "bocs/problem/aerostruct/geometry.hpp"

namespace bocs::aerostruct {

template <class T>
struct Lattice {
  Eigen::Matrix<T, kPanels, kPanels> influence;  // (k, m): normal velocity at control point k of unit circulation m
  Eigen::Matrix<T, kPanels, 1> circulation;      // m^2/s, negative for lift with these orientations
  Eigen::Matrix<T, 3, kPanels> velocity;         // at the force points, m/s
  Eigen::Matrix<T, 3, kPanels> force;            // on the panels, N
};

template <class T>
Lattice<T> solve_lattice(const Mesh<T>&, const Panels<T>&, const Inputs<T>&);

/// Unit vector of the free stream.
template <class T>
Vec3<T> wind_axis(const Inputs<T>& inputs) {
  using std::cos, std::sin;
  const T alpha = inputs[kAlpha] * (M_PI / 180);
  return {cos(alpha), T(0), sin(alpha)};
}

}  // namespace bocs::aerostruct
