#pragma once
// What the engine makes its rows of: rule/feasible.hpp.

#include <variant>
#include <vector>

namespace bocs {

/// weight * value of the variable, or, with a level, weight * [the variable has this level].
struct RowTerm {
  int variable = 0;
  int level = -1;  // -1: its value
  double weight = 1;
};

/// low <= sum of the terms <= high
struct RangeSource {
  std::vector<RowTerm> terms;
  double low = 0;
  double high = 0;
};

/// The combinations of levels of a few variables that are allowed. Each is a number: the levels are its digits, the
/// first variable's counts most, each digit's base is the number of levels of its variable.
struct TableSource {
  std::vector<int> variables;   // ascending
  std::vector<double> allowed;  // ascending, not empty
};

using RowSource = std::variant<RangeSource, TableSource>;

}  // namespace bocs
