#pragma once
// The two inner loops that compilers do not vectorize by themselves: minima of floating-point numbers.

#include <cstddef>

namespace bocs {

/// The smallest of n numbers; infinity if n is 0.
double smallest(const double* values, std::size_t n);

/// table += factor * change; returns the new smallest entry.
double add_and_find_smallest(double* table, const double* change, double factor, std::size_t n);

}  // namespace bocs
