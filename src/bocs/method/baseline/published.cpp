#include "bocs/method/baseline/published.hpp"

#include <cmath>

#include "bocs/method/baseline/annealing.hpp"
#include "bocs/method/replay.hpp"
#include "bocs/rule/moves.hpp"

namespace bocs {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Failed and unfinished trials and those beyond a limit are worse than any other.
double value_of(const Task& task, const Trial& trial) {
  return is_allowed(task, trial) ? total(task, trial) : kInfinity;
}

bool takes(double increase, int step, bool spears, int d, Rng& rng) {
  if (std::isnan(increase)) return true;  // both failed
  if (!spears) return accepts(increase, std::pow(0.8, step), rng);
  const double temperature = 0.3 * std::exp(-static_cast<double>(step) / (static_cast<double>(d) * d));
  return rng.uniform() * (1 + std::exp(increase / temperature)) < 1;
}

}  // namespace

Proposal PublishedAnnealing::propose(const Task& task, const History& history, int number) const {
  const Trial* at = nullptr;
  int step = 0;
  for (const Trial& trial : history.trials()) {
    if (trial.number >= number || trial.x.empty()) continue;
    if (at == nullptr) {
      at = &trial;
      continue;
    }
    Rng rng(task.seed, "accept", static_cast<std::uint64_t>(trial.number));
    const double increase = value_of(task, trial) - value_of(task, *at);
    if (takes(increase, ++step, spears_, task.space.dimension(), rng)) at = &trial;
  }
  Proposal proposal;
  proposal.info.how = at == nullptr ? "start" : "neighbour of trial " + std::to_string(at->number);
  Rng rng(task.seed, "annealing", static_cast<std::uint64_t>(number));
  proposal.x = at == nullptr ? random_start(task, 0) : random_neighbour(task.space, task.constraints, at->x, rng);
  return proposal;
}

Proposal PublishedLocalSearch::propose(const Task& task, const History& history, int /*number*/) const {
  std::unordered_map<Point, double, PointHash> known;
  for (const Trial& trial : history.trials()) known.try_emplace(trial.x, value_of(task, trial));
  Proposal proposal;
  proposal.x = random_start(task, 0);
  proposal.info.how = "start";
  const auto value_at = [&](const Point& x) { return known.find(x); };
  if (value_at(proposal.x) == known.end()) return proposal;
  for (;;) {
    Point best = proposal.x;
    double lowest = value_at(best)->second;
    std::optional<Point> unknown;
    for_each_neighbour(task.space, task.constraints, proposal.x, [&](const Point& neighbour) {
      const auto found = value_at(neighbour);
      if (found == known.end()) {
        if (!unknown) unknown = neighbour;
      } else if (found->second < lowest) {
        best = neighbour;
        lowest = found->second;
      }
    });
    if (unknown) {
      proposal.x = std::move(*unknown);
      proposal.info.how = "neighbour";
      return proposal;
    }
    if (best == proposal.x) {
      proposal.info.how = "local optimum";
      return proposal;
    }
    proposal.x = std::move(best);
  }
}

}  // namespace bocs
