#include "bocs/problem/aerostruct/linearisation.hpp"

#include "bocs/problem/aerostruct/beam.hpp"

namespace bocs::aerostruct {
namespace {

Vector free_part(const Nodal<Complex>& perturbed) { return perturbed.leftCols<kPanels>().reshaped().imag() / kStep; }

Eigen::Vector2d cruise(const Aerodynamics<Complex>& perturbed, const Inputs<Complex>& inputs) {
  const auto& c = perturbed.coefficients;
  return Eigen::Vector2d(c.lift.imag(), fuel_burn(c, inputs).imag()) / kStep;
}

}  // namespace

Partials differentiate(const Inputs<double>& inputs, const WingState& state) {
  Partials p;
  p.loads_by_displacement.resize(kFree, kFree);
  p.loads_by_inputs.resize(kFree, kInputs);
  p.cruise_by_displacement.resize(2, kFree);
  p.cruise_by_inputs.resize(2, kInputs);
  p.displacement_by_inputs.resize(kFree, kInputs);
  p.failure_by_displacement.resize(1, kFree);
  p.failure_by_inputs.resize(1, kInputs);
  p.displacement_by_loads = solve<double>(stiffness(inputs), Matrix::Identity(kFree, kFree));

  const Inputs<Complex> z = inputs.cast<Complex>();
  const Nodal<Complex> d = state.displacement.cast<Complex>();
  const Nodal<Complex> loads = state.aero.loads.cast<Complex>();
  const Complex step(0, kStep);
  for (int i = 0; i < kFree; ++i) {
    Nodal<Complex> moved = d;
    moved.reshaped()[i] += step;
    const auto aero = aerodynamics(z, moved);
    p.loads_by_displacement.col(i) = free_part(aero.loads);
    p.cruise_by_displacement.col(i) = cruise(aero, z);
    p.failure_by_displacement(0, i) = failure(z, moved).imag() / kStep;
  }
  for (int i = 0; i < kInputs; ++i) {
    Inputs<Complex> moved = z;
    moved[i] += step;
    const auto aero = aerodynamics(moved, d);
    p.loads_by_inputs.col(i) = free_part(aero.loads);
    p.cruise_by_inputs.col(i) = cruise(aero, moved);
    p.displacement_by_inputs.col(i) = free_part(displacements(moved, loads));
    p.failure_by_inputs(0, i) = failure(moved, d).imag() / kStep;
  }
  return p;
}

Partials standardised(Partials p, const Outputs& output_unit, const Inputs<double>& input_unit) {
  for (Matrix* by_inputs : {&p.loads_by_inputs, &p.cruise_by_inputs, &p.displacement_by_inputs, &p.failure_by_inputs}) {
    *by_inputs *= input_unit.asDiagonal();
  }
  for (Matrix* cruise : {&p.cruise_by_displacement, &p.cruise_by_inputs}) {
    cruise->row(kLift) /= output_unit[kLift];
    cruise->row(kFuel) /= output_unit[kFuel];
  }
  p.failure_by_displacement /= output_unit[kFailure];
  p.failure_by_inputs /= output_unit[kFailure];
  return p;
}

// With X_L, X_d the diagonal matrices of live loads and deflections, D = d displacement / d inputs solves
//   (I - S X_L A X_d) D = S X_L A_z + S_z,   S = displacement_by_loads, A = loads_by_displacement, _z = by inputs.
// Only the rows of D at stations with a live deflection have to be solved for; they give the live loads, these the
// rest.
Jacobian jacobian(const Partials& p, const Point& x) {
  std::vector<int> seen;  // degrees of freedom that aerodynamics sees move
  for (int i = 0; i < kFree; ++i) {
    if (x[kDeflection + i / 6] == 1) seen.push_back(i);
  }
  const auto n = static_cast<Eigen::Index>(seen.size());
  Matrix loads(kFree, n + kInputs);  // X_L [A X_d, A_z]
  loads << p.loads_by_displacement(Eigen::all, seen), p.loads_by_inputs;
  for (int j = 0; j < kPanels; ++j) {
    if (x[kForce + j] == 0) loads.middleRows<3>(6 * j).setZero();
    if (x[kMoment + j] == 0) loads.middleRows<3>(6 * j + 3).setZero();
  }
  Matrix response;
  multiply(p.displacement_by_loads(seen, Eigen::all), loads, response);
  const Matrix system = Matrix::Identity(n, n) - response.leftCols(n);
  const Matrix moved =
      solve<double>(system, response.rightCols<kInputs>() + p.displacement_by_inputs(seen, Eigen::all));
  const Matrix load_change = loads.leftCols(n) * moved + loads.rightCols<kInputs>();
  const Matrix displacement = p.displacement_by_loads * load_change + p.displacement_by_inputs;
  Jacobian result;
  result << p.cruise_by_displacement(Eigen::all, seen) * moved + p.cruise_by_inputs,
      p.failure_by_displacement * displacement + p.failure_by_inputs;
  return result;
}

}  // namespace bocs::aerostruct
