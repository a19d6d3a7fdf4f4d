#pragma once
// When a variable exists: a condition on one other variable, such as "kernel == rbf", "depth >= 2", "pump", "not pump",
// "kernel in {rbf, poly}", in the words of the rule language.

#include "bocs/variable/coordinate.hpp"

namespace bocs {

struct Condition {
  std::string variable;  // the name of the other one
  std::string relation;  // "==", "!=", "<=", ">=", "<", ">", "in" or "not in"
  std::vector<std::string> values;
};

/// Throws InvalidArgument that says what can be read.
Condition read_condition(const std::string& text);

/// By level of the other variable: does it hold there? It never does where that is absent. Throws InvalidArgument:
/// values the other variable does not have, an order of what has none, a condition that holds never or always.
std::vector<char> holds_by_level(const std::string& text, const Condition& condition, const Coordinate& other);

}  // namespace bocs
