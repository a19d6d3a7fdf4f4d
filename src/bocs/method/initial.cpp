#include "bocs/method/initial.hpp"

#include <algorithm>

#include "bocs/core/error.hpp"

namespace bocs {

int default_initial(const Space& space) {
  const int d = space.dimension();
  return std::min(2 * d, std::clamp(4 * d / 5, 20, 100));
}

void require_unseen(const Task& task, const History& history) {
  if (task.space.no_larger_than(static_cast<double>(history.seen().size()))) {
    throw SpaceExhausted("the whole space has been evaluated: all its " + std::to_string(history.seen().size()) +
                         " points are taken");
  }
}

Point initial_point(const Task& task, const History& history, int number, bool repeats) {
  if (!repeats) require_unseen(task, history);
  Rng rng(task.seed, "initial", static_cast<std::uint64_t>(number));
  // Rejection needs at most size-of-the-space draws on average, and that only when the history is as long.
  for (;;) {
    Point x = task.space.random(rng);
    if (repeats || !history.seen().contains(x)) return x;
  }
}

}  // namespace bocs
