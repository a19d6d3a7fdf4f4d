#pragma once
// How good a front is, as one number.

#include <vector>

namespace bocs {

/// The volume between the points and the reference: of all that is worse than some point in every goal, and better than
/// the reference. Smaller is better in every goal; points that are not below the reference in all of them add nothing.
double hypervolume(std::vector<std::vector<double>> points, const std::vector<double>& reference);

}  // namespace bocs
