#pragma once
// The points tried before there is a model. Every method draws them from the same stream, so that methods of one seed
// are compared on the same initial data.

#include "bocs/core/trial.hpp"

namespace bocs {

/// The number of initial points when the user names none: 20 from d = 10 to 25 (as in [BP18] Sec. 5), then 4 d / 5 up
/// to 100; 2 d below d = 10.
int default_initial(const Space& space);

/// A uniformly random point for trial `number`; one that the history has not seen, unless `repeats`. Throws
/// SpaceExhausted when every point has been seen.
Point initial_point(const Task& task, const History& history, int number, bool repeats);

/// Throws SpaceExhausted when the history has seen every point of the space.
void require_unseen(const Task& task, const History& history);

}  // namespace bocs
