#include "bocs/problem/aerostruct/vortex_lattice.hpp"

namespace bocs::aerostruct {
namespace {

/// Velocity at p of a straight filament of unit circulation from `start` to `end`; 0 on the filament itself.
template <class T>
Vec3<T> finite_filament(const Vec3<T>& p, const Vec3<T>& start, const Vec3<T>& end) {
  const Vec3<T> r1 = p - start, r2 = p - end;
  const T n1 = norm(r1), n2 = norm(r2);
  const T gap = n1 * n2 + dot(r1, r2);
  if (std::abs(std::real(gap)) <= 1e-10) return Vec3<T>::Zero();
  return cross(r1, r2) * ((1. / n1 + 1. / n2) / (4 * M_PI * gap));
}

/// Velocity at p of a unit filament from `start` to infinity along the unit vector `axis`.
template <class T>
Vec3<T> infinite_filament(const Vec3<T>& p, const Vec3<T>& start, const Vec3<T>& axis) {
  const Vec3<T> r = p - start;
  const T n = norm(r);
  return cross(axis, r) / (4 * M_PI * n * (n - dot(axis, r)));
}

/// The points that carry the vortices of both wings, tip to tip.
template <class T>
struct Wake {
  static constexpr int kPoints = 2 * kStations - 1;
  std::array<Vec3<T>, kPoints> quarter_chord, trailing_edge;
  Vec3<T> axis;

  Wake(const Mesh<T>& mesh, const Panels<T>& panels, const Inputs<T>& inputs) : axis(wind_axis(inputs)) {
    for (int j = 0; j < kStations; ++j) {
      quarter_chord[j] = panels.quarter_chord.col(j);
      trailing_edge[j] = mesh.trailing[j];
      if (j == kStations - 1) continue;  // the root is its own mirror image
      quarter_chord[kPoints - 1 - j] = mirrored(quarter_chord[j]);
      trailing_edge[kPoints - 1 - j] = mirrored(trailing_edge[j]);
    }
  }

  static Vec3<T> mirrored(const Vec3<T>& p) { return {p[0], -p[1], p[2]}; }

  /// Column k: velocity at p of horseshoe k and its mirror image, both of unit circulation. A horseshoe comes in along
  /// the leg of station k + 1, crosses on the quarter chord and leaves along the leg of station k.
  [[nodiscard]] Eigen::Matrix<T, 3, kPanels> unit_velocities(const Vec3<T>& p) const {
    std::array<Vec3<T>, kPoints> leg;  // from the quarter chord to the trailing edge and on to infinity
    for (int j = 0; j < kPoints; ++j) {
      leg[j] = finite_filament(p, quarter_chord[j], trailing_edge[j]) + infinite_filament(p, trailing_edge[j], axis);
    }
    const auto horseshoe = [&](int k) -> Vec3<T> {
      return finite_filament(p, quarter_chord[k + 1], quarter_chord[k]) + leg[k] - leg[k + 1];
    };
    Eigen::Matrix<T, 3, kPanels> velocities;
    for (int k = 0; k < kPanels; ++k) velocities.col(k) = horseshoe(k) + horseshoe(2 * kPanels - 1 - k);
    return velocities;
  }
};

}  // namespace

template <class T>
Lattice<T> solve_lattice(const Mesh<T>& mesh, const Panels<T>& panels, const Inputs<T>& inputs) {
  const Wake<T> wake(mesh, panels, inputs);
  const Vec3<T> stream = inputs[kAirspeed] * wake.axis;
  Lattice<T> lattice;
  Eigen::Matrix<T, kPanels, 1> inflow;
  for (int k = 0; k < kPanels; ++k) {
    const Vec3<T> normal = panels.normal.col(k);
    lattice.influence.row(k) = normal.transpose() * wake.unit_velocities(panels.control_point.col(k));
    inflow[k] = -dot(stream, normal);
  }
  lattice.circulation = solve<T>(lattice.influence, inflow);
  for (int k = 0; k < kPanels; ++k) {
    const Vec3<T> velocity = stream + wake.unit_velocities(panels.force_point.col(k)) * lattice.circulation;
    const Vec3<T> bound = panels.quarter_chord.col(k) - panels.quarter_chord.col(k + 1);
    lattice.velocity.col(k) = velocity;
    lattice.force.col(k) = inputs[kDensity] * lattice.circulation[k] * cross(velocity, bound);
  }
  return lattice;
}

template Lattice<double> solve_lattice(const Mesh<double>&, const Panels<double>&, const Inputs<double>&);
template Lattice<Complex> solve_lattice(const Mesh<Complex>&, const Panels<Complex>&, const Inputs<Complex>&);

}  // namespace bocs::aerostruct
