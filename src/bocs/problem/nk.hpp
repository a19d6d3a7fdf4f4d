#pragma once
// NK landscapes (Kauffman): maximize the mean of n contributions. Contribution i is a random number, uniform on (0, 1),
// for each setting of variable i and of k others, drawn at random. k = 0: every variable for itself; k = n - 1: noise.

#include "bocs/problem/instance_options.hpp"
#include "bocs/problem/problem.hpp"

namespace bocs {

struct NkOptions : FlipOptions {
  int n = 40;
  int k = 2;
  double noise = 0;

  void describe(OptionTable& table);
};

Problem make_nk(const Spec& spec, std::uint64_t instance);

}  // namespace bocs
