#include "bocs/method/replay.hpp"

#include <limits>

#include "bocs/acquire/initial.hpp"
#include "bocs/core/feasible.hpp"

namespace bocs {

KnownValues::KnownValues(const Task& task, const History& history) {
  std::unordered_map<Point, int, PointHash> observations;
  for (const Trial& trial : history.trials()) {
    double& value = values_.try_emplace(trial.x, std::numeric_limits<double>::infinity()).first->second;
    if (trial.state != State::complete) continue;
    const int n = ++observations[trial.x];
    value = n == 1 ? total(task, trial) : value + (total(task, trial) - value) / n;
  }
}

const double* KnownValues::find(const Point& x) const {
  const auto found = values_.find(x);
  return found == values_.end() ? nullptr : &found->second;
}

Point random_start(const Task& task, int restart) {
  Rng rng(task.seed, "initial", static_cast<std::uint64_t>(restart));
  return random_point(task.space, task.constraints, rng);
}

Proposal first_unknown_point(const Task& task, const History& history, int number, const std::string& name, int runs,
                             const std::function<std::optional<Point>(int restart)>& run) {
  Proposal proposal;
  for (int restart = 0; restart < runs; ++restart) {
    if (auto x = run(restart)) {
      proposal.x = std::move(*x);
      proposal.info.how = name + " " + std::to_string(restart);
      return proposal;
    }
  }
  proposal.x = initial_point(task, history, number, false);
  proposal.info.how = "random: every " + name + " ended among known points";
  return proposal;
}

}  // namespace bocs
