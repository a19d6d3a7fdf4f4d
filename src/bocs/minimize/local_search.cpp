#include "bocs/minimize/local_search.hpp"

#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/minimize/kernels.hpp"
#include "bocs/numeric/config.hpp"
#include "bocs/space/steps.hpp"

namespace bocs {

void apply(const Move& move, Walker& walker) {
  walker.move(move.variable, move.level);
  if (move.other >= 0) walker.move(move.other, move.other_level);
  for (const Change& change : move.rest) walker.move(change.coordinate, change.level);
}

bool Incumbent::take(const Point& x, double value) {
  if (!allowed_.contains(x)) return false;
  x_ = x;
  value_ = value;
  return true;
}

bool Incumbent::take_neighbour(const Point& x, const Move& move, double value) {
  neighbour_ = x;
  neighbour_[static_cast<std::size_t>(move.variable)] = move.level;
  if (move.other >= 0) neighbour_[static_cast<std::size_t>(move.other)] = move.other_level;
  for (const Change& change : move.rest) neighbour_[static_cast<std::size_t>(change.coordinate)] = change.level;
  return take(neighbour_, value);
}

namespace {

/// Offers every point that differs from the walker's in exactly `distance` variables, all of them >= `from`.
void offer_shell(Walker& walker, const Space& space, int from, int distance, Incumbent& found) {
  for (int i = from; i + distance <= space.dimension(); ++i) {
    const int old = walker.point()[static_cast<std::size_t>(i)];
    const auto visit = [&](int level) {
      if (distance == 1) {
        found.offer(walker, i, level, walker.delta(i, level));
      } else {
        walker.move(i, level);
        offer_shell(walker, space, i + 1, distance - 1, found);
      }
    };
    if (space[i].scale) {  // too many levels for all of them
      for_each_step(space[i], old, visit);
    } else {
      for (int level = 0; level < space[i].levels; ++level) {
        if (level != old) visit(level);
      }
    }
    walker.move(i, old);
  }
}

}  // namespace

Minimum best_or_nearest_allowed(const Polynomial& f, const Incumbent& found, Walker walker, const Allowed& allowed) {
  if (!found.point().empty()) return {.x = found.point(), .value = f(found.point())};
  const char* const exhausted = "every point is excluded or violates a constraint";
  Incumbent best(allowed);
  if (!allowed.constraints.empty()) {
    const auto near = allowed.constraints.feasible().outside(allowed.excluded, walker.point());
    if (!near) throw SpaceExhausted(exhausted);
    walker.reset(*near);
    best.offer(walker);
    MoveScanner(f.space(), allowed.constraints).descend(walker, best);
    return {.x = best.point(), .value = f(best.point())};
  }
  // All points nearer than the shell that has an answer are excluded, so the work is at most |excluded| times one
  // shell.
  best.offer(walker);
  for (int distance = 1; best.point().empty() && distance <= f.space().dimension(); ++distance) {
    offer_shell(walker, f.space(), 0, distance, best);
  }
  if (best.point().empty()) throw SpaceExhausted(exhausted);
  return {.x = best.point(), .value = f(best.point())};
}

MoveScanner::MoveScanner(const Space& space, const Constraints& constraints)
    : space_(&space), constraints_(&constraints), always_free_(static_cast<std::size_t>(space.dimension()), 0) {
  if (space.all_binary()) {
    deltas_.resize(always_free_.size());
    allowed_.resize(always_free_.size());
  }
}

MoveScanner::Best MoveScanner::best(const Walker& walker, std::span<const int> free_from, int step) {
  if (constraints_->empty() && space_->all_binary() && space_->all_free()) return best_flip(walker, free_from, step);
  Best result{{}, std::numeric_limits<double>::infinity()};
  const auto free = [&](int i) { return i < 0 || free_from[static_cast<std::size_t>(i)] <= step; };
  for_each(walker, [&](const Move& move) {
    if (move.delta < result.anywhere) result.anywhere = move.delta;
    if (move.delta < result.allowed.delta && free(move.variable) && free(move.other)) result.allowed = move;
  });
  return result;
}

template <class Visit>
void MoveScanner::for_each(const Walker& walker, Visit&& visit) {
  if (!constraints_->empty()) {
    if (!position_) position_.emplace(constraints_->feasible(), walker.point());
    position_->move_to(walker.point());
  }
  const auto begin_probe = [&](int i, int level) {
    if (probe_)
      *probe_ = walker;
    else
      probe_.emplace(walker);
    probe_->move(i, level);
  };
  for (int i = 0; i < space_->dimension(); ++i) {
    const auto step = [&](int level) {
      const double delta = walker.delta(i, level);
      if (!position_ || position_->allows(i, level)) {
        visit(Move{i, level, delta});
        return;
      }
      bool moved = false;
      position_->for_each_partner(i, level, [&](int other, int other_level) {
        if (other < i && !position_->allowed_before(other, other_level)) return;  // met from the other side
        if (!moved) begin_probe(i, level);
        moved = true;
        visit(Move{i, level, delta + probe_->delta(other, other_level), other, other_level});
      });
    };
    if (space_->is_free(i)) {
      for_each_step((*space_)[i], walker.point()[static_cast<std::size_t>(i)], step);
      continue;
    }
    space_->for_each_move(walker.point(), i, [&](const Changes& changes) {
      if (changes.size() == 1) return step(changes.front().level);
      if (position_ && !position_->allows(changes)) return;
      begin_probe(i, changes.front().level);
      for (std::size_t k = 1; k < changes.size(); ++k) probe_->move(changes[k].coordinate, changes[k].level);
      visit(Move{i,
                 changes.front().level,
                 probe_->value() - walker.value(),
                 changes[1].coordinate,
                 changes[1].level,
                 {changes.begin() + 2, changes.end()}});
    });
  }
}

namespace {

BOCS_MULTIVERSION void flip_deltas(const double* gradient, const std::int32_t* x, double* deltas, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) deltas[i] = (1 - 2 * x[i]) * gradient[i];
}

BOCS_MULTIVERSION void mask(const int* free_from, int step, const double* deltas, double* allowed, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    allowed[i] = free_from[i] <= step ? deltas[i] : std::numeric_limits<double>::infinity();
  }
}

}  // namespace

MoveScanner::Best MoveScanner::best_flip(const Walker& walker, std::span<const int> free_from, int step) {
  const std::size_t n = deltas_.size();
  flip_deltas(walker.gradient().data(), walker.point().data(), deltas_.data(), n);
  mask(free_from.data(), step, deltas_.data(), allowed_.data(), n);
  const double lowest = smallest(allowed_.data(), n);
  Best result{{}, smallest(deltas_.data(), n)};
  if (lowest < std::numeric_limits<double>::infinity()) {
    const auto i = static_cast<std::size_t>(std::find(allowed_.begin(), allowed_.end(), lowest) - allowed_.begin());
    result.allowed = {static_cast<int>(i), 1 - walker.point()[i], lowest};
  }
  return result;
}

Move MoveScanner::offer_neighbours(const Walker& walker, Incumbent& found) {
  Move taken;
  for_each(walker, [&](const Move& move) {
    if (found.offer(walker, move)) taken = move;
  });
  return taken;
}

void MoveScanner::descend(Walker& walker, Incumbent& found) {
  for (Move move = best(walker); move.delta < 0; move = best(walker)) {
    const double before = walker.value();
    apply(move, walker);
    if (!(walker.value() < before)) break;  // the gain is below the rounding of the value: no endless circles
  }
  found.offer(walker);
  offer_neighbours(walker, found);
}

}  // namespace bocs
