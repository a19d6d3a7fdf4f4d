#pragma once
// What the two disciplines exchange: deflections become a deformed mesh, panel forces become loads on the spar.

#include "bocs/problem/aerostruct/geometry.hpp"

namespace bocs::aerostruct {

/// The mesh carried by the spar nodes; station j moves with column j of the displacements only.
template <class T>
Mesh<T> deform(const Nodal<T>& displacement);

/// Half of each panel's force goes to each of its two deformed spar nodes, with its moment about that node.
template <class T>
Nodal<T> nodal_loads(const Mesh<T>& deformed, const Eigen::Matrix<T, 3, kPanels>& panel_force);

}  // namespace bocs::aerostruct
