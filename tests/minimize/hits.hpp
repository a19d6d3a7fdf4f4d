#pragma once
// Quality of a minimizer, as a count.

#include <gtest/gtest.h>

#include "bocs/minimize/exact.hpp"
#include "random_polynomial.hpp"

namespace bocs::test {

/// How often the spec finds the exact minimum of random quadratics of 24 variables with heavy tails, whose `excluded`
/// best points are taken away.
inline int hits(const std::string& spec, int trials, int excluded_points = 0) {
  int count = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Rng rng(5, "quality", static_cast<std::uint64_t>(trial));
    const Polynomial f = random_polynomial(Space::binary(24), 2, rng, Tail::heavy);
    PointSet excluded;
    for (int k = 0; k < excluded_points; ++k) excluded.insert(Exact().minimize(f, excluded, rng).x);
    const double truth = Exact().minimize(f, excluded, rng).value;
    const Minimum m = make_minimizer(Spec::parse(spec))->minimize(f, excluded, rng);
    EXPECT_GE(m.value, truth - 1e-9 * std::abs(truth));
    if (m.value <= truth + 1e-9 * std::abs(truth)) ++count;
  }
  return count;
}

}  // namespace bocs::test
