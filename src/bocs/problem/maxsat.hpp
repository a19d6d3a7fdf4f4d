#pragma once
// Weighted maximum satisfiability: minimize minus the weight of the satisfied clauses of a WCNF file, or of a random
// formula of n variables, `density` n clauses and `length` literals in each. With `normalise=true` the weights are
// first standardised over all clauses, (w - mean) / deviation, as in the benchmarks of COMBO and its successors. That
// is another problem: clauses lighter than the mean are then better left unsatisfied.

#include <istream>

#include "bocs/problem/instance_options.hpp"
#include "bocs/problem/problem.hpp"

namespace bocs {

struct MaxsatOptions : FlipOptions {
  std::string file;
  int n = 0;
  double density = 4;
  int length = 3;
  bool normalise = true;

  void describe(OptionTable& table);
};

struct Clause {
  double weight;
  std::vector<int> literals;  // v or -v for variable v = 1, 2, ...
};

struct Wcnf {
  int variables = 0;
  std::vector<Clause> clauses;
};

/// Reads a clause "WEIGHT LITERAL ... 0" on each line; lines starting with c are comments. Up to 2021 a header
/// "p wcnf VARIABLES CLAUSES [TOP]" comes first, and hard clauses have the weight TOP; since then there is none, and a
/// hard clause is "h LITERAL ... 0": it gets 1 + the sum of the other weights. Errors name `name` and the line.
Wcnf read_wcnf(std::istream& stream, const std::string& name);

Problem make_maxsat(const Spec& spec, std::uint64_t instance);

}  // namespace bocs
