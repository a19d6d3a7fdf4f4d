#pragma once
// Contamination control of a food supply chain, [BP18] Sec. 4.3: at which of d stages to act. Minimize
//   sum_i x_i + (1/T) sum_i #{k : Z_ik > 0.1}  (- 0.05 d if `constant`)  + l1 |x|_1
// over T stored paths Z_i = Lambda_i (1 - x_i) (1 - Z_{i-1}) + (1 - Gamma_i x_i) Z_{i-1}, i = 1..d, with
// Z_0 ~ Beta(1, 30), Lambda_i ~ Beta(1, 17/3), Gamma_i ~ Beta(1, 3/7). Stage 1 is acted on, too.
// The constant is the sum of epsilon = 0.05 over the stages: published values have it, the printed formula has not.

#include "bocs/problem/instance_options.hpp"
#include "bocs/problem/problem.hpp"

namespace bocs {

struct ContaminationOptions : InstanceOptions {
  int d = 25;
  int samples = 100;
  bool constant = true;

  void describe(OptionTable& table);
};

Problem make_contamination(const Spec& spec, std::uint64_t instance);

}  // namespace bocs
