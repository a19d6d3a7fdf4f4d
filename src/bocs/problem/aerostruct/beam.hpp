#pragma once
// The spar: a linear space frame of seven tubes, Euler-Bernoulli, clamped at the root.

#include "bocs/problem/aerostruct/geometry.hpp"

namespace bocs::aerostruct {

template <class T>
struct Section {
  T area;     // m^2
  T inertia;  // second moment about either bending axis, m^4; the torsion constant is twice that
};
template <class T>
Section<T> tube_section(int element, const T& thickness);

/// 12 x 12, global axes: the six degrees of freedom of node `element`, then those of the next.
template <class T>
Eigen::Matrix<T, 12, 12> element_stiffness(int element, const Inputs<T>&);

/// kFree x kFree, of the free degrees of freedom.
template <class T>
Square<T> stiffness(const Inputs<T>&);

/// Displacements under the loads; the root column of the loads acts on the clamp and that of the result is 0.
template <class T>
Nodal<T> displacements(const Inputs<T>&, const Nodal<T>& loads);

/// Von Mises stress on the two sides of each tube, Pa.
template <class T>
Eigen::Matrix<T, 2, kPanels> von_mises(const Inputs<T>&, const Nodal<T>& displacement);

/// Both wings, kg.
template <class T>
T spar_mass(const T& thickness);

}  // namespace bocs::aerostruct
