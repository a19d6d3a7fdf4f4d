#include "bocs/method/annealing.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "bocs/acquire/initial.hpp"
#include "bocs/core/moves.hpp"

namespace bocs {
namespace {

constexpr int kRestarts = 30;    // beyond one for each trial; then any unseen point will do
constexpr int kIdleMoves = 100;  // per variable: a walk that met only known points for so long is stuck

/// One run of the walk, from a random start, over the known values. Returns the first point it needs and does not know.
class Walk {
 public:
  Walk(const AnnealingSearchOptions& options, const Task& task, const KnownValues& known)
      : options_(options), task_(task), known_(known) {}

  std::optional<Point> run(int restart) {
    Point x = random_start(task_, restart);
    const double* start = known_.find(x);
    if (start == nullptr) return x;
    double value = *start;
    PointSet met{x};
    double sum_of_sizes = 0;  // of the first moves: what the temperature is measured in
    int moves = 0;
    const int d = task_.space.dimension();
    Rng rng(task_.seed, "annealing", static_cast<std::uint64_t>(restart));
    for (int idle = 0; idle < kIdleMoves * d; ++idle) {
      Point next = random_neighbour(task_.space, task_.constraints, x, rng);
      const double* found = known_.find(next);
      if (found == nullptr) return next;
      const double increase = value < std::numeric_limits<double>::infinity() ? *found - value : -1;
      const bool fresh = met.insert(next).second;
      if (fresh) {
        idle = 0;
        if (std::isfinite(increase) && moves < d) {
          sum_of_sizes += std::abs(increase);
          ++moves;
        }
      }
      const double scale = moves > 0 ? sum_of_sizes / moves : 0;
      const double temperature = scale * options_.start * std::pow(options_.cooling, met.size());
      if (!accepts(increase, temperature, rng)) continue;
      x = std::move(next);
      value = *found;
    }
    return std::nullopt;
  }

 private:
  const AnnealingSearchOptions& options_;
  const Task& task_;
  const KnownValues& known_;
};

}  // namespace

void AnnealingSearchOptions::describe(OptionTable& table) {
  table.real("start", start, 0, 1e6, "first temperature, in units of the mean change of the first d moves");
  table.real("cooling", cooling, 0, 1, "factor of the temperature from one evaluation to the next");
  table.choice("published", published, {"no", "authors", "spears"},
               "as the paper ran it: one walk that pays for every step, known points too, with the temperatures of the "
               "authors' program, 0.8^t, or of Spears (1993); start and cooling are not used");
}

bool accepts(double increase, double temperature, Rng& rng) {
  const double u = rng.uniform();  // drawn in any case, so that the stream does not depend on the values
  return increase <= 0 || (temperature > 0 && u < std::exp(-increase / temperature));
}

Proposal AnnealingSearch::propose(const Task& task, const History& history, int number) const {
  require_unseen(task, history);
  const KnownValues known(task, history);
  Walk walk(options_, task, known);
  // Every stuck walk has met a point of its own, or the space is small.
  return first_unknown_point(task, history, number, "walk", history.size() + kRestarts,
                             [&](int restart) { return walk.run(restart); });
}

}  // namespace bocs
