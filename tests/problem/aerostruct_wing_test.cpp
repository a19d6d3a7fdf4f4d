// The wing against golden data of an independent program (OpenAeroStruct 2.12.0), component by component.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <sstream>

#include "bocs/base/error.hpp"
#include "bocs/problem/aerostruct/beam.hpp"
#include "bocs/problem/aerostruct/linearisation.hpp"
#include "bocs/problem/aerostruct/transfer.hpp"
#include "golden.hpp"

namespace bocs::aerostruct {
namespace {

using nlohmann::json;

const json& data() {
  static const json all = test::golden("aerostruct.json");
  return all;
}

void flatten(const json& j, std::vector<double>& values) {
  if (j.is_array()) {
    for (const auto& part : j) flatten(part, values);
  } else {
    values.push_back(j.get<double>());
  }
}

/// Every entry within `tolerance` times the largest one. Golden arrays are flat in row-major order: transpose ours so
/// that its column-major storage is the same.
template <class Derived>
void expect_close(const Eigen::MatrixBase<Derived>& ours, const json& golden, double tolerance,
                  const std::string& what) {
  std::vector<double> values;
  flatten(golden, values);
  ASSERT_EQ(static_cast<std::size_t>(ours.size()), values.size()) << what;
  const Eigen::Map<const Eigen::VectorXd> theirs(values.data(), ours.size());
  const Eigen::VectorXd flat = ours.derived().eval().reshaped();
  ASSERT_TRUE(flat.allFinite()) << what;
  const double error = (flat - theirs).cwiseAbs().maxCoeff() / theirs.cwiseAbs().maxCoeff();
  EXPECT_LE(error, tolerance) << what;
  std::ostringstream text;  // for the report of --gtest_output
  text << error;
  ::testing::Test::RecordProperty(what, text.str());
}

void expect_close(double ours, const json& golden, double tolerance, const std::string& what) {
  expect_close(Eigen::Matrix<double, 1, 1>(ours), golden, tolerance, what);
}

Eigen::Matrix<double, 3, 2 * kStations> points(const Mesh<double>& mesh) {
  Eigen::Matrix<double, 3, 2 * kStations> all;
  for (int j = 0; j < kStations; ++j) {
    all.col(j) = mesh.leading[j];
    all.col(kStations + j) = mesh.trailing[j];
  }
  return all;
}

Inputs<double> inputs(const json& j) {
  Inputs<double> z;
  int i = 0;
  for (const char* name : {"alpha", "v", "rho", "Mach_number", "re", "E", "G", "thickness"}) z[i++] = j.at(name);
  return z;
}

Inputs<double> nominal() { return inputs(data()["nominal_inputs"]); }

const WingState& nominal_state() {
  static const WingState state = solve_coupled(nominal());
  return state;
}

TEST(AerostructWing, Geometry) {
  const auto& g = data()["geometry"];
  expect_close(points(undeformed_mesh()), g["mesh"], 1e-14, "mesh");
  Eigen::Matrix<double, 3, kStations> nodes;
  for (int j = 0; j < kStations; ++j) nodes.col(j) = spar_nodes()[j];
  expect_close(nodes, g["nodes"], 1e-11, "nodes");
  expect_close(Eigen::Map<const Eigen::VectorXd>(tube_radii().data(), kPanels), g["radius"], 1e-11, "radius");
}

TEST(AerostructWing, UndeformedAerodynamics) {
  const auto& g = data()["component_undeformed_aero"];
  const auto panels = make_panels(undeformed_mesh());
  const auto lattice = solve_lattice(undeformed_mesh(), panels, nominal());
  expect_close(panels.normal, g["normals"], 1e-10, "normals");
  expect_close(panels.control_point, g["coll_pts"], 1e-10, "control points");
  expect_close(panels.force_point, g["force_pts"], 1e-10, "force points");
  expect_close(lattice.influence.transpose(), g["aic"], 1e-10, "influence");
  expect_close(lattice.circulation, g["circulations"], 1e-10, "circulation");
  expect_close(lattice.velocity, g["force_pts_velocities"], 1e-10, "velocity");
  expect_close(lattice.force, g["sec_forces"], 1e-10, "force");
  expect_close(nodal_loads(undeformed_mesh(), lattice.force), g["loads"], 1e-10, "loads");
  expect_close(coefficients(undeformed_mesh(), panels, lattice, nominal()).area, g["S_ref"], 1e-10, "area");
}

TEST(AerostructWing, SectionsAndStiffness) {
  const auto& g = data()["geometry"];
  Eigen::VectorXd area(kPanels), inertia(kPanels);
  for (int e = 0; e < kPanels; ++e) {
    const auto section = tube_section(e, nominal()[kThickness]);
    area[e] = section.area;
    inertia[e] = section.inertia;
    expect_close(element_stiffness(e, nominal()).transpose(), data()["component_element_stiffness_global"][e], 1e-11,
                 "stiffness of element " + std::to_string(e));
  }
  expect_close(area, g["A"], 1e-11, "area");
  expect_close(inertia, g["I"], 1e-11, "inertia");
  expect_close(2 * inertia, g["J"], 1e-11, "torsion");
  expect_close(spar_mass(nominal()[kThickness]), g["structural_mass"], 1e-11, "mass");
}

TEST(AerostructWing, OneWayStructure) {
  const auto& g = data()["component_one_way_structure"];
  Nodal<double> loads;
  std::vector<double> values;
  flatten(data()["component_undeformed_aero"]["loads"], values);
  std::copy(values.begin(), values.end(), loads.data());
  const auto displacement = displacements(nominal(), loads);
  expect_close(displacement, g["disp"], 1e-10, "displacement");
  expect_close(points(deform(displacement)), g["def_mesh"], 1e-10, "deformed mesh");
  expect_close(von_mises(nominal(), displacement), g["vonmises"], 1e-10, "von Mises");
  expect_close(failure(nominal(), displacement), g["failure"], 1e-10, "failure");
}

TEST(AerostructWing, NominalState) {
  const auto& g = data()["nominal_state"];
  const auto& state = nominal_state();
  const auto& c = state.aero.coefficients;
  EXPECT_LE(state.sweeps, 25);
  expect_close(points(deform(state.displacement)), g["def_mesh"], 1e-9, "deformed mesh");
  expect_close(state.aero.lattice.circulation, g["circulations"], 1e-9, "circulation");
  expect_close(state.aero.lattice.force, g["sec_forces"], 1e-9, "force");
  expect_close(state.aero.loads, g["loads"], 1e-9, "loads");
  expect_close(state.displacement, g["disp"], 1e-9, "displacement");
  expect_close(von_mises(nominal(), state.displacement), g["vonmises"], 1e-9, "von Mises");
  expect_close(c.area, g["S_ref"], 1e-9, "area");
  expect_close(c.induced_drag, g["CDi"], 1e-9, "CDi");
  expect_close(c.friction_drag, g["CDv"], 1e-9, "CDv");
  expect_close(c.drag, g["CD"], 1e-9, "CD");
  expect_close(state.outputs[kLift], g["CL"], 1e-9, "CL");
  expect_close(state.outputs[kFuel], g["fuelburn"], 1e-9, "fuel burn");
  expect_close(state.outputs[kFailure], g["failure"], 1e-9, "failure");
}

TEST(AerostructWing, PerturbedInputs) {
  ASSERT_EQ(data()["perturbed_points"].size(), 8u);
  for (const auto& point : data()["perturbed_points"]) {
    const auto state = solve_coupled(inputs(point["inputs"]));
    const auto& g = point["outputs"];
    expect_close(state.outputs[kLift], g["CL"], 1e-9, "CL");
    expect_close(state.aero.coefficients.drag, g["CD"], 1e-9, "CD");
    expect_close(state.outputs[kFuel], g["fuelburn"], 1e-9, "fuel burn");
    expect_close(state.outputs[kFailure], g["failure"], 1e-9, "failure");
    expect_close(state.displacement.col(0), point["tip_disp"], 1e-9, "tip displacement");
    expect_close(state.aero.lattice.circulation, point["circulations"], 1e-9, "circulation");
  }
}

TEST(AerostructWing, NonlinearCutModel) {
  ASSERT_EQ(data()["nonlinear_cut_points"]["points"].size(), 4u);
  for (const auto& point : data()["nonlinear_cut_points"]["points"]) {
    const Cut cut{test::bits(point["x"]), nominal_state()};
    const auto state = solve_coupled(inputs(point["inputs"]), &cut);
    const auto& g = point["outputs"];
    expect_close(state.outputs[kLift], g["CL"], 1e-8, "CL");
    expect_close(state.outputs[kFuel], g["fuelburn"], 1e-8, "fuel burn");
    expect_close(state.outputs[kFailure], g["failure"], 1e-8, "failure");
    expect_close(state.displacement.col(0), point["tip_disp"], 1e-8, "tip displacement");
  }
}

TEST(AerostructWing, CutModelAtTheMeanIsTheReference) {
  const Cut cut{test::bits("100110110000001000000"), nominal_state()};
  const auto state = solve_coupled(nominal(), &cut);
  EXPECT_LT((state.outputs - nominal_state().outputs).cwiseQuotient(nominal_state().outputs).cwiseAbs().maxCoeff(),
            1e-11);
}

/// Derivatives by inputs whose scales run from 1e-2 to 1e11: each column times the mean of its input, so that a wrong
/// small column shows; relative to the largest entry of all rows given.
void expect_close_by_inputs(const Matrix& ours, const json& golden, double tolerance, const std::string& what) {
  json scaled = golden;
  for (auto& row : scaled) {
    for (int k = 0; k < kInputs; ++k) row[k] = row[k].get<double>() * nominal()[k];
  }
  expect_close((ours * nominal().asDiagonal()).transpose(), scaled, tolerance, what);
}

void expect_jacobian(const Jacobian& ours, const json& golden, double tolerance, const std::string& what) {
  for (int i = 0; i < kOutputs; ++i) {  // outputs have their own scales
    expect_close_by_inputs(ours.row(i), json::array({golden[i]}), tolerance, what + " row " + std::to_string(i));
  }
}

TEST(AerostructWing, Partials) {
  const auto& g = data()["discipline_partials"];
  const auto p = differentiate(nominal(), nominal_state());
  expect_close(p.loads_by_displacement.transpose(), g["dLoads_dDisp"], 1e-8, "loads by displacement");
  expect_close_by_inputs(p.loads_by_inputs, g["dLoads_dInputs"], 1e-8, "loads by inputs");
  expect_close(p.displacement_by_loads.transpose(), g["dDisp_dLoads"], 1e-8, "displacement by loads");
  expect_close_by_inputs(p.displacement_by_inputs, g["dDisp_dInputs"], 1e-8, "displacement by inputs");
  for (int i = 0; i < 2; ++i) {  // CL and fuel burn have their own scales
    expect_close(p.cruise_by_displacement.row(i), g["dCLfuel_dDisp"][i], 1e-8, "cruise by displacement");
    expect_close_by_inputs(p.cruise_by_inputs.row(i), json::array({g["dCLfuel_dInputs"][i]}), 1e-8, "cruise by inputs");
  }
  expect_close(p.failure_by_displacement, g["dFailure_dDisp"], 1e-8, "failure by displacement");
  expect_close_by_inputs(p.failure_by_inputs, json::array({g["dFailure_dInputs"]}), 1e-8, "failure by inputs");
}

TEST(AerostructWing, Jacobians) {
  const auto p = differentiate(nominal(), nominal_state());
  const Point all(kCouplings, 1);
  expect_jacobian(jacobian(p, all), data()["jacobian"]["complex_step"], 1e-8, "reference");
  expect_jacobian(jacobian(p, all), data()["jacobian"]["oas"], 1e-7, "OAS totals");
  ASSERT_EQ(data()["cut_jacobian_examples"].size(), 5u);
  for (const auto& [x, golden] : data()["cut_jacobian_examples"].items()) {
    expect_jacobian(jacobian(p, test::bits(x)), golden, 1e-8, "cut " + x);
  }
}

TEST(AerostructWing, ImpossibleWingsAreRefused) {
  auto z = nominal();
  z[kYoung] = 1e6;  // rubber
  z[kShear] = 1e6;
  EXPECT_THROW(solve_coupled(z), InvalidArgument);
}

}  // namespace
}  // namespace bocs::aerostruct
