#pragma once
// The referee: the best value by evaluating f at every point of a small binary space.

#include <algorithm>
#include <numeric>

#include "bocs/problem/problem.hpp"

namespace bocs::test {

/// f(x) with its penalty, in the problem's own sense.
inline double penalized(const Problem& problem, const Point& x, double l1) {
  const double penalty = l1 * std::accumulate(x.begin(), x.end(), 0);
  return problem.sense == Sense::minimize ? problem.f(x) + penalty : problem.f(x) - penalty;
}

inline double brute_force(const Problem& problem, double l1) {
  const int d = problem.space.dimension();
  const auto point = [&](int code) {
    Point x(d);
    for (int i = 0; i < d; ++i) x[i] = code >> i & 1;
    return x;
  };
  double best = penalized(problem, point(0), l1);
  for (int code = 1; code < 1 << d; ++code) {
    const double value = penalized(problem, point(code), l1);
    best = problem.sense == Sense::minimize ? std::min(best, value) : std::max(best, value);
  }
  return best;
}

}  // namespace bocs::test
