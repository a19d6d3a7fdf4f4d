#include "bocs/problem/subset.hpp"

#include <memory>
#include <numeric>

#include "bocs/base/error.hpp"
#include "bocs/numeric/linalg.hpp"
#include "bocs/problem/binary.hpp"
#include "bocs/rule/feasible.hpp"

namespace bocs {
namespace {

constexpr double kEnumerable = 3e6;  // subsets: a second or two

/// Diagonal: the items alone; upper triangle: the pairs.
Matrix draw(const SubsetOptions& options, std::uint64_t instance) {
  Rng rng(instance, "subset");
  Matrix worth = Matrix::Zero(options.d, options.d);
  for (int i = 0; i < options.d; ++i) {
    worth(i, i) = rng.uniform();
    for (int j = i + 1; j < options.d; ++j) {
      const bool interact = rng.uniform() < options.density;
      const double size = 0.5 * rng.normal();  // drawn in any case, so that density changes nothing else
      if (interact) worth(i, j) = size;
    }
  }
  return worth;
}

double evaluate(const Matrix& worth, const Point& x) {
  double sum = 0;
  for (Eigen::Index j = 0; j < worth.cols(); ++j) {
    if (x[static_cast<std::size_t>(j)] == 0) continue;
    for (Eigen::Index i = 0; i <= j; ++i) sum += x[static_cast<std::size_t>(i)] * worth(i, j);
  }
  return sum;
}

}  // namespace

void SubsetOptions::describe(OptionTable& table) {
  table.integer("d", d, 1, 1000, "number of items");
  table.integer("k", k, 0, 1000, "how many are chosen, no more than d");
  table.real("density", density, 0, 1, "share of the pairs that are worth something together");
  FlipOptions::describe(table);
}

Problem make_subset(const Spec& spec, std::uint64_t instance) {
  const auto options = parse_options<SubsetOptions>(spec);
  require(options.k <= options.d, [&] {
    return "subset: k=" + std::to_string(options.k) + " of d=" + std::to_string(options.d) + ": allowed is at most d";
  });
  const Space space = Space::binary(options.d);
  Problem problem{.name = spec.text(), .space = space, .sense = Sense::maximize};
  const Point flip = flip_mask(options.flip, options.d);
  Choices chosen = constraint::switched_on(space);
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i].is = flip[i] == 0 ? "1" : "0";
  problem.constraints = Constraints(space, {constraint::exactly(options.k, chosen)});
  const auto worth = std::make_shared<const Matrix>(draw(options, instance));
  const Constraints constraints = problem.constraints;
  problem.f = [worth, space, constraints, flip](const Point& x) {
    space.check(x);
    constraints.check(x);
    return evaluate(*worth, flipped(x, flip));
  };
  problem.optimum = [worth, constraints, flip](double l1) -> std::optional<Optimum> {
    if (constraints.feasible().count().value_or(2 * kEnumerable) > kEnumerable) return std::nullopt;
    Optimum best{{}, -std::numeric_limits<double>::infinity()};
    constraints.feasible().for_each([&](const Point& x) {
      const double value = evaluate(*worth, flipped(x, flip)) - l1 * std::accumulate(x.begin(), x.end(), 0);
      if (value > best.value) best = {x, value};
    });
    return best;
  };
  return problem;
}

}  // namespace bocs
