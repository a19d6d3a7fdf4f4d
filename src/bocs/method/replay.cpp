#include "bocs/method/replay.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "bocs/acquire/initial.hpp"
#include "bocs/rule/feasible.hpp"

namespace bocs {

bool KnownValues::unchanged(const History& history) const {
  if (history.trials().size() < read_.size()) return false;
  return std::equal(read_.begin(), read_.end(), history.trials().begin(), [](const Read& read, const Trial& trial) {
    return read.state == trial.state && std::bit_cast<std::uint64_t>(read.y) == std::bit_cast<std::uint64_t>(trial.y) &&
           *read.x == trial.x;
  });
}

bool KnownValues::extend(const Task& task, const History& history) {
  if (!unchanged(history)) return false;
  const bool first = read_.empty();
  for (const Trial& trial : history.trials().subspan(read_.size())) {
    const auto [place, fresh] = values_.try_emplace(trial.x, Value{std::numeric_limits<double>::infinity()});
    if (!fresh && !first) return false;
    read_.push_back({trial.state, trial.y, &place->first});
    if (!is_allowed(task, trial)) continue;
    Value& value = place->second;
    const int n = ++value.observations;
    value.mean = n == 1 ? total(task, trial) : value.mean + (total(task, trial) - value.mean) / n;
  }
  return true;
}

const double* KnownValues::find(const Point& x) const {
  const auto found = values_.find(x);
  return found == values_.end() ? nullptr : &found->second.mean;
}

Point random_start(const Task& task, int restart) {
  Rng rng(task.seed, "initial", static_cast<std::uint64_t>(restart));
  return random_point(task.space, task.constraints, rng);
}

bool same_task(const Task& a, const Task& b) {
  const bool same_constraints =
      a.constraints.empty() == b.constraints.empty() &&
      (a.constraints.empty() || &a.constraints.feasible() == &b.constraints.feasible());  // shared by copies
  return a.outcomes == b.outcomes && a.seed == b.seed && a.l1 == b.l1 && a.l2 == b.l2 && a.present == b.present &&
         same_constraints && a.space.variables() == b.space.variables();
}

Proposal after_all_runs(const Task& task, const History& history, int number, const std::string& name) {
  Proposal proposal;
  proposal.x = initial_point(task, history, number, false);
  proposal.info.how = "random: every " + name + " ended among known points";
  return proposal;
}

}  // namespace bocs
