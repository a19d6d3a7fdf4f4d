#pragma once
// A test function over binary, integer and categorical variables with constraints. Block i = 1 ... B has a setting n_i
// from 0 to 9, a kind c_i of a, b, c, d and a switch b_i; there are two switches more. Minimize
//
//   sum_i a_i ((n_i - t_i(c_i) - 2 b_i) / 3)^2 + u_i(c_i) + sum_j w_j b_j + sum_(j<k) s_jk b_j b_k
//
// so the best setting depends on the kind and the switch. a_i, u_i uniform on (0, 1); t_i(c) one of 2 ... 8; w_j, s_jk
// ~ N(0, 1/4). Constraints: exactly B/2 of the switches on; the settings add up to at most 4 B; a switch that is on
// forbids the kind d of its block, in the first half of the blocks.

#include "bocs/problem/problem.hpp"

namespace bocs {

struct MixedOptions {
  int blocks = 6;

  void describe(OptionTable& table);
};

Problem make_mixed(const Spec& spec, std::uint64_t instance);

}  // namespace bocs
