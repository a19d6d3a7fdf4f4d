#include "bocs/problem/aerostruct/geometry.hpp"

namespace bocs::aerostruct {

const Mesh<double>& undeformed_mesh() {
  static const Mesh<double> mesh = {{{{45.23217999294051, -29.3815262, -0.0446042801036652},
                                      {44.67132069688459, -28.64486553706433, -0.04438585633714867},
                                      {43.01628711567783, -26.47184769773908, -0.04283304943810363},
                                      {40.35051602108572, -22.97139802536375, -0.03831974364346047},
                                      {36.80761781274601, -18.31909120523196, -0.02884577120984609},
                                      {32.56517030092007, -12.74816739316531, -0.006493746145663786},
                                      {27.83690397218665, -6.53800737467353, 0.07769110524717493},
                                      {22.99243505712771, 0, 0.3982143027075446}}},
                                    {{{47.95429922117849, -29.3815262, 0.1338128403109961},
                                      {47.57416866467157, -28.64486553706433, 0.1331575690114452},
                                      {46.45218573855403, -26.47184769773908, 0.1284991483143113},
                                      {44.64478147653209, -22.97139802536375, 0.1149592309303819},
                                      {42.24217335654109, -18.31909120523196, 0.08653731362953813},
                                      {39.36229739067961, -12.74816739316531, 0.01948123843699133},
                                      {37.62604184616347, -6.53800737467353, -0.2330733157415248},
                                      {36.51796262861685, 0, -1.194642908122633}}}};
  return mesh;
}

const std::array<Vec3<double>, kStations>& spar_nodes() {
  static const auto nodes = [] {
    std::array<Vec3<double>, kStations> result;
    for (int j = 0; j < kStations; ++j) result[j] = undeformed_mesh().at_chord(j, kSparChord);
    return result;
  }();
  return nodes;
}

const std::array<double, kPanels>& tube_radii() {
  static const auto radii = [] {
    const auto& mesh = undeformed_mesh();
    std::array<double, kPanels> result;
    for (int k = 0; k < kPanels; ++k) result[k] = kThicknessToChord * (mesh.chord(k) + mesh.chord(k + 1)) / 4;
    return result;
  }();
  return radii;
}

template <class T>
Panels<T> make_panels(const Mesh<T>& mesh) {
  Panels<T> panels;
  for (int j = 0; j < kStations; ++j) panels.quarter_chord.col(j) = mesh.at_chord(j, kVortexChord);
  for (int k = 0; k < kPanels; ++k) {
    panels.control_point.col(k) = 0.5 * (mesh.at_chord(k, kControlChord) + mesh.at_chord(k + 1, kControlChord));
    panels.force_point.col(k) = 0.5 * (mesh.at_chord(k, kVortexChord) + mesh.at_chord(k + 1, kVortexChord));
    const Vec3<T> diagonals = cross<T>(mesh.leading[k + 1] - mesh.trailing[k], mesh.leading[k] - mesh.trailing[k + 1]);
    const T length = norm(diagonals);
    panels.normal.col(k) = diagonals / length;
    panels.area[k] = 0.5 * length;
  }
  return panels;
}

template Panels<double> make_panels(const Mesh<double>&);
template Panels<Complex> make_panels(const Mesh<Complex>&);

}  // namespace bocs::aerostruct
