#include "bocs/problem/maxcut.hpp"

#include <memory>

#include "bocs/problem/binary.hpp"

namespace bocs {
namespace {

struct Edge {
  int from, to;
  double weight;
};

std::vector<Edge> draw(const MaxcutOptions& options, std::uint64_t instance) {
  Rng rng(instance, "maxcut");
  std::vector<Edge> edges;
  for (int i = 0; i < options.n; ++i) {
    for (int j = i + 1; j < options.n; ++j) {
      const bool is_edge = rng.uniform() < options.density;
      const double number = rng.uniform();  // drawn in any case, so that density changes nothing else
      if (is_edge) edges.push_back({i, j, options.signs ? 2 * number - 1 : number});
    }
  }
  return edges;
}

double cut(const std::vector<Edge>& edges, const Point& z) {
  double sum = 0;
  for (const Edge& edge : edges) {
    if (z[static_cast<std::size_t>(edge.from)] != z[static_cast<std::size_t>(edge.to)]) sum += edge.weight;
  }
  return sum;
}

/// Minus the cut as z'Qz: [a != b] = a + b - 2 a b.
Matrix minus_cut(const std::vector<Edge>& edges, int n) {
  Matrix Q = Matrix::Zero(n, n);
  for (const auto& [i, j, weight] : edges) {
    Q(i, i) -= weight;
    Q(j, j) -= weight;
    Q(i, j) += 2 * weight;
  }
  return Q;
}

}  // namespace

void MaxcutOptions::describe(OptionTable& table) {
  table.integer("n", n, 2, 2000, "number of vertices");
  table.real("density", density, 0, 1, "probability of an edge");
  table.boolean("signs", signs, "weights may be negative: uniform on (-1, 1) instead of (0, 1)");
  table.real("noise", noise, 0, 1e6, "standard deviation of the noise added to every measurement");
  FlipOptions::describe(table);
}

Problem make_maxcut(const Spec& spec, std::uint64_t instance) {
  const auto options = parse_options<MaxcutOptions>(spec);
  const int n = options.n;
  const auto edges = std::make_shared<const std::vector<Edge>>(draw(options, instance));
  BinaryProblem problem{spec.text(), Space::binary(n), Sense::maximize, flip_mask(options.flip, n), {}, {}, {}, {}, {}};
  problem.f = [edges](const Point& z) { return cut(*edges, z); };
  if (n <= kQuadraticLimit) problem.best_by_ones = quadratic_by_ones(minus_cut(*edges, n), problem.flip);
  Problem finished = finish(std::move(problem));
  add_noise(finished, options.noise);
  return finished;
}

}  // namespace bocs
