#pragma once
// Sparsification of zero-field Ising models, [BP18] Sec. 4.2: which edges of a grid to keep so that the model q_x stays
// close to the full one p in Kullback-Leibler divergence. Minimize KL(p || q_x) + l1 |x|_1.
//   p(z) = exp(z'Jz) / Z_p,  J symmetric, so every edge counts twice,  |J_e| ~ U[0.05, 5] with a random sign;
//   KL = 2 sum_e (1 - x_e) J_e E_p[z_i z_j] + log Z_q - log Z_p.

#include "bocs/problem/instance_options.hpp"
#include "bocs/problem/problem.hpp"

namespace bocs {

struct IsingOptions : InstanceOptions {
  int rows = 4;
  int columns = 4;

  void describe(OptionTable& table);
};

Problem make_ising(const Spec& spec, std::uint64_t instance);

}  // namespace bocs
