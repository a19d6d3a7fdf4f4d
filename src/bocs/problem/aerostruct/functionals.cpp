#include "bocs/problem/aerostruct/functionals.hpp"

#include <algorithm>

#include "bocs/problem/aerostruct/beam.hpp"

namespace bocs::aerostruct {
namespace {

constexpr double kZeroAngleLift = 0;            // CL0
constexpr double kParasiteDrag = 0.015;         // CD0
constexpr double kLaminar = 0.05;               // laminar fraction of the chord
constexpr double kThickestChord = 0.303;        // where the section is thickest, fraction of the chord
constexpr double kFuelRate = 9.80665 * 17e-6;   // thrust specific fuel consumption, 1/s
constexpr double kRange = 11.165e6;             // m
constexpr double kDryMass = 1.2e5;              // without fuel and spar, kg
constexpr double kSoundSpeed = 295.4;           // m/s
constexpr double kAllowedStress = 500e6 / 2.5;  // yield stress over safety factor, Pa
constexpr double kSmoothing = 100;              // of the smooth maximum

/// Turbulent skin friction of a flat plate.
template <class T>
T turbulent_friction(const T& reynolds, const T& mach) {
  using std::log, std::pow;
  return 0.455 / (pow(log(reynolds) / std::log(10.), 2.58) * pow(1. + 0.144 * mach * mach, 0.65));
}

/// Friction drag times area of one half wing.
template <class T>
T friction_area(const Mesh<T>& mesh, const Panels<T>& panels, const Inputs<T>& inputs) {
  using std::pow, std::sqrt;
  const T mach = inputs[kMach];
  const double thickness = kThicknessToChord;
  const T form = 1.34 * pow(mach, 0.18) * (1 + 0.6 * thickness / kThickestChord + 100 * std::pow(thickness, 4));
  T sum = 0;
  for (int k = 0; k < kPanels; ++k) {
    const T chord = 0.5 * (mesh.chord(k) + mesh.chord(k + 1));
    const Vec3<T> span = panels.quarter_chord.col(k + 1) - panels.quarter_chord.col(k);
    const T width = sqrt(span[1] * span[1] + span[2] * span[2]);
    const T sweep_cosine = width / norm(span);
    const T reynolds = inputs[kReynolds] * chord;
    const T laminar = kLaminar * reynolds;
    const T friction =
        kLaminar * (1.328 / sqrt(laminar) - turbulent_friction(laminar, mach)) + turbulent_friction(reynolds, mach);
    sum += 2. * friction * chord * width * form * pow(sweep_cosine, 0.28);
  }
  return sum;
}

}  // namespace

template <class T>
Coefficients<T> coefficients(const Mesh<T>& mesh, const Panels<T>& panels, const Lattice<T>& lattice,
                             const Inputs<T>& inputs) {
  const Vec3<T> axis = wind_axis(inputs);
  const Vec3<T> force = 2. * lattice.force.rowwise().sum();
  Coefficients<T> result;
  result.area = 2. * panels.area.sum();
  const T dynamic = 0.5 * inputs[kDensity] * inputs[kAirspeed] * inputs[kAirspeed] * result.area;
  result.lift = (force[2] * axis[0] - force[0] * axis[2]) / dynamic + kZeroAngleLift;
  result.induced_drag = (force[0] * axis[0] + force[2] * axis[2]) / dynamic;
  result.friction_drag = 2. * friction_area(mesh, panels, inputs) / result.area;
  result.drag = result.induced_drag + result.friction_drag + kParasiteDrag;
  return result;
}

template <class T>
T fuel_burn(const Coefficients<T>& c, const Inputs<T>& inputs) {
  using std::exp;
  const T exponent = kRange * kFuelRate * c.drag / (kSoundSpeed * inputs[kMach] * c.lift);
  return (kDryMass + spar_mass(inputs[kThickness])) * (exp(exponent) - 1.);
}

template <class T>
T failure(const Inputs<T>& inputs, const Nodal<T>& displacement) {
  using std::exp, std::log;
  const auto stress = von_mises(inputs, displacement);
  T worst = stress(0, 0);
  for (const T& s : stress.reshaped()) worst = std::real(s) > std::real(worst) ? s : worst;
  T sum = 0;
  for (const T& s : stress.reshaped()) sum += exp(kSmoothing * (s - worst) / kAllowedStress);
  return worst / kAllowedStress - 1. + log(sum) / kSmoothing;
}

template Coefficients<double> coefficients(const Mesh<double>&, const Panels<double>&, const Lattice<double>&,
                                           const Inputs<double>&);
template Coefficients<Complex> coefficients(const Mesh<Complex>&, const Panels<Complex>&, const Lattice<Complex>&,
                                            const Inputs<Complex>&);
template double fuel_burn(const Coefficients<double>&, const Inputs<double>&);
template Complex fuel_burn(const Coefficients<Complex>&, const Inputs<Complex>&);
template double failure(const Inputs<double>&, const Nodal<double>&);
template Complex failure(const Inputs<Complex>&, const Nodal<Complex>&);

}  // namespace bocs::aerostruct
