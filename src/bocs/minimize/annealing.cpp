#include "bocs/minimize/annealing.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "bocs/minimize/local_search.hpp"

namespace bocs {

void AnnealingOptions::describe(OptionTable& table) {
  table.integer("restarts", restarts, 1, 100000, "independent runs, each from a random point");
  table.choice("schedule", schedule,
               "temperatures: geometric, from the size of the coefficients; those of Spears (1993), about 3.4 d^2 "
               "proposals in the first run and more in later ones; or 0.8^t, as the authors' program");
  table.integer("sweeps", sweeps, 1, 1000000, "geometric: proposals per variable and run");
  table.integer("steps", steps, 1, 1000000000, "authors: proposals per run");
}

namespace {

/// The sizes of the moves from random points, ascending: the scale that temperatures are measured in.
std::vector<double> typical_deltas(Walker& walker, const Constraints& constraints, Rng rng) {
  constexpr int kPoints = 4;
  const Space& space = walker.space();
  std::vector<double> sizes;
  for (int k = 0; k < kPoints; ++k) {
    walker.reset(random_point(space, constraints, rng));
    for (int i = 0; i < space.dimension(); ++i) {
      for_each_step(space[i], walker.point()[static_cast<std::size_t>(i)], [&](int level) {
        const double size = std::abs(walker.delta(i, level));
        if (size > 0) sizes.push_back(size);
      });
    }
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

/// The proposals of one run. Metropolis accepts `delta` with probability min(1, exp(-delta/T)), Spears with
/// 1 / (1 + exp(delta/T)). Where the constraints do not allow a variable to move alone, a random one moves with it.
class Run {
 public:
  Run(Walker& walker, const Constraints& constraints, Incumbent& found, Rng& rng)
      : walker_(&walker), space_(&walker.space()), found_(&found), rng_(&rng) {
    if (!constraints.empty()) position_.emplace(constraints.feasible(), walker.point());
  }

  void metropolis(int variable, double temperature) {
    propose(variable, [&](double delta) { return delta <= 0 || delta < temperature * rng_->exponential(); });
  }
  void logistic(int variable, double temperature) {
    propose(variable, [&](double delta) { return rng_->uniform() * (1 + std::exp(delta / temperature)) < 1; });
  }

 private:
  template <class Accept>
  void propose(int variable, Accept&& accept) {
    if (!space_->is_free(variable)) return propose_move(variable, accept);
    const int levels = (*space_)[variable].levels;
    if (levels == 1) return;
    const int old = walker_->point()[static_cast<std::size_t>(variable)];
    int level = 1 - old;
    if (levels > 2) {
      level = static_cast<int>(rng_->below(static_cast<std::uint32_t>(levels - 1)));
      if (level >= old) ++level;
    }
    const double delta = walker_->delta(variable, level);
    if (position_ && !position_->allows(variable, level)) {
      propose_with_partner({variable, level, delta}, accept);
      return;
    }
    found_->offer(*walker_, variable, level, delta);
    if (!accept(delta)) return;
    walker_->move(variable, level);
    if (position_) position_->move_to(walker_->point());
  }

  /// A random move of a structure or a condition.
  template <class Accept>
  void propose_move(int variable, Accept&& accept) {
    space_->random_move(walker_->point(), variable, *rng_, changes_);
    if (changes_.empty() || (position_ && !position_->allows(changes_))) return;
    const double before = walker_->value();
    std::vector<Change> back;
    for (const Change& change : changes_) {
      back.push_back({change.coordinate, walker_->point()[static_cast<std::size_t>(change.coordinate)]});
      walker_->move(change.coordinate, change.level);
    }
    found_->offer(*walker_);
    if (!accept(walker_->value() - before)) {
      for (const Change& change : back) walker_->move(change.coordinate, change.level);
    } else if (position_) {
      position_->move_to(walker_->point());
    }
  }

  template <class Accept>
  void propose_with_partner(Move move, Accept&& accept) {
    partners_.clear();
    position_->for_each_partner(move.variable, move.level, [&](int i, int l) { partners_.emplace_back(i, l); });
    if (partners_.empty()) return;
    std::tie(move.other, move.other_level) = partners_[rng_->below(static_cast<std::uint32_t>(partners_.size()))];
    const int old = walker_->point()[static_cast<std::size_t>(move.variable)];
    walker_->move(move.variable, move.level);
    const Move second{move.other, move.other_level, walker_->delta(move.other, move.other_level)};
    found_->offer(*walker_, second);
    if (accept(move.delta + second.delta)) {
      apply(second, *walker_);
      position_->move_to(walker_->point());
    } else {
      walker_->move(move.variable, old);
    }
  }

  Walker* walker_;
  const Space* space_;
  Incumbent* found_;
  Rng* rng_;
  std::optional<Position> position_;  // with constraints: where the walker is
  std::vector<std::pair<int, int>> partners_;
  Changes changes_;
};

}  // namespace

Minimum Annealing::minimize(const Polynomial& f, const Allowed& allowed, Rng& rng) const {
  const Rng stream(rng.bits(), "annealing");
  const Space& space = f.space();
  const int d = space.dimension();
  Rng first = stream.fork(0);
  const Constraints& constraints = allowed.constraints;
  Walker walker(f, random_point(space, constraints, first));
  const std::vector<double> sizes = typical_deltas(walker, constraints, stream.fork(1));
  const double median = sizes.empty() ? 0 : sizes[sizes.size() / 2];

  Incumbent found(allowed);
  for (int restart = 0; restart < options_.restarts; ++restart) {
    Rng own = stream.fork(static_cast<std::uint64_t>(restart) + 2);
    walker.reset(random_point(space, constraints, own));
    found.offer(walker);
    Run run(walker, constraints, found, own);
    if (sizes.empty()) continue;  // constant: one point is as good as another
    if (options_.schedule == Schedule::authors) {
      double temperature = 1;
      for (int t = 0; t < options_.steps; ++t) {
        temperature *= 0.8;
        run.metropolis(static_cast<int>(own.below(static_cast<std::uint32_t>(d))), temperature);
      }
    } else if (options_.schedule == Schedule::spears) {
      // [Spe93]: T = 0.3 exp(-sweep / (run * d)) down to 0.01, in units of one clause; here of the median move.
      for (int sweep = 0;; ++sweep) {
        const double temperature = 0.3 * std::exp(-static_cast<double>(sweep) / ((restart + 1.0) * d));
        if (temperature < 0.01) break;
        for (int i = 0; i < d; ++i) run.logistic(i, temperature * median);
      }
    } else {
      // From the largest moves (9 of 10 are smaller) down to a small part of the median one.
      const double hot = sizes[sizes.size() * 9 / 10];
      const double cold = 0.02 * median;
      const double factor = options_.sweeps > 1 ? std::pow(cold / hot, 1.0 / (options_.sweeps - 1)) : 1;
      double temperature = hot;
      for (int sweep = 0; sweep < options_.sweeps; ++sweep, temperature *= factor) {
        for (int i = 0; i < d; ++i) run.metropolis(i, temperature);
      }
      MoveScanner(space, constraints).descend(walker, found);
    }
  }
  return best_or_nearest_allowed(f, found, std::move(walker), allowed);
}

}  // namespace bocs
