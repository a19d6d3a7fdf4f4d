#include "bocs/run/optimizer.hpp"

#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/version.hpp"

namespace bocs {

Optimizer::Optimizer(Task task, std::string_view method, Sense sense, History history)
    : Optimizer(task, make_method(method, task.space, completed(task).constraints), sense, std::move(history)) {}

Optimizer::Optimizer(Task task, std::shared_ptr<const Method> method, Sense sense, History history)
    : task_(completed(std::move(task))),
      sense_(task_.goals.empty() ? sense : task_.goals.front().sense),
      method_(std::move(method)),
      history_(std::move(history)) {
  require(method_ != nullptr, "an optimizer needs a method");
  task_.check();
  check_fronts(*method_, task_);
  for (const auto& trial : history_.trials()) check_point(trial.x);
}

void Optimizer::check_point(const Point& x) const {
  task_.space.check(x);
  task_.constraints.check(x);
}

int Optimizer::next_number() const { return history_.size() == 0 ? 0 : history_.trials().back().number + 1; }

Trial Optimizer::ask(const std::vector<Constraint>& rules) {
  const auto trials = history_.trials();
  const auto waiting =
      std::find_if(trials.begin(), trials.end(), [](const Trial& trial) { return trial.state == State::waiting; });
  Trial trial;
  if (waiting != trials.end()) {
    trial = *waiting;
    trial.state = State::running;
  } else {
    trial.number = next_number();
    Proposal proposal =
        next_proposal(*method_, rules.empty() ? task_ : with_rules(task_, rules), history_, trial.number);
    trial.x = std::move(proposal.x);
    trial.info = std::move(proposal.info);
    trial.info.program = signature();
    trial.info.rules = rules;
    for (const auto& other : trials) {
      if (!is_finished(other)) trial.info.pending.push_back(other.number);
    }
  }
  ++trial.attempts;
  history_.put(trial);
  return trial;
}

Told Optimizer::tell(int number, const Outcome& outcome) {
  history_.finish(number, judged(task_, sense_, outcome));
  return Told::stands;
}

int Optimizer::add(const Point& x, State state, Origin origin) {
  check_point(x);
  Trial trial;
  trial.number = next_number();
  trial.state = state;
  trial.x = x;
  trial.info.origin = origin;
  history_.add(trial);
  return trial.number;
}

int Optimizer::tell(const Point& x, const Outcome& outcome, Origin origin) {
  const Outcome told = judged(task_, sense_, outcome);
  const int number = add(x, State::running, origin);
  history_.finish(number, told);
  return number;
}

int Optimizer::enqueue(const Point& x) { return add(x, State::waiting, Origin::enqueued); }

bool Optimizer::release(int number, Attempt attempt) {
  const Trial* found = history_.find(number);
  if (found == nullptr || found->state != State::running) return false;
  Trial trial = *found;
  trial.state = State::waiting;
  trial.attempts -= attempt == Attempt::not_counted ? 1 : 0;
  history_.put(std::move(trial));
  return true;
}

}  // namespace bocs
