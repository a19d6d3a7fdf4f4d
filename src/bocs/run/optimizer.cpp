#include "bocs/run/optimizer.hpp"

#include "bocs/core/error.hpp"
#include "bocs/version.hpp"

namespace bocs {

Optimizer::Optimizer(Task task, std::string_view method, Sense sense, History history)
    : task_(std::move(task)),
      sense_(sense),
      method_(make_method(method, task_.space, task_.constraints)),
      history_(std::move(history)) {
  task_.check();
  for (const auto& trial : history_.trials()) check_point(trial.x);
}

void Optimizer::check_point(const Point& x) const {
  task_.space.check(x);
  task_.constraints.check(x);
}

int Optimizer::next_number() const { return history_.size() == 0 ? 0 : history_.trials().back().number + 1; }

Trial Optimizer::ask() {
  Trial trial;
  trial.number = next_number();
  Proposal proposal = method_->propose(task_, history_, trial.number);
  trial.x = std::move(proposal.x);
  trial.info = std::move(proposal.info);
  trial.info.program = signature();
  for (const auto& other : history_.trials()) {
    if (other.state == State::running) trial.info.pending.push_back(other.number);
  }
  history_.add(trial);
  return trial;
}

void Optimizer::tell(int number, const Outcome& outcome) { history_.finish(number, oriented(sense_, outcome)); }

void Optimizer::tell(int number, double y) {
  check_told(y);
  tell(number, Outcome::value(y));
}

int Optimizer::add(const Point& x, double y) {
  check_point(x);
  check_told(y);
  Trial trial;
  trial.number = next_number();
  trial.x = x;
  trial.info.origin = Origin::told;
  history_.add(trial);
  tell(trial.number, y);
  return trial.number;
}

}  // namespace bocs
