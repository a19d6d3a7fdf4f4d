#pragma once
// What the engineer asks of the wing: lift and drag, fuel burn, and how far the spar is from yielding.

#include "bocs/problem/aerostruct/vortex_lattice.hpp"

namespace bocs::aerostruct {

template <class T>
struct Coefficients {
  T area;           // of both wings, m^2
  T lift;           // CL
  T induced_drag;   // CDi
  T friction_drag;  // CDv
  T drag;           // CD
};
template <class T>
Coefficients<T> coefficients(const Mesh<T>&, const Panels<T>&, const Lattice<T>&, const Inputs<T>&);

/// Breguet, kg of fuel for the range. The lift coefficient must be positive.
template <class T>
T fuel_burn(const Coefficients<T>&, const Inputs<T>&);

/// Smooth maximum (Kreisselmeier-Steinhauser) of stress / allowed stress - 1: safe below 0.
template <class T>
T failure(const Inputs<T>&, const Nodal<T>& displacement);

}  // namespace bocs::aerostruct
