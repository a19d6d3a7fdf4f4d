#include "bocs/problem/aerostruct/aerostruct.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <sstream>

#include "bocs/base/error.hpp"
#include "bocs/numeric/parallel.hpp"
#include "bocs/problem/aerostruct/divergence.hpp"
#include "bocs/problem/aerostruct/enumeration.hpp"
#include "bocs/problem/binary.hpp"

namespace bocs {

using namespace aerostruct;

void AerostructOptions::describe(OptionTable& table) {
  table.real("alpha", alpha, -10, 15, "angle of attack, degrees");
  table.real("airspeed", airspeed, 10, 1000, "airspeed, m/s");
  table.real("density", density, 1e-3, 10, "air density, kg/m^3");
  table.real("mach", mach, 0.01, 1, "Mach number, in friction drag and fuel burn only");
  table.real("reynolds", reynolds, 1e4, 1e8, "Reynolds number per metre, in friction drag only");
  table.real("youngs_modulus", youngs_modulus, 1e9, 1e12, "Young's modulus of the spar, Pa");
  table.real("shear_modulus", shear_modulus, 1e9, 1e12, "shear modulus of the spar, Pa");
  table.real("thickness", thickness, 1e-4, 1, "wall thickness of the spar, m; below the smallest tube radius");
  table.real("flow_std", flow_std, 1e-6, 1, "standard deviation over mean of the flow inputs (the first five)");
  table.real("structure_std", structure_std, 1e-6, 1, "standard deviation over mean of the moduli and the thickness");
  FlipOptions::describe(table);
}

namespace {

Inputs<double> mean_inputs(AerostructOptions options) {
  OptionTable table;
  options.describe(table);
  for (const auto& row : table.rows()) row.assign(row.value);  // checks the bounds of options set in code, too
  Inputs<double> z;
  z << options.alpha, options.airspeed, options.density, options.mach, options.reynolds, options.youngs_modulus,
      options.shear_modulus, options.thickness;
  const double radius = *std::min_element(tube_radii().begin(), tube_radii().end());
  require(options.thickness < radius, [&] {
    std::ostringstream text;
    text << "thickness=" << options.thickness << ": allowed is less than the smallest radius of the spar tubes, "
         << radius;
    return text.str();
  });
  return z;
}

Space coupling_space() {
  std::vector<Variable> variables;
  for (const char* quantity : {"force", "moment", "deflection"}) {
    for (int j = 0; j < kPanels; ++j) variables.push_back(binary(quantity + std::to_string(j)));
  }
  return Space(std::move(variables));
}

/// A row per station, a column per kind of coupling.
std::string draw(const Point& x) {
  std::string text = "station     y/m  force  moment  deflection\n";
  for (int j = 0; j < kPanels; ++j) {
    const auto mark = [&](int kind) { return x[kind + j] == 1 ? "keep" : "-"; };
    char line[80];
    std::snprintf(line, sizeof line, "%d %-4s %8.2f  %-5s  %-6s  %s\n", j, j == 0 ? "tip" : "", spar_nodes()[j][1],
                  mark(kForce), mark(kMoment), mark(kDeflection));
    text += line;
  }
  return text + "7 root     0.00  clamped\nkept " + std::to_string(std::count(x.begin(), x.end(), 1)) + " of " +
         std::to_string(kCouplings) + "\n";
}

}  // namespace

Aerostruct::Aerostruct(const AerostructOptions& options) {
  const Inputs<double> inputs = mean_inputs(options);
  Inputs<double> input_std = options.flow_std * inputs.cwiseAbs();
  input_std.tail<3>() *= options.structure_std / options.flow_std;

  const WingState state = solve_coupled(inputs);
  require(state.outputs[kLift] > 0 && state.outputs.allFinite(), [&] {
    return "the wing carries no aircraft at " + aerostruct::describe(inputs) + ": lift coefficient " +
           std::to_string(state.outputs[kLift]) + ", allowed is a positive one with finite fuel burn";
  });
  mean_ = state.outputs;
  const Partials partials = differentiate(inputs, state);
  const Jacobian full = jacobian(partials, Point(kCouplings, 1)) * input_std.asDiagonal();
  output_std_ = full.rowwise().norm();
  require(output_std_.allFinite() && output_std_.minCoeff() > 0,
          [&] { return "the outputs do not vary with the inputs at " + aerostruct::describe(inputs); });
  partials_ = standardised(partials, output_std_, input_std);
  reference_ = jacobian(partials_, Point(kCouplings, 1));
  require(aerostruct::divergence(reference_, reference_) == 0,
          [&] { return "the outputs do not vary independently at " + aerostruct::describe(inputs); });
}

double Aerostruct::divergence(const Point& x) const {
  return aerostruct::divergence(reference_, jacobian(partials_, x));
}

OutputDistribution Aerostruct::outputs(const Point& x) const {
  const Jacobian scaled = output_std_.asDiagonal() * jacobian(partials_, x);
  return {{"lift coefficient", "fuel burn", "failure"}, {"1", "kg", "1"}, mean_, scaled * scaled.transpose()};
}

std::vector<Point> Aerostruct::best_by_ones(const Point& flip) const {
  const std::vector<double> table = all_divergences(partials_, hardware_threads());
  std::uint32_t mask = 0;
  for (int i = 0; i < kCouplings; ++i) mask |= static_cast<std::uint32_t>(flip[i]) << i;
  std::vector<std::uint32_t> best(kCouplings + 1);
  std::vector<double> least(kCouplings + 1, std::numeric_limits<double>::infinity());
  for (std::uint32_t code = 0; code < table.size(); ++code) {
    const int ones = std::popcount(code ^ mask);
    if (table[code] < least[ones]) {
      least[ones] = table[code];
      best[ones] = code;
    }
  }
  std::vector<Point> points;
  for (std::size_t ones = 0; ones < best.size(); ++ones) {
    if (std::isinf(least[ones])) continue;  // f is nowhere defined
    Point& z = points.emplace_back(kCouplings);
    for (int i = 0; i < kCouplings; ++i) z[i] = static_cast<std::int32_t>(best[ones] >> i & 1);
  }
  return points;
}

Problem make_aerostruct(const Spec& spec) {
  const auto options = parse_options<AerostructOptions>(spec);
  const auto model = std::make_shared<const Aerostruct>(options);
  const Space space = coupling_space();
  BinaryProblem problem{spec.text(), space, Sense::minimize, flip_mask(options.flip, kCouplings), {}, draw, {}, {}, {}};
  problem.f = [model, space](const Point& z) {
    const double value = model->divergence(z);
    if (!std::isfinite(value)) {
      throw Error("the model cut to " + space.format(z) + " leaves an output without variance: infinite divergence");
    }
    return value;
  };
  problem.best_by_ones = [model, flip = problem.flip] { return model->best_by_ones(flip); };
  const Point flip = problem.flip;
  Problem finished = finish(std::move(problem));
  finished.outputs = [model, space, flip](const Point& x) {
    space.check(x);
    return OutputComparison{model->outputs(Point(kCouplings, 1)), model->outputs(flipped(x, flip))};
  };
  return finished;
}

}  // namespace bocs
