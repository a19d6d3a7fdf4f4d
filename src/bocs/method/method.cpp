#include "bocs/method/method.hpp"

#include "bocs/core/error.hpp"

namespace bocs {

Proposal Method::recommend(const Task& task, const History& history) const {
  const Trial* best = history.best(task);
  require(best != nullptr, "a recommendation needs at least one complete trial; there is none yet");
  Proposal proposal{best->x, {}};
  proposal.info.predicted = total(task, *best);
  proposal.info.how = "best observed";
  return proposal;
}

const PolynomialModel* Method::polynomial(const Task& /*task*/, const History& /*history*/) const { return nullptr; }

}  // namespace bocs
