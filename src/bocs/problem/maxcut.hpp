#pragma once
// MAX-CUT on a random graph: maximize the weight of the edges between the two sides of a cut, x_i being the side of
// vertex i. Every pair is an edge with probability `density`; its weight is uniform on (0, 1), or on (-1, 1) with
// `signs=true`: a spin glass.

#include "bocs/problem/instance_options.hpp"
#include "bocs/problem/problem.hpp"

namespace bocs {

struct MaxcutOptions : FlipOptions {
  int n = 40;
  double density = 0.2;
  bool signs = false;
  double noise = 0;

  void describe(OptionTable& table);
};

Problem make_maxcut(const Spec& spec, std::uint64_t instance);

}  // namespace bocs
