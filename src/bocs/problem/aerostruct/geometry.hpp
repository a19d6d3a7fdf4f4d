#pragma once
// The left half of a swept transport wing (common research model planform), x aft, y <= 0 to the left, z up, metres.
// Stations run from the tip (0) to the symmetry plane (7); panel k and beam element k lie between stations k and k + 1.

#include <array>

#include "bocs/problem/aerostruct/scalar.hpp"

namespace bocs::aerostruct {

inline constexpr int kStations = 8;
inline constexpr int kPanels = 7;
inline constexpr int kFree = 42;  // six degrees of freedom at each station but the clamped root
inline constexpr double kThicknessToChord = 0.12;

/// The random inputs, in the order of every Jacobian's columns.
enum Input { kAlpha, kAirspeed, kDensity, kMach, kReynolds, kYoung, kShear, kThickness, kInputs };

template <class T>
using Inputs = Eigen::Matrix<T, kInputs, 1>;  // degrees, m/s, kg/m^3, -, 1/m, Pa, Pa, m

/// A column per station: displacement and rotation about x, y, z, or force and moment. Read as one vector, entry
/// 6 * station + component; its first kFree entries are those of the free stations.
template <class T>
using Nodal = Eigen::Matrix<T, 6, kStations>;

template <class T>
struct Mesh {
  std::array<Vec3<T>, kStations> leading;   // edge
  std::array<Vec3<T>, kStations> trailing;  // edge

  /// Point of station j at the given fraction of its chord.
  [[nodiscard]] Vec3<T> at_chord(int j, double fraction) const {
    return (1 - fraction) * leading[j] + fraction * trailing[j];
  }
  [[nodiscard]] T chord(int j) const { return norm<T>(trailing[j] - leading[j]); }
};

inline constexpr double kSparChord = 0.35;     // where the spar runs
inline constexpr double kVortexChord = 0.25;   // where the bound vortices lie
inline constexpr double kControlChord = 0.75;  // where the flow is tangent to the panel

const Mesh<double>& undeformed_mesh();
const std::array<Vec3<double>, kStations>& spar_nodes();  // of the undeformed mesh
const std::array<double, kPanels>& tube_radii();          // outer, of the undeformed mesh

/// What the lattice and the coefficients need of each panel.
template <class T>
struct Panels {
  Eigen::Matrix<T, 3, kStations> quarter_chord;  // ends of the bound vortices
  Eigen::Matrix<T, 3, kPanels> control_point;
  Eigen::Matrix<T, 3, kPanels> force_point;
  Eigen::Matrix<T, 3, kPanels> normal;  // unit length
  Eigen::Matrix<T, kPanels, 1> area;
};

template <class T>
Panels<T> make_panels(const Mesh<T>&);

}  // namespace bocs::aerostruct
