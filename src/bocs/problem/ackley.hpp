#pragma once
// Ackley's function on a grid whose levels were shuffled: minimize
//   20 (1 - exp(-sqrt(mean x_i^2) / 5)) + e - exp(mean cos(2 pi x_i)),
// where each of d categorical variables has `levels` values, equally spaced on [-32.768, 32.768], in an order of its
// own drawn by the instance: nothing tells that two levels are close. The optimum is 0, where every x_i is 0.

#include "bocs/problem/problem.hpp"

namespace bocs {

struct AckleyOptions {
  int d = 20;
  int levels = 11;

  void describe(OptionTable& table);
};

Problem make_ackley(const Spec& spec, std::uint64_t instance);

}  // namespace bocs
