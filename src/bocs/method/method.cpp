#include "bocs/method/method.hpp"

#include <algorithm>

#include "bocs/base/error.hpp"

namespace bocs {

Recommendation Method::recommend(const Task& task, const History& history) const {
  const Trial* best = history.best(task);
  require(best != nullptr, [&] {
    return task.outcomes.empty() || history.complete().empty()
               ? "a recommendation needs at least one complete trial; there is none yet"
               : "a recommendation needs at least one trial within all limits; there is none yet";
  });
  const auto complete = history.complete();
  const auto measured =
      std::count_if(complete.begin(), complete.end(), [&](const Trial* t) { return t->x == best->x; });
  return {best->x, total(task, *best), kUnknown, static_cast<int>(measured)};
}

Proposal next_proposal(const Method& method, const Task& task, const History& history, int number) {
  if (task.present.empty() || history.seen().contains(task.present)) return method.propose(task, history, number);
  Proposal proposal{task.present, {}};
  proposal.info.origin = Origin::initial;
  proposal.info.how = "the present setting";
  return proposal;
}

void check_fronts(const Method& method, const Task& task) {
  require(method.has_fronts() || !task.has_front(), [&] {
    return "the task has " + std::to_string(task.goals.size()) +
           " goals, and this method looks for one: use bocs, ei, smac or random";
  });
}

const PolynomialModel* Method::explained_model(const Task& /*task*/, const History& /*history*/) const {
  return nullptr;
}

}  // namespace bocs
