#include "bocs/problem/aerostruct/coupled.hpp"

#include <sstream>

#include "bocs/base/error.hpp"
#include "bocs/problem/aerostruct/beam.hpp"
#include "bocs/problem/aerostruct/transfer.hpp"

namespace bocs::aerostruct {
namespace {

constexpr double kTolerance = 1e-13;  // of a sweep, relative to 1 m or 1 rad, or to the largest displacement if larger
constexpr int kMaxSweeps = 300;

Nodal<double> seen_by_structures(Nodal<double> loads, const Cut* cut) {
  if (cut == nullptr) return loads;
  for (int j = 0; j < kPanels; ++j) {
    const auto& frozen = cut->reference.aero.loads;
    if (cut->x[kForce + j] == 0) loads.block<3, 1>(0, j) = frozen.block<3, 1>(0, j);
    if (cut->x[kMoment + j] == 0) loads.block<3, 1>(3, j) = frozen.block<3, 1>(3, j);
  }
  return loads;
}

Nodal<double> seen_by_aerodynamics(Nodal<double> displacement, const Cut* cut) {
  if (cut == nullptr) return displacement;
  for (int j = 0; j < kPanels; ++j) {
    if (cut->x[kDeflection + j] == 0) displacement.col(j) = cut->reference.displacement.col(j);
  }
  return displacement;
}

}  // namespace

std::string describe(const Inputs<double>& inputs) {
  constexpr std::array<const char*, kInputs> names = {"alpha",    "airspeed",       "density",       "mach",
                                                      "reynolds", "youngs_modulus", "shear_modulus", "thickness"};
  std::ostringstream text;
  for (int i = 0; i < kInputs; ++i) text << (i == 0 ? "" : ", ") << names[i] << '=' << inputs[i];
  return text.str();
}

template <class T>
Aerodynamics<T> aerodynamics(const Inputs<T>& inputs, const Nodal<T>& displacement) {
  const Mesh<T> mesh = deform(displacement);
  const Panels<T> panels = make_panels(mesh);
  Aerodynamics<T> result;
  result.lattice = solve_lattice(mesh, panels, inputs);
  result.loads = nodal_loads(mesh, result.lattice.force);
  result.coefficients = coefficients(mesh, panels, result.lattice, inputs);
  return result;
}

WingState solve_coupled(const Inputs<double>& inputs, const Cut* cut) {
  const Square<double> flexibility = solve<double>(stiffness(inputs), Square<double>::Identity(kFree, kFree));
  WingState state;
  Nodal<double> residual, last = Nodal<double>::Zero();
  double relaxation = 1;
  do {
    require(++state.sweeps <= kMaxSweeps, [&] {
      std::ostringstream text;
      text << "the deflected wing does not settle at " << describe(inputs) << ": sweep " << kMaxSweeps
           << " still changes it by " << residual.cwiseAbs().maxCoeff() << " m or rad";
      return text.str();
    });
    state.aero = aerodynamics(inputs, seen_by_aerodynamics(state.displacement, cut));
    const Nodal<double> loads = seen_by_structures(state.aero.loads, cut);
    residual = -state.displacement;
    residual.leftCols<kPanels>().reshaped() += flexibility * loads.leftCols<kPanels>().reshaped();
    require(residual.allFinite(), [&] { return "the wing's deflections diverge at " + describe(inputs); });
    if (state.sweeps > 1) {  // Aitken: the secant of the last two residuals
      const Nodal<double> change = residual - last;
      const double size = change.squaredNorm();
      if (size > 0) relaxation *= -last.cwiseProduct(change).sum() / size;
    }
    state.displacement += relaxation * residual;
    last = residual;
  } while (residual.cwiseAbs().maxCoeff() > kTolerance * std::max(1., state.displacement.cwiseAbs().maxCoeff()));

  state.aero = aerodynamics(inputs, seen_by_aerodynamics(state.displacement, cut));
  state.outputs << state.aero.coefficients.lift, fuel_burn(state.aero.coefficients, inputs),
      failure(inputs, state.displacement);
  return state;
}

template Aerodynamics<double> aerodynamics(const Inputs<double>&, const Nodal<double>&);
template Aerodynamics<Complex> aerodynamics(const Inputs<Complex>&, const Nodal<Complex>&);

}  // namespace bocs::aerostruct
