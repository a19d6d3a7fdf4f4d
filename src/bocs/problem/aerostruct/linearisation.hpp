#pragma once
// The coupled model linearised at its nominal state, with any of its couplings cut.

#include "bocs/numeric/linalg.hpp"
#include "bocs/problem/aerostruct/coupled.hpp"

namespace bocs::aerostruct {

using Jacobian = Eigen::Matrix<double, kOutputs, kInputs>;

/// Partial derivatives of each discipline by itself; entry 6 * station + component of loads and displacements.
struct Partials {
  Matrix loads_by_displacement;    // 42 x 42, aerodynamics
  Matrix loads_by_inputs;          // 42 x 8
  Matrix cruise_by_displacement;   // 2 x 42, cruise = (CL, fuel burn)
  Matrix cruise_by_inputs;         // 2 x 8
  Matrix displacement_by_loads;    // 42 x 42, structures: the inverse stiffness
  Matrix displacement_by_inputs;   // 42 x 8, at fixed loads
  Matrix failure_by_displacement;  // 1 x 42
  Matrix failure_by_inputs;        // 1 x 8, at fixed displacements
};
Partials differentiate(const Inputs<double>&, const WingState&);

/// The partials of outputs and inputs counted in the given units (one per output, one per input).
Partials standardised(Partials, const Outputs& output_unit, const Inputs<double>& input_unit);

/// d outputs / d inputs of the model that keeps the couplings with x[i] = 1.
Jacobian jacobian(const Partials&, const Point& x);

}  // namespace bocs::aerostruct
