#include "bocs/minimize/tabu.hpp"

#include <algorithm>

#include "bocs/minimize/local_search.hpp"

namespace bocs {

void TabuOptions::describe(OptionTable& table) {
  table.integer("restarts", restarts, 1, 100000, "searches from different points");
  table.integer("steps", steps, 0, 100000000, "moves per search; 0: 4 per variable up to 30 variables, 20 above");
}

namespace {

/// A variable that has moved stays for `tenure` to twice as many steps, unless moving it leads to a new incumbent.
/// Where the constraints allow no move at all, the search jumps.
void search(Walker& walker, MoveScanner& moves, int steps, Incumbent& found, Rng& rng) {
  const int d = static_cast<int>(walker.point().size());
  const int tenure = std::min(20, d / 4);
  std::vector<int> free_from(static_cast<std::size_t>(d), 0);
  found.offer(walker);
  for (int step = 0; step < steps; ++step) {
    const auto best = moves.best(walker, free_from, step);
    Move move = best.allowed;
    if (walker.value() + best.anywhere < found.value()) {
      const Move improving = moves.offer_neighbours(walker, found);
      if (improving.delta < move.delta) move = improving;
    }
    if (best.anywhere == std::numeric_limits<double>::infinity() && !moves.constraints().empty()) {
      walker.reset(moves.constraints().feasible().random(rng));
      found.offer(walker);
      continue;
    }
    if (move.variable < 0) continue;  // everything is tabu: time passes
    apply(move, walker);
    const int free_again = step + 1 + tenure + static_cast<int>(rng.below(static_cast<std::uint32_t>(tenure) + 1));
    free_from[static_cast<std::size_t>(move.variable)] = free_again;
    if (move.other >= 0) free_from[static_cast<std::size_t>(move.other)] = free_again;
  }
}

}  // namespace

Minimum Tabu::minimize(const Polynomial& f, const Allowed& allowed, Rng& rng, std::span<const Point> starts) const {
  const Rng stream(rng.bits(), "tabu");
  const Space& space = f.space();
  const int d = space.dimension();
  const int steps = options_.steps > 0 ? options_.steps : (d <= 30 ? 4 * d : 20 * d);

  Incumbent found(allowed);
  MoveScanner moves(space, allowed.constraints);
  Walker walker(f, Point(static_cast<std::size_t>(d), 0));
  for (int restart = 0; restart < std::max(options_.restarts, static_cast<int>(starts.size())); ++restart) {
    Rng own = stream.fork(static_cast<std::uint64_t>(restart));
    const auto k = static_cast<std::size_t>(restart);
    walker.reset(k < starts.size() ? starts[k] : random_point(space, allowed.constraints, own));
    search(walker, moves, steps, found, own);
  }
  return best_or_nearest_allowed(f, found, std::move(walker), allowed);
}

}  // namespace bocs
