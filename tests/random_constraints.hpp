#pragma once
// Random constraints on small spaces, and what they mean, by plain loops over their terms.

#include "bocs/rule/constraint.hpp"
#include "random_polynomial.hpp"

namespace bocs::test {

using namespace constraint;

inline bool holds(const Space& space, const Constraint& c, const Point& x) {
  double sum = 0;
  for (const Term& term : c.terms) {
    const int i = space.index(term.variable);
    const std::string value = format_level(space[i], x[static_cast<std::size_t>(i)]);
    sum += term.weight * (term.is ? (value == *term.is ? 1 : 0) : std::stod(value));
  }
  return sum >= c.low - 1e-9 && sum <= c.high + 1e-9;
}

inline bool holds(const Space& space, const std::vector<Constraint>& all, const Point& x) {
  for (const Constraint& c : all) {
    if (!holds(space, c, x)) return false;
  }
  return true;
}

inline std::vector<Point> allowed_points(const Space& space, const std::vector<Constraint>& all) {
  std::vector<Point> points;
  for_each_point(space, [&](const Point& x) {
    if (holds(space, all, x)) points.push_back(x);
  });
  return points;
}

inline Choices random_choices(const Space& space, int count, Rng& rng) {
  Choices choices;
  for (int k = 0; k < count; ++k) {
    const Coordinate& v = space[static_cast<int>(rng.below(static_cast<std::uint32_t>(space.dimension())))];
    choices.push_back({v.name, format_level(v, static_cast<int>(rng.below(static_cast<std::uint32_t>(v.levels))))});
  }
  return choices;
}

/// Of any kind, not always satisfiable.
inline Constraint random_constraint(const Space& space, Rng& rng) {
  const int n = 1 + static_cast<int>(rng.below(4));
  const int k = static_cast<int>(rng.below(static_cast<std::uint32_t>(n) + 1));
  switch (rng.below(7)) {
    case 0:
      return at_most(k, random_choices(space, n, rng));
    case 1:
      return at_least(k, random_choices(space, n, rng));
    case 2:
      return exactly(k, random_choices(space, n, rng));
    case 3:
      return mutually_exclusive(random_choices(space, n, rng));
    case 4:
      return forbidden(random_choices(space, n, rng));
    case 5:
      return required(random_choices(space, static_cast<int>(rng.below(3)), rng), random_choices(space, n, rng));
    default:
      std::vector<Term> terms;
      for (const Choice& c : random_choices(space, n, rng)) {
        Term& term = terms.emplace_back(Term{c.variable, c.is, static_cast<double>(rng.below(9)) / 2 - 2});
        if (space[space.index(c.variable)].has_value() && rng.below(2) == 0) term.is.reset();
      }
      const char* relations[] = {"<=", ">=", "=="};
      return linear(terms, relations[rng.below(3)], static_cast<double>(rng.below(9)) / 2 - 2);
  }
}

inline std::vector<Constraint> random_constraints(const Space& space, Rng& rng) {
  std::vector<Constraint> list;
  for (std::uint32_t k = 1 + rng.below(3); k > 0; --k) list.push_back(random_constraint(space, rng));
  return list;
}

}  // namespace bocs::test
