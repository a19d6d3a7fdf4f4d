#include "bocs/experiment/measure.hpp"

#include <algorithm>
#include <chrono>
#include <deque>

#include "bocs/base/clock.hpp"
#include "bocs/experiment/validation.hpp"
#include "bocs/run/optimizer.hpp"
#include "bocs/run/work.hpp"
#include "bocs/version.hpp"

namespace bocs {
namespace {

using Clock = std::chrono::steady_clock;

/// An Optimizer whose asks are timed one by one.
class TimedSession : public Session {
 public:
  explicit TimedSession(Optimizer& optimizer) : optimizer_(optimizer) {}

  [[nodiscard]] const Task& task() const override { return optimizer_.task(); }
  [[nodiscard]] Sense sense() const override { return optimizer_.sense(); }
  [[nodiscard]] const History& history() const override { return optimizer_.history(); }
  [[nodiscard]] double suggest_seconds() const { return suggest_seconds_; }
  Trial ask() override {
    const auto start = Clock::now();
    Trial trial = optimizer_.ask();
    suggest_seconds_ += seconds_since(start);
    return trial;
  }
  Told tell(int number, const Outcome& outcome) override { return optimizer_.tell(number, outcome); }
  int tell(const Point& x, const Outcome& outcome, Origin origin) override {
    return optimizer_.tell(x, outcome, origin);
  }
  [[nodiscard]] const Method& method() const override { return optimizer_.method(); }
  int enqueue(const Point& x) override { return optimizer_.enqueue(x); }
  void strike(int number, const std::string& why) override { optimizer_.strike(number, why); }
  bool release(int number, Attempt attempt) override { return optimizer_.release(number, attempt); }

 private:
  Optimizer& optimizer_;
  double suggest_seconds_ = 0;
};

Task task_of(const Cell& cell, const Problem& problem, std::uint64_t seed) {
  const bool l1 = cell.penalty == "l1";
  return {problem.space, l1 ? cell.lambda : 0, l1 ? 0 : cell.lambda, seed, problem.constraints};
}

/// Keeps so many trials under way; the oldest of them is told first.
WorkResult work_in_flight(Session& session, const Objective& objective, const Limits& limits, int in_flight,
                          const std::function<void(const Trial&)>& on_trial) {
  Loop loop(limits);
  std::deque<Trial> under_way;
  for (;;) {
    Loop::Next next = loop.next(session, in_flight - static_cast<int>(under_way.size()));
    for (Trial& trial : next.begin) under_way.push_back(std::move(trial));
    if (under_way.empty()) return loop.result();
    const Trial& oldest = under_way.front();
    on_trial(loop.finished(session, oldest.number, evaluate(objective, session.task().space, oldest)));
    under_way.pop_front();
  }
}

std::optional<CellResult> optimize(const Cell& cell, Optima& optima, const std::function<bool()>& stop) {
  const Problem problem = make_problem(cell.problem, cell.instance);
  const Task task = task_of(cell, problem, cell.task_seed());
  Optimizer optimizer(task, method_spec_with_initial(cell.method, cell.initial).text(), problem.sense);
  TimedSession session(optimizer);

  CellResult result;
  int best = -1;
  const auto on_trial = [&](const Trial&) {
    const Trial* now = optimizer.best();
    if (now == nullptr || now->number == best) return;
    best = now->number;
    // The incumbent can change with a trial only to that trial.
    result.best.push_back({now->number, penalized(problem, task, now->x), session.suggest_seconds()});
  };
  Limits limits;
  limits.trials = cell.trials;
  limits.stop = stop;
  const WorkResult worked = work_in_flight(session, measurement(problem, task.seed), limits, cell.in_flight, on_trial);
  if (worked.reason == Reason::stopped) return std::nullopt;

  result.sense = problem.sense;
  result.optimum = optima.find(cell, problem);
  if (problem.noisy && optimizer.best() != nullptr) {
    result.recommended = penalized(problem, task, optimizer.recommend().x);
  }
  result.evaluations = worked.trials;
  result.failures = worked.failures;
  result.suggest_seconds_mean = session.suggest_seconds() / std::max(1, worked.trials);
  return result;
}

}  // namespace

Objective measurement(const Problem& problem, std::uint64_t seed) {
  if (!problem.noisy) return callback(problem.f);
  return [&problem, seed](const Space&, const Trial& trial) {
    Rng rng(seed, "noise", static_cast<std::uint64_t>(trial.number));
    return Outcome::value(problem.noisy(trial.x, rng));
  };
}

double penalized(const Problem& problem, const Task& task, const Point& x) {
  return oriented(problem.sense, oriented(problem.sense, problem.f(x)) + penalty(task, x)) + 0.0;  // 0, never -0
}

void Optima::remember(const CellResult& result) {
  const Cell& cell = result.cell;
  if (cell.kind != CellKind::optimization) return;
  std::promise<std::optional<double>> known;
  known.set_value(result.optimum);
  values_.try_emplace(Key(cell.problem, cell.instance, cell.lambda, cell.penalty), known.get_future().share());
}

std::optional<double> Optima::find(const Cell& cell, const Problem& problem) {
  std::promise<std::optional<double>> promise;
  std::shared_future<std::optional<double>> value;
  bool ours = false;
  {
    const std::lock_guard lock(mutex_);
    const auto [slot, inserted] = values_.try_emplace(Key(cell.problem, cell.instance, cell.lambda, cell.penalty));
    if (inserted) slot->second = promise.get_future().share();
    value = slot->second;
    ours = inserted;
  }
  if (ours) {
    try {
      std::optional<double> optimal;
      // Problems know the optimum with the l1 penalty; on binary variables both penalties are the same.
      if (problem.optimum && (cell.penalty == "l1" || cell.lambda == 0 || problem.space.all_binary())) {
        if (const auto optimum = problem.optimum(cell.lambda)) optimal = optimum->value;
      }
      promise.set_value(optimal);
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  }
  return value.get();
}

void check(const Cell& cell) {
  const Problem problem = make_problem(cell.problem, cell.instance);
  if (cell.kind == CellKind::optimization) {
    make_method(method_spec_with_initial(cell.method, cell.initial).text(), problem.space, problem.constraints);
    task_of(cell, problem, 0).check();
  } else {
    check_model(cell, problem.space);
  }
}

std::optional<CellResult> measure(const Cell& cell, Optima& optima, const std::function<bool()>& stop) {
  const auto start = Clock::now();
  std::optional<CellResult> result;
  switch (cell.kind) {
    case CellKind::optimization:
      result = optimize(cell, optima, stop);
      break;
    case CellKind::validation:
      result = validate(cell);
      break;
    case CellKind::coefficients:
      result = count_large_coefficients(cell);
      break;
  }
  if (!result) return std::nullopt;
  result->cell = cell;
  result->seconds = seconds_since(start);
  result->version = signature();
  return result;
}

}  // namespace bocs
