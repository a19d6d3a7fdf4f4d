#include "bocs/problem/aerostruct/transfer.hpp"

namespace bocs::aerostruct {

template <class T>
Mesh<T> deform(const Nodal<T>& displacement) {
  using std::cos, std::sin;
  Mesh<T> deformed;
  for (int j = 0; j < kStations; ++j) {
    const Vec3<T> shift = displacement.template block<3, 1>(0, j);
    const T a = displacement(3, j), b = displacement(4, j), c = displacement(5, j);
    Eigen::Matrix<T, 3, 3> turn;  // the three single-axis rotations, each minus the identity, added up
    turn << cos(b) + cos(c) - 2., -sin(c), sin(b),  //
        sin(c), cos(a) + cos(c) - 2., -sin(a),      //
        -sin(b), sin(a), cos(a) + cos(b) - 2.;
    const auto move = [&](const Vec3<double>& point) -> Vec3<T> {
      const Vec3<T> arm = (point - spar_nodes()[j]).template cast<T>();
      return point.template cast<T>() + shift + turn * arm;
    };
    deformed.leading[j] = move(undeformed_mesh().leading[j]);
    deformed.trailing[j] = move(undeformed_mesh().trailing[j]);
  }
  return deformed;
}

template <class T>
Nodal<T> nodal_loads(const Mesh<T>& deformed, const Eigen::Matrix<T, 3, kPanels>& panel_force) {
  Nodal<T> loads = Nodal<T>::Zero();
  for (int k = 0; k < kPanels; ++k) {
    const Vec3<T> half = 0.5 * panel_force.col(k);
    const Vec3<T> force_point = 0.5 * (deformed.at_chord(k, kVortexChord) + deformed.at_chord(k + 1, kVortexChord));
    for (const int j : {k, k + 1}) {
      loads.template block<3, 1>(0, j) += half;
      loads.template block<3, 1>(3, j) += cross<T>(force_point - deformed.at_chord(j, kSparChord), half);
    }
  }
  return loads;
}

template Mesh<double> deform(const Nodal<double>&);
template Mesh<Complex> deform(const Nodal<Complex>&);
template Nodal<double> nodal_loads(const Mesh<double>&, const Eigen::Matrix<double, 3, kPanels>&);
template Nodal<Complex> nodal_loads(const Mesh<Complex>&, const Eigen::Matrix<Complex, 3, kPanels>&);

}  // namespace bocs::aerostruct
