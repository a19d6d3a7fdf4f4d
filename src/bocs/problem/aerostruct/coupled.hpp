#pragma once
// The two disciplines, the 21 couplings between them, and their common solution.

#include "bocs/problem/aerostruct/functionals.hpp"
#include "bocs/space/space.hpp"

namespace bocs::aerostruct {

/// Coupling i of station j (tip 0 ... 6): nodal force i = j, nodal moment i = 7 + j (aerodynamics to structures), nodal
/// deflection i = 14 + j (structures to aerodynamics).
inline constexpr int kForce = 0, kMoment = kPanels, kDeflection = 2 * kPanels, kCouplings = 3 * kPanels;

enum Output { kLift, kFuel, kFailure, kOutputs };
using Outputs = Eigen::Matrix<double, kOutputs, 1>;  // -, kg, -

template <class T>
struct Aerodynamics {
  Lattice<T> lattice;
  Nodal<T> loads;
  Coefficients<T> coefficients;
};
template <class T>
Aerodynamics<T> aerodynamics(const Inputs<T>&, const Nodal<T>& displacement);

struct WingState {
  Nodal<double> displacement = Nodal<double>::Zero();  // as structures computes it
  Aerodynamics<double> aero;
  Outputs outputs;
  int sweeps = 0;
};

/// Coupling i is live where x[i] = 1; where x[i] = 0 its receiver sees the value of the reference state instead.
struct Cut {
  Point x;
  const WingState& reference;
};

/// Solves the coupled model, without cuts if `cut` is null, by relaxed fixed-point sweeps (Aitken). Throws
/// InvalidArgument naming the inputs if they do not converge.
WingState solve_coupled(const Inputs<double>&, const Cut* cut = nullptr);

/// "alpha=5, airspeed=248.136, ...", for messages.
std::string describe(const Inputs<double>&);

}  // namespace bocs::aerostruct
