#include "bocs/problem/ising.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "bocs/base/error.hpp"
#include "bocs/problem/binary.hpp"
#include "bocs/problem/instance_file.hpp"
#include "bocs/problem/ising_grid.hpp"

namespace bocs {
namespace {

using Bond = IsingGrid::Bond;

constexpr int kMaxSide = 1000;
constexpr double kOptimumRange = 650;  // exp(-650) is still a normal number

std::vector<double> draw_couplings(int edges, std::uint64_t instance) {
  Rng rng(instance, "ising");
  std::vector<double> J(edges);
  for (auto& value : J) {
    const double size = 0.05 + 4.95 * rng.uniform();
    value = rng.below(2) == 1 ? size : -size;
  }
  return J;
}

class Ising {
 public:
  Ising(IsingGrid spins, std::vector<double> couplings) : grid(std::move(spins)), J(std::move(couplings)) {
    std::vector<Bond> bonds;
    for (const double coupling : J) bonds.push_back(kept(coupling));
    log_Zp_ = grid.log_sum(bonds);
    // E_p[z_i z_j] = P(equal) - P(unequal), each from a sum where the other has weight 0: no digits are lost.
    for (std::size_t e = 0; e < J.size(); ++e) {
      const Bond bond = bonds[e];
      bonds[e].unequal = -std::numeric_limits<double>::infinity();
      const double equal = grid.log_sum(bonds);
      bonds[e] = {-std::numeric_limits<double>::infinity(), bond.unequal};
      const double unequal = grid.log_sum(bonds);
      bonds[e] = bond;
      loss_.push_back(2 * J[e] * std::tanh((equal - unequal) / 2));
    }
  }

  /// Rounding can leave -1e-14 where the divergence is 0: that is returned as 0.
  [[nodiscard]] double divergence(const Point& x) const {
    double loss = 0;
    std::vector<Bond> bonds(J.size());
    for (std::size_t e = 0; e < J.size(); ++e) {
      if (x[e] == 1) {
        bonds[e] = kept(J[e]);
      } else {
        bonds[e] = {0, 0};
        loss += loss_[e];
      }
    }
    return std::max(0.0, loss + grid.log_sum(bonds) - log_Zp_);
  }

  [[nodiscard]] bool can_try_all() const {
    double range = 0;  // of the logarithms of a product of factors
    for (const double coupling : J) range += 4 * std::abs(coupling);
    return grid.size() <= IsingGrid::kMaxChoices && range <= kOptimumRange;
  }

  /// exp(KL) is, up to a constant factor, the sum over spins in which a cut edge has the factor exp(2 J_e E_p[z_i
  /// z_j]).
  [[nodiscard]] std::vector<Point> best_by_ones(const Point& flip) const {
    std::vector<IsingGrid::Choice> choices;
    for (std::size_t e = 0; e < J.size(); ++e) {
      const double largest = 2 * std::abs(J[e]);  // taken out, so that factors are at most 1
      const Bond bond = kept(J[e]);
      choices.push_back({{bond.equal - largest, bond.unequal - largest}, {loss_[e] - largest, loss_[e] - largest}});
    }
    return grid.smallest_sums(choices, flip);
  }

  const IsingGrid grid;
  const std::vector<double> J;  // J_ij = J_ji of each edge

 private:
  static Bond kept(double coupling) { return {2 * coupling, -2 * coupling}; }

  double log_Zp_ = 0;
  std::vector<double> loss_;  // 2 J_e E_p[z_i z_j]: what cutting edge e adds to the divergence beside log Z_q
};

}  // namespace

void IsingOptions::describe(OptionTable& table) {
  table.integer("rows", rows, 1, kMaxSide, "rows of the grid");
  table.integer("columns", columns, 1, kMaxSide, "columns of the grid; rows or columns must be 12 or less");
  InstanceOptions::describe(table);
}

Problem make_ising(const Spec& spec, std::uint64_t instance) {
  auto options = parse_options<IsingOptions>(spec);
  const auto file = InstanceFile::open(options, spec, {"rows", "columns"});
  if (file) {
    const bool square = file->has("side");
    options.rows = file->whole(square ? "side" : "rows", 1, kMaxSide);
    options.columns = file->whole(square ? "side" : "columns", 1, kMaxSide);
  }
  IsingGrid grid(options.rows, options.columns);
  auto J = file ? file->numbers("J", grid.size()) : draw_couplings(grid.size(), instance);
  std::vector<Variable> variables;
  for (const auto& [first, second] : grid.edges()) {
    variables.push_back(binary("edge_" + std::to_string(first) + "_" + std::to_string(second)));
  }
  const auto model = std::make_shared<const Ising>(std::move(grid), std::move(J));

  BinaryProblem problem{spec.text(),
                        Space(std::move(variables)),
                        Sense::minimize,
                        flip_mask(options.flip, model->grid.size()),
                        {},
                        {},
                        {},
                        {},
                        {}};
  problem.f = [model](const Point& z) { return model->divergence(z); };
  problem.picture = [model](const Point& z) {
    return model->grid.draw(z, model->J) + "+ and -: kept edge and the sign of its coupling; dots: cut edge\n";
  };
  problem.instance_json = [model, rows = options.rows, columns = options.columns] {
    return nlohmann::json{{"rows", rows}, {"columns", columns}, {"J", model->J}}.dump();
  };
  if (model->can_try_all()) {
    problem.best_by_ones = [model, flip = problem.flip] { return model->best_by_ones(flip); };
  }
  return finish(std::move(problem));
}

}  // namespace bocs
