#pragma once
// Random polynomials and spaces for the tests of Walker and minimizers, and their minimum by plain loops.

#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include "bocs/poly/polynomial.hpp"

namespace bocs::test {

/// Binary, integer, real and categorical variables in random order, at most `max_points` points in all.
inline Space random_space(Rng& rng, double max_points) {
  std::vector<Variable> variables;
  double points = 1;
  for (int i = 0; i < 8; ++i) {
    const std::string name = "v" + std::to_string(i);
    const int levels = 1 + static_cast<int>(rng.below(4));
    switch (rng.below(3)) {
      case 0:
        variables.push_back(binary(name));
        break;
      case 1: {
        const int low = static_cast<int>(rng.below(5)) - 2;
        std::vector<double> squares;
        for (int k = 0; k < levels; ++k) squares.push_back(low + 0.1 * k * k);
        variables.push_back(low > 0 ? ordinal(name, squares) : integer(name, low, low + levels - 1));
        break;
      }
      default:
        std::vector<std::string> labels;
        for (int k = 0; k < levels; ++k) labels.push_back(std::string(1, static_cast<char>('a' + k)));
        variables.push_back(categorical(name, labels));
    }
    points *= coordinate_of(variables.back()).levels;
    if (points > max_points) {
      variables.pop_back();
      break;
    }
  }
  if (variables.empty()) variables.push_back(binary("v0"));
  return Space(std::move(variables));
}

enum class Tail { normal, heavy };

/// Standard normal coefficients, or the ratio of two normals: heavy-tailed like the draws of a horseshoe posterior.
inline Polynomial random_polynomial(const Space& space, const BasisOptions& options, Rng& rng,
                                    Tail tail = Tail::normal) {
  auto basis = std::make_shared<const Basis>(space, options);
  Vector alpha(basis->size());
  for (auto& a : alpha) a = tail == Tail::heavy ? rng.normal() / rng.normal() : rng.normal();
  return Polynomial(std::move(basis), std::move(alpha), rng.normal());
}

inline Polynomial random_polynomial(const Space& space, int order, Rng& rng, Tail tail = Tail::normal) {
  return random_polynomial(space, BasisOptions{.order = order}, rng, tail);
}

/// An order from 1 to 3, integers by value or by level, and six extra monomials of up to 6 features.
inline BasisOptions random_basis(const Space& space, Rng& rng) {
  BasisOptions options{.order = 1 + static_cast<int>(rng.below(3)), .integers = static_cast<Integers>(rng.below(3))};
  const Basis single(space, {.order = 1, .integers = options.integers});
  const auto count = static_cast<std::uint32_t>(single.size());
  for (int m = 0; m < 6 && count > 0; ++m) {
    std::string name;
    std::set<int> variables;
    for (std::uint32_t factors = 2 + rng.below(5); factors > 0; --factors) {
      const int f = static_cast<int>(rng.below(count));
      if (!variables.insert(single.features()[static_cast<std::size_t>(f)].variable).second) continue;
      name += (name.empty() ? "" : "*") + single.name(f);
    }
    options.extra.push_back(name);
  }
  return options;
}

/// Calls visit(x) for every point, by counting.
template <class Visit>
void for_each_point(const Space& space, Visit&& visit) {
  Point x(static_cast<std::size_t>(space.dimension()), 0);
  for (;;) {
    visit(x);
    int i = 0;
    while (i < space.dimension() && ++x[static_cast<std::size_t>(i)] == space[i].levels) {
      x[static_cast<std::size_t>(i++)] = 0;
    }
    if (i == space.dimension()) return;
  }
}

struct BruteForce {
  double best = std::numeric_limits<double>::infinity();    // outside the excluded points
  double lowest = std::numeric_limits<double>::infinity();  // anywhere
  double largest = 0;                                       // |f| anywhere: the scale of rounding errors
};

inline BruteForce brute_force(const Polynomial& f, const PointSet& excluded = {}) {
  BruteForce result;
  for_each_point(f.space(), [&](const Point& x) {
    const double value = f(x);
    result.lowest = std::min(result.lowest, value);
    result.largest = std::max(result.largest, std::abs(value));
    if (!excluded.contains(x)) result.best = std::min(result.best, value);
  });
  return result;
}

}  // namespace bocs::test
