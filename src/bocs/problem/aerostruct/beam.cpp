#include "bocs/problem/aerostruct/beam.hpp"

namespace bocs::aerostruct {
namespace {

constexpr double kSparDensity = 3000;  // kg/m^3

struct Element {
  double length;
  Eigen::Matrix3d axes;  // rows: local x along the tube, y, z
};

const Element& element_frame(int element) {
  static const auto frames = [] {
    std::array<Element, kPanels> result;
    for (int e = 0; e < kPanels; ++e) {
      const Eigen::Vector3d along = spar_nodes()[e + 1] - spar_nodes()[e];
      const Eigen::Vector3d x = along.normalized();
      const Eigen::Vector3d y = cross<double>(x, Eigen::Vector3d::UnitX()).normalized();
      result[e].length = along.norm();
      result[e].axes << x.transpose(), y.transpose(), cross(x, y).transpose();
    }
    return result;
  }();
  return frames[element];
}

}  // namespace

template <class T>
Section<T> tube_section(int element, const T& thickness) {
  const double outer = tube_radii()[element];
  const T inner = outer - thickness;
  const T inner2 = inner * inner;
  const double outer2 = outer * outer;
  return {M_PI * (outer2 - inner2), M_PI / 4 * (outer2 * outer2 - inner2 * inner2)};
}

template <class T>
Eigen::Matrix<T, 12, 12> element_stiffness(int element, const Inputs<T>& inputs) {
  const auto& [length, axes] = element_frame(element);
  const auto section = tube_section(element, inputs[kThickness]);
  Eigen::Matrix<T, 12, 12> local = Eigen::Matrix<T, 12, 12>::Zero();
  const auto spring = [&](int i, int j, const T& value) {  // between two degrees of freedom
    local(i, i) = local(j, j) = value;
    local(i, j) = local(j, i) = -value;
  };
  spring(0, 6, inputs[kYoung] * section.area / length);
  spring(3, 9, inputs[kShear] * 2. * section.inertia / length);

  const T bending = inputs[kYoung] * section.inertia / (length * length * length);
  const auto bend = [&](const std::array<int, 4>& dof, double l) {  // deflection, slope, deflection, slope
    Eigen::Matrix4d shape;
    shape << 12, 6 * l, -12, 6 * l,           //
        6 * l, 4 * l * l, -6 * l, 2 * l * l,  //
        -12, -6 * l, 12, -6 * l,              //
        6 * l, 2 * l * l, -6 * l, 4 * l * l;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) local(dof[i], dof[j]) = bending * shape(i, j);
    }
  };
  bend({1, 5, 7, 11}, length);
  bend({2, 4, 8, 10}, -length);  // a positive turn about y lowers z: the slope has the other sign

  const Eigen::Matrix<T, 3, 3> turn = axes.cast<T>();
  Eigen::Matrix<T, 12, 12> global;
  for (int i = 0; i < 12; i += 3) {
    for (int j = 0; j < 12; j += 3) {
      global.template block<3, 3>(i, j) = turn.transpose() * local.template block<3, 3>(i, j) * turn;
    }
  }
  return global;
}

template <class T>
Square<T> stiffness(const Inputs<T>& inputs) {
  Square<T> all = Square<T>::Zero(6 * kStations, 6 * kStations);
  for (int e = 0; e < kPanels; ++e) all.template block<12, 12>(6 * e, 6 * e) += element_stiffness(e, inputs);
  return all.topLeftCorner(kFree, kFree);
}

template <class T>
Nodal<T> displacements(const Inputs<T>& inputs, const Nodal<T>& loads) {
  Nodal<T> result = Nodal<T>::Zero();
  result.template leftCols<kPanels>().reshaped() =
      solve<T>(stiffness(inputs), loads.template leftCols<kPanels>().reshaped());
  return result;
}

template <class T>
Eigen::Matrix<T, 2, kPanels> von_mises(const Inputs<T>& inputs, const Nodal<T>& displacement) {
  using std::sqrt;
  Eigen::Matrix<T, 2, kPanels> stress;
  for (int e = 0; e < kPanels; ++e) {
    const auto& [length, axes] = element_frame(e);
    const double radius = tube_radii()[e];
    const Eigen::Matrix<T, 6, 1> change = displacement.col(e + 1) - displacement.col(e);
    const T stretch = (axes.cast<T>() * change.template head<3>())[0];
    const Vec3<T> turn = axes.cast<T>() * change.template tail<3>();
    const T bending = inputs[kYoung] * radius / length * sqrt(turn[1] * turn[1] + turn[2] * turn[2]);
    const T axial = inputs[kYoung] * stretch / length;
    const T shear = inputs[kShear] * radius * turn[0] / length;
    stress(0, e) = sqrt((bending + axial) * (bending + axial) + 3. * shear * shear);
    stress(1, e) = sqrt((bending - axial) * (bending - axial) + 3. * shear * shear);
  }
  return stress;
}

template <class T>
T spar_mass(const T& thickness) {
  T volume = 0;
  for (int e = 0; e < kPanels; ++e) volume += tube_section(e, thickness).area * element_frame(e).length;
  return 2 * kSparDensity * volume;
}

template Section<double> tube_section(int, const double&);
template Eigen::Matrix<double, 12, 12> element_stiffness(int, const Inputs<double>&);
template Square<double> stiffness(const Inputs<double>&);
template Nodal<double> displacements(const Inputs<double>&, const Nodal<double>&);
template Nodal<Complex> displacements(const Inputs<Complex>&, const Nodal<Complex>&);
template Eigen::Matrix<double, 2, kPanels> von_mises(const Inputs<double>&, const Nodal<double>&);
template Eigen::Matrix<Complex, 2, kPanels> von_mises(const Inputs<Complex>&, const Nodal<Complex>&);
template double spar_mass(const double&);
template Complex spar_mass(const Complex&);

}  // namespace bocs::aerostruct
