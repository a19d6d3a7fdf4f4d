#pragma once
// Descriptions of levels as a model uses them.

#include <vector>

#include "bocs/variable/coordinate.hpp"

namespace bocs {

/// The first principal directions of the standardized descriptions, at most `most`, each with a number for every level;
/// none for a coordinate without descriptions. The first is scaled to the range 1, the others by the same factor, so
/// that distances keep their proportions. Absent lies at the mean.
std::vector<std::vector<double>> principal_directions(const Coordinate& c, int most);

}  // namespace bocs
