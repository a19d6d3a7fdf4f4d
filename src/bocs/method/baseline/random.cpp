#include "bocs/method/baseline/random.hpp"

#include "bocs/acquire/initial.hpp"

namespace bocs {

void RandomOptions::describe(OptionTable& table) {
  table.boolean("repeats", repeats, "may draw a point that has been evaluated before");
}

Proposal RandomSearch::propose(const Task& task, const History& history, int number) const {
  Proposal proposal{initial_point(task, history, number, options_.repeats), {}};
  proposal.info.how = "random";
  return proposal;
}

std::unique_ptr<Method> make_random(const RandomOptions& options) {
  check_options(options);
  return std::make_unique<RandomSearch>(options);
}

}  // namespace bocs
