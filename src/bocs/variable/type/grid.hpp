#pragma once
// The grids that integer and real variables are made of.

#include "bocs/variable/type.hpp"

namespace bocs {

/// "real 'rate': "; a variable that has no name yet is just "real: ".
std::string owner(const std::string& type, const std::string& name);
/// With `log` the lowest number is above 0. Throws InvalidArgument; `who` begins the message.
void require_positive(const std::string& who, double low, bool log);
/// The number of steps that lead from low to high. Throws InvalidArgument; `who` begins the message.
int step_count(const std::string& who, double low, double high, const Spacing& spacing);
/// The value after k of n steps, with all its digits.
double grid_value(double low, double high, int k, int n, bool log);
/// The number of fewest digits that is no further away.
double simplest(double value, double tolerance);
/// The numbers in `values`, each as far from the next as any other; `whole`: an integer variable.
Variable listed(std::string name, bool whole, std::vector<double> values);
/// As a store keeps it: every value, exactly.
Variable listed_again(const Definition& definition, bool whole);
/// "low": ..., "high": ..., with "steps", "step" and "log" beside them.
Spacing read_spacing(const Definition& definition);

}  // namespace bocs
