#pragma once
// Binary quadratic programs with decaying interactions, [BP18] Sec. 4.1: maximize x'Qx - l1 |x|_1, where Q = G o K, G
// standard normal, not symmetrised, and K_ij = exp(-(i-j)^2 / c), c = lc (`decay=lc`) or lc^2 (`decay=lc2`).

#include "bocs/problem/instance_options.hpp"
#include "bocs/problem/problem.hpp"

namespace bocs {

struct BqpOptions : InstanceOptions {
  int d = 10;
  double lc = 10;
  std::string decay = "lc";
  double noise = 0;  // standard deviation of a measurement

  void describe(OptionTable& table);
};

Problem make_bqp(const Spec& spec, std::uint64_t instance);

}  // namespace bocs
