#pragma once
// Choose exactly k of d items: maximize the worth of the chosen ones, alone and together. Item i is worth w_i, uniform
// on (0, 1). A pair is worth something together with probability `density`: s_ij ~ N(0, 1/4), a synergy or a
// redundancy. f(x) = sum_i w_i x_i + sum_(i<j) s_ij x_i x_j on the points with |x| = k; recoded by `flip`.

#include "bocs/problem/instance_options.hpp"
#include "bocs/problem/problem.hpp"

namespace bocs {

struct SubsetOptions : FlipOptions {
  int d = 60;
  int k = 10;
  double density = 0.1;

  void describe(OptionTable& table);
};

Problem make_subset(const Spec& spec, std::uint64_t instance);

}  // namespace bocs
