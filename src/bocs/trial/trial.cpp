#include "bocs/trial/trial.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"

namespace bocs {
namespace {

constexpr const char* kValue = "value";  // as the name of a goal: the value itself

}  // namespace

double penalty(const Task& task, const Point& x) {
  if (task.l1 == 0 && task.l2 == 0) return 0;
  double sum = 0;
  if (!task.present.empty()) {
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] != task.present[i] ? task.l1 + task.l2 : 0;
    return sum;
  }
  for (int i = 0; i < task.space.dimension(); ++i) {
    const Coordinate& v = task.space[i];
    if (!v.has_size()) continue;
    const double value = v.value(x[static_cast<std::size_t>(i)]);
    sum += task.l1 * std::abs(value) + task.l2 * value * value;
  }
  return sum;
}

void Task::check() const {
  const auto check_weight = [](const std::string& name, double weight) {
    require(std::isfinite(weight) && weight >= 0, [&] {
      return "penalty " + name + "=" + std::to_string(weight) + ": allowed is a finite number, at least 0";
    });
  };
  check_weight("l1", l1);
  check_weight("l2", l2);
  if (l1 != 0 || l2 != 0) {
    for (const Coordinate& c : space.coordinates()) {
      require(!c.scale, [&] {
        return "a penalty on sizes, and " + c.name + " has no step; allowed: a penalty of 0, or " + c.name +
               " with steps";
      });
    }
  }
  require(trials >= 0, [&] { return "trials=" + std::to_string(trials) + ": allowed is 0 (not known) or more"; });
  constraints.check(space);
  if (!present.empty()) {
    try {
      space.check(present);
      constraints.check(present);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(std::string("the default: ") + error.what());
    }
  }
  std::set<std::string> names;
  for (const Goal& goal : goals) {
    require(!goal.name.empty(), "a goal needs the name of a metric");
    require(names.insert(goal.name).second, [&] { return "the goal '" + goal.name + "' is there twice"; });
  }
  require(goals.empty() || goals.front().known == nullptr, [&] {
    return "the first goal, '" + goals.front().name + "', is known for every point: name one first that is measured";
  });
  names.clear();
  for (const OutcomeLimit& limit : outcomes) {
    require(!limit.metric.empty(), "an outcome needs the name of a metric");
    require(limit.low <= limit.high,
            [&] { return "the outcome '" + limit.metric + "': no number is within its bounds"; });
    require(names.insert(limit.metric).second, [&] {
      return "the outcome '" + limit.metric +
             "' is there twice: give both bounds in one, as in 0.1 <= " + limit.metric + " <= 0.5";
    });
  }
}

Task completed(Task task) {
  if (task.constraints.empty() && !task.space.all_free()) task.constraints = Constraints(task.space, {});
  return task;
}

Task with_rules(const Task& task, const std::vector<Constraint>& rules) {
  Task result = task;
  try {
    result.constraints = task.constraints.with(task.space, rules);
  } catch (const InvalidArgument& error) {
    throw SpaceExhausted(std::string("nothing satisfies the rules of the batch: ") + error.what());
  }
  return result;
}

Outcome Outcome::value(double y, double seconds) {
  if (!std::isfinite(y)) return failure("the value is " + std::to_string(y) + ", not a finite number", seconds);
  return {State::complete, y, {}, seconds, {}};
}

Outcome Outcome::failure(std::string error, double seconds) {
  return {State::failed, kUnknown, std::move(error), seconds, {}};
}

Outcome Outcome::metrics_alone(std::string why_not) { return {State::complete, kUnknown, std::move(why_not), 0, {}}; }

Outcome oriented(Sense sense, Outcome outcome) {
  require(outcome.state == State::complete || outcome.state == State::failed,
          "an outcome is either complete or failed");
  const bool usable = outcome.state == State::complete && std::isfinite(outcome.y);
  if (!usable && outcome.error.empty()) outcome.error = Outcome::value(outcome.y).error;
  outcome.state = usable ? State::complete : State::failed;
  outcome.y = usable ? oriented(sense, outcome.y) : kUnknown;
  return outcome;
}

Outcome judged(const Task& task, Sense sense, Outcome outcome) {
  if (outcome.state != State::complete) return oriented(sense, std::move(outcome));
  std::vector<std::string> missing;
  const auto reported = [&](const std::string& name) {
    const auto found = outcome.metrics.find(name);
    if (found != outcome.metrics.end() && std::isfinite(found->second)) return found->second;
    missing.push_back("'" + name + "'");
    return kUnknown;
  };
  for (const Goal& goal : task.goals) {
    const bool is_first = &goal == &task.goals.front();
    if (goal.known != nullptr || (is_first && goal.name == kValue && std::isfinite(outcome.y))) continue;
    const double number = reported(goal.name);
    if (is_first) outcome.y = number;
  }
  if (!task.goals.empty()) outcome.error.clear();  // whatever was missing is not needed
  for (const OutcomeLimit& limit : task.outcomes) reported(limit.metric);
  if (!missing.empty()) {
    outcome.state = State::failed;
    outcome.error = "the evaluation did not report a finite number as " + joined(missing, " and ");
  }
  return oriented(sense, std::move(outcome));
}

Outcome past_outcome(const Task& task, double y, std::map<std::string, double> metrics) {
  if (task.goals.empty()) check_told(y);
  Outcome outcome = Outcome::metrics_alone("there is no value");
  outcome.y = y;
  outcome.metrics = std::move(metrics);
  const Outcome checked = judged(task, Sense::minimize, outcome);
  require(checked.state == State::complete, [&] { return checked.error; });
  return outcome;
}

std::vector<std::string> named_metrics(const Task& task) {
  std::set<std::string> names;
  for (const Goal& goal : task.goals) {
    if (goal.known == nullptr && !(goal.name == kValue && &goal == &task.goals.front())) names.insert(goal.name);
  }
  for (const OutcomeLimit& limit : task.outcomes) names.insert(limit.metric);
  return {names.begin(), names.end()};
}

void check_told(double y) {
  require(std::isfinite(y), [&] {
    return "the value " + std::to_string(y) + " cannot be told: allowed is a finite number, or a failed outcome";
  });
}

double total(const Task& task, const Trial& trial) { return trial.y + penalty(task, trial.x); }

bool is_allowed(const Task& task, const Trial& trial) {
  return trial.state == State::complete &&
         std::all_of(task.outcomes.begin(), task.outcomes.end(), [&](const OutcomeLimit& limit) {
           const auto found = trial.metrics.find(limit.metric);
           return found != trial.metrics.end() && limit.allows(found->second);
         });
}

std::vector<double> goal_values(const Task& task, const Trial& trial) {
  std::vector<double> values{total(task, trial)};
  for (std::size_t k = 1; k < task.goals.size(); ++k) {
    const Goal& goal = task.goals[k];
    const auto found = trial.metrics.find(goal.name);
    const double number = goal.known != nullptr          ? (*goal.known)(trial.x)
                          : found != trial.metrics.end() ? found->second
                                                         : kUnknown;
    values.push_back(oriented(goal.sense, number));
  }
  return values;
}

std::vector<const Trial*> History::complete() const {
  std::vector<const Trial*> result;
  for (const auto& trial : trials_) {
    if (trial.state == State::complete) result.push_back(&trial);
  }
  return result;
}

int History::stable_prefix() const {
  int count = 0;
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    const Trial& trial = trials_[i];
    if (!is_finished(trial) || trial.number != trials_.front().number + static_cast<int>(i)) break;
    if (trial.state == State::complete) ++count;
  }
  return count;
}

const Trial* History::best(const Task& task) const {
  const Trial* best = nullptr;
  for (const auto& trial : trials_) {
    if (is_allowed(task, trial) && (best == nullptr || total(task, trial) < total(task, *best))) best = &trial;
  }
  return best;
}

std::vector<const Trial*> History::front(const Task& task) const {
  std::vector<std::pair<std::vector<double>, const Trial*>> all;
  for (const auto& trial : trials_) {
    if (is_allowed(task, trial)) all.emplace_back(goal_values(task, trial), &trial);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const Trial*> result;
  std::vector<std::vector<double>> kept;  // a point that is beaten is beaten by one before it in this order
  for (const auto& [values, trial] : all) {
    const auto beats = [&values = values](const std::vector<double>& other) {
      return std::equal(other.begin(), other.end(), values.begin(), std::less_equal<>());
    };
    if (std::any_of(kept.begin(), kept.end(), beats)) continue;
    kept.push_back(values);
    result.push_back(trial);
  }
  return result;
}

const Trial* History::find(int number) const {
  const auto at = std::lower_bound(trials_.begin(), trials_.end(), number,
                                   [](const Trial& trial, int n) { return trial.number < n; });
  return at != trials_.end() && at->number == number ? &*at : nullptr;
}

void History::add(Trial trial) {
  require(trials_.empty() || trial.number > trials_.back().number, [&] {
    return "trial " + std::to_string(trial.number) + " comes after trial " + std::to_string(trials_.back().number);
  });
  if (!trial.x.empty()) seen_.insert(trial.x);
  trials_.push_back(std::move(trial));
}

void History::put(Trial trial) {
  if (trials_.empty() || trial.number > trials_.back().number) return add(std::move(trial));
  const auto at = std::lower_bound(trials_.begin(), trials_.end(), trial.number,
                                   [](const Trial& other, int n) { return other.number < n; });
  if (at->number != trial.number) {
    if (!trial.x.empty()) seen_.insert(trial.x);
    trials_.insert(at, std::move(trial));
    return;
  }
  require(at->state != State::complete, [&] {
    return "trial " + std::to_string(trial.number) + " is already finished; a finished trial never changes";
  });
  require(at->x.empty() || at->x == trial.x,
          [&] { return "the point of trial " + std::to_string(trial.number) + " never changes"; });
  if (!trial.x.empty()) seen_.insert(trial.x);
  *at = std::move(trial);
}

void History::set_info(int number, Info info) {
  const Trial* found = find(number);
  require(found != nullptr, [&] { return "there is no trial " + std::to_string(number); });
  trials_[static_cast<std::size_t>(found - trials_.data())].info = std::move(info);
}

void History::finish(int number, const Outcome& outcome) {
  const Trial* found = find(number);
  require(found != nullptr, [&] { return "there is no trial " + std::to_string(number); });
  require(found->state == State::running,
          [&] { return "trial " + std::to_string(number) + " is already finished; a finished trial never changes"; });
  Outcome checked = oriented(Sense::minimize, outcome);
  Trial& trial = trials_[static_cast<std::size_t>(found - trials_.data())];
  trial.state = checked.state;
  trial.y = checked.y;
  trial.error = std::move(checked.error);
  trial.seconds = checked.seconds;
  trial.metrics = std::move(checked.metrics);
  trial.remark = std::move(checked.remark);
}

void History::strike(int number, const std::string& why) {
  const Trial* found = find(number);
  require(found != nullptr, [&] { return "there is no trial " + std::to_string(number); });
  require(found->state == State::complete,
          [&] { return "trial " + std::to_string(number) + " has no value: only complete trials can be struck"; });
  Trial& trial = trials_[static_cast<std::size_t>(found - trials_.data())];
  trial.state = State::struck;
  trial.error = why;
}

}  // namespace bocs
