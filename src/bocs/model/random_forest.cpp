#include "bocs/model/random_forest.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bocs {
namespace {

struct Moments {
  double count = 0, sum = 0, squares = 0;
  void add(double y) {
    count += 1;
    sum += y;
    squares += y * y;
  }
  [[nodiscard]] double mean() const { return sum / count; }
  /// Sum of squared deviations from the mean.
  [[nodiscard]] double deviance() const { return std::max(0.0, squares - sum * sum / count); }
};

bool goes_left(std::int32_t x, std::int32_t level, bool equal) { return equal ? x == level : x <= level; }

}  // namespace

/// One tree in the making.
struct RandomForest::Growth {
  const Space& space;
  std::span<const Point> points;
  const Vector& y;
  const ForestOptions& options;
  Rng rng;
  Tree tree = {};
  std::vector<std::uint32_t> variables = {};  // all of them, shuffled anew at each node

  /// Grows the node of these data, and all below it; returns its place.
  std::size_t grow(std::span<std::size_t> data) {
    const std::size_t place = tree.size();
    tree.emplace_back();
    Moments all;
    for (const std::size_t j : data) all.add(y[static_cast<Eigen::Index>(j)]);
    Node node;
    node.mean = all.mean();
    node.variance = all.deviance() / all.count;
    if (static_cast<int>(data.size()) >= options.min_split && all.deviance() > 0)
      choose_cut(data, all.deviance(), node);
    if (node.variable >= 0) {
      const auto variable = static_cast<std::size_t>(node.variable);
      const auto middle = std::stable_partition(data.begin(), data.end(), [&](std::size_t j) {
        return goes_left(points[j][variable], node.level, node.equal);
      });
      const auto cut = static_cast<std::size_t>(middle - data.begin());
      node.left = grow(data.first(cut));
      node.right = grow(data.subspan(cut));
    }
    tree[place] = node;
    return place;
  }

  /// Leaves the node a leaf if no variable tried takes two values.
  void choose_cut(std::span<const std::size_t> data, double deviance, Node& node) {
    double best = deviance;
    const auto d = static_cast<std::uint32_t>(variables.size());
    const auto tried = static_cast<std::uint32_t>(std::ceil(options.split_fraction * d));
    for (std::uint32_t k = 0, used = 0; k < d && used < tried; ++k) {
      std::swap(variables[k], variables[k + rng.below(d - k)]);
      const std::size_t i = variables[k];
      const auto level_of = [&](std::size_t j) { return points[j][i]; };
      const auto [low, high] = std::minmax_element(
          data.begin(), data.end(), [&](std::size_t a, std::size_t b) { return level_of(a) < level_of(b); });
      const std::int32_t from = level_of(*low), to = level_of(*high);
      if (from == to) continue;
      ++used;
      const bool equal = !space[static_cast<int>(i)].has_value();
      const std::int32_t level =
          equal ? level_of(data[rng.below(static_cast<std::uint32_t>(data.size()))])
                : from + static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(to - from)));
      Moments left, right;
      for (const std::size_t j : data) {
        (goes_left(level_of(j), level, equal) ? left : right).add(y[static_cast<Eigen::Index>(j)]);
      }
      const double remaining = left.deviance() + right.deviance();
      if (remaining < best) {
        best = remaining;
        node.variable = static_cast<int>(i);
        node.level = level;
        node.equal = equal;
      }
    }
  }
};

RandomForest::RandomForest(const Space& space, std::span<const Point> points, const Vector& y,
                           const ForestOptions& options, const Rng& rng) {
  for (int t = 0; t < options.trees; ++t) {
    Growth growth{space, points, y, options, rng.fork(static_cast<std::uint64_t>(t))};
    growth.variables.resize(static_cast<std::size_t>(space.dimension()));
    std::iota(growth.variables.begin(), growth.variables.end(), 0u);
    std::vector<std::size_t> sample(points.size());
    for (auto& j : sample) j = growth.rng.below(static_cast<std::uint32_t>(points.size()));
    growth.grow(sample);
    trees_.push_back(std::move(growth.tree));
  }
}

Prediction RandomForest::predict(std::span<const Point> points) const {
  const auto n = static_cast<Eigen::Index>(points.size());
  Prediction prediction{Vector(n), Vector(n)};
  for (Eigen::Index j = 0; j < n; ++j) {
    const Point& x = points[static_cast<std::size_t>(j)];
    Moments means;
    double inside = 0;
    for (const Tree& tree : trees_) {
      const Node* node = &tree.front();
      while (node->variable >= 0) {
        const bool left = goes_left(x[static_cast<std::size_t>(node->variable)], node->level, node->equal);
        node = &tree[left ? node->left : node->right];
      }
      means.add(node->mean);
      inside += node->variance;
    }
    prediction.mean[j] = means.mean();
    prediction.variance[j] = (means.deviance() + inside) / means.count;
  }
  return prediction;
}

}  // namespace bocs
