#include "bocs/minimize/local_search.hpp"

#include "bocs/core/error.hpp"

namespace bocs {

void Incumbent::take(const Point& x, double value) {
  if (excluded_->contains(x)) return;
  x_ = x;
  value_ = value;
}

void Incumbent::take_neighbour(const Point& x, int variable, int level, double value) {
  neighbour_ = x;
  neighbour_[static_cast<std::size_t>(variable)] = level;
  take(neighbour_, value);
}

namespace {

/// Offers every point that differs from the walker's in exactly `distance` variables, all of them >= `from`.
void offer_shell(Walker& walker, const Space& space, int from, int distance, Incumbent& found) {
  for (int i = from; i + distance <= space.dimension(); ++i) {
    const int old = walker.point()[static_cast<std::size_t>(i)];
    for (int level = 0; level < space[i].levels; ++level) {
      if (level == old) continue;
      if (distance == 1) {
        found.offer(walker, i, level, walker.delta(i, level));
      } else {
        walker.move(i, level);
        offer_shell(walker, space, i + 1, distance - 1, found);
      }
    }
    walker.move(i, old);
  }
}

}  // namespace

Minimum conclude(const Polynomial& f, const Incumbent& found, Walker walker, const PointSet& excluded) {
  if (!found.point().empty()) return {.x = found.point(), .value = f(found.point())};
  // All points nearer than the shell that has an answer are excluded, so the work is at most |excluded| times one
  // shell.
  Incumbent best(excluded);
  best.offer(walker);
  for (int distance = 1; best.point().empty() && distance <= f.space().dimension(); ++distance) {
    offer_shell(walker, f.space(), 0, distance, best);
  }
  if (best.point().empty()) throw SpaceExhausted("every point of the space is excluded");
  return {.x = best.point(), .value = f(best.point())};
}

void descend(Walker& walker, const Space& space, Incumbent& found) {
  for (;;) {
    int variable = -1;
    int best_level = 0;
    double best_delta = 0;
    for (int i = 0; i < space.dimension(); ++i) {
      for_each_move(space[i], walker.point()[static_cast<std::size_t>(i)], [&](int level) {
        const double delta = walker.delta(i, level);
        found.offer(walker, i, level, delta);
        if (delta < best_delta) {
          variable = i;
          best_level = level;
          best_delta = delta;
        }
      });
    }
    if (variable < 0) return;
    const double before = walker.value();
    walker.move(variable, best_level);
    if (!(walker.value() < before)) return;  // the gain is below the rounding of the value: no endless circles
  }
}

}  // namespace bocs
