#pragma once
// Put n items in an order: six classic problems, with random instances and computed optima, all minimized.
//   linear      linear ordering: the sum of c_ab over all a before b, negated; c uniform on 0 ... 99
//   assignment  quadratic assignment: item a at location p(a); flows between items times city-block distances
//   flow        flow shop: the time when the last of n jobs leaves the last of 5 machines
//   tardiness   one machine: the weighted time by which jobs miss their due dates
//   tour        a closed tour of a depot and n stops in a square
//   setup       one machine: weighted completion times with set-up times that depend on the job before
// Tours, set-ups, tardiness and linear orderings are solved by dynamic programming over the set of items placed and the
// last one [HK62]; the other two by a depth-first search that cuts off what is no better than the best so far.

#include "bocs/problem/problem.hpp"

namespace bocs {

struct OrderOptions {
  std::string kind = "linear";
  int n = 10;

  void describe(OptionTable& table);
};

Problem make_order(const Spec& spec, std::uint64_t instance);

}  // namespace bocs
