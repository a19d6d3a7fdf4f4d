#pragma once
// Low autocorrelation binary sequences: minimize minus the merit factor, -n^2 / (2 E), with
// E = sum_{k=1}^{n-1} (sum_i s_i s_{i+k})^2 and s_i = -1 for x_i = 0, +1 for x_i = 1. There is one instance for each n.

#include "bocs/problem/instance_options.hpp"
#include "bocs/problem/problem.hpp"

namespace bocs {

struct LabsOptions : FlipOptions {
  int n = 50;

  void describe(OptionTable& table);
};

Problem make_labs(const Spec& spec, std::uint64_t instance);

}  // namespace bocs
