// Trials, methods and the optimizer in memory.

#include <mutex>

#include "bindings.hpp"
#include "bocs/core/parallel.hpp"
#include "bocs/store/json.hpp"

namespace bocs::python {
namespace {

/// An Optimizer that any number of Python threads may use: one at a time. The lock is only ever waited for without
/// Python's own (ReleaseGil), so that the two cannot block each other.
class SharedOptimizer {
 public:
  SharedOptimizer(Task task, const std::string& method, Sense sense, const std::vector<std::string>& trials)
      : method_(method), optimizer_(std::move(task), method, sense, read(trials)) {}

  TrialView ask() {
    const std::lock_guard lock(mutex_);
    return seen(optimizer_.ask());
  }
  void tell(int number, const Outcome& outcome) {
    const std::lock_guard lock(mutex_);
    optimizer_.tell(number, outcome);
  }
  int add(const Point& x, double value) {
    const std::lock_guard lock(mutex_);
    return optimizer_.add(x, value);
  }
  TrialView trial(int number) {
    const std::lock_guard lock(mutex_);
    const Trial* found = optimizer_.history().find(number);
    require(found != nullptr, [&] { return "there is no trial " + std::to_string(number); });
    return seen(*found);
  }
  std::vector<TrialView> trials() {
    const std::lock_guard lock(mutex_);
    return view(optimizer_.task(), optimizer_.sense(), optimizer_.history());
  }
  int size() {
    const std::lock_guard lock(mutex_);
    return optimizer_.history().size();
  }
  std::optional<TrialView> best() {
    const std::lock_guard lock(mutex_);
    const Trial* best = optimizer_.best();
    return best == nullptr ? std::nullopt : std::optional(seen(*best));
  }
  std::pair<Point, double> recommend() {
    const std::lock_guard lock(mutex_);
    const Recommendation answer = optimizer_.recommend();
    return {answer.x, optimizer_.shown(answer.value)};
  }
  std::vector<Effect> explain(int order, int draws) {
    const std::lock_guard lock(mutex_);
    return python::explain(optimizer_.task(), optimizer_.history(), optimizer_.sense(), method_, order, draws);
  }
  /// The history to the last bit, for pickling.
  std::vector<std::string> written() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> texts;
    for (const auto& trial : optimizer_.history().trials()) texts.push_back(trial_to_json(trial));
    return texts;
  }

 private:
  static History read(const std::vector<std::string>& texts) {
    History history;
    for (const auto& text : texts) history.add(trial_from_json(text));
    return history;
  }
  [[nodiscard]] TrialView seen(const Trial& trial) const { return view(optimizer_.task(), optimizer_.sense(), trial); }

  std::mutex mutex_;
  std::string method_;
  Optimizer optimizer_;
};

/// A method on its own, for samplers that keep the history elsewhere. Values: smaller is better.
struct PureMethod {
  Task task;
  std::unique_ptr<Method> method;
};

}  // namespace

TrialView view(const Task& task, Sense sense, const Trial& trial) {
  TrialView seen{trial.number, trial.state, trial.x};
  if (trial.state == State::complete) {
    seen.value = oriented(sense, trial.y);
    seen.total = oriented(sense, total(task, trial));
  }
  seen.error = trial.error;
  seen.seconds = trial.seconds;
  seen.metrics = trial.metrics;
  seen.how = trial.info.how;
  seen.predicted = oriented(sense, trial.info.predicted);
  seen.bound = oriented(sense, trial.info.lower_bound);
  return seen;
}

std::vector<TrialView> view(const Task& task, Sense sense, const History& history) {
  std::vector<TrialView> seen;
  for (const auto& trial : history.trials()) seen.push_back(view(task, sense, trial));
  return seen;
}

std::vector<Effect> explain(const Task& task, const History& history, Sense sense, const std::string& method, int order,
                            int draws) {
  ExplainOptions options;
  options.order = order;
  options.draws = draws;
  options.threads = hardware_threads();
  return bocs::explain(*make_method(method, task.space, task.constraints), task, history, sense, options).effects;
}

void bind_optimizer(nb::module_& module) {
  nb::enum_<Sense>(module, "Sense").value("minimize", Sense::minimize).value("maximize", Sense::maximize);
  nb::enum_<State>(module, "State")
      .value("waiting", State::waiting)
      .value("running", State::running)
      .value("complete", State::complete)
      .value("failed", State::failed);
  nb::class_<TrialView>(module, "TrialView")
      .def_ro("number", &TrialView::number)
      .def_prop_ro("state", [](const TrialView& trial) { return to_string(trial.state); })
      .def_ro("levels", &TrialView::levels)
      .def_ro("value", &TrialView::value)
      .def_ro("total", &TrialView::total)
      .def_ro("error", &TrialView::error)
      .def_ro("seconds", &TrialView::seconds)
      .def_ro("metrics", &TrialView::metrics)
      .def_ro("how", &TrialView::how)
      .def_ro("predicted", &TrialView::predicted)
      .def_ro("bound", &TrialView::bound);
  nb::class_<Outcome>(module, "Outcome")
      .def_static(
          "value",
          [](double value, double seconds, std::map<std::string, double> metrics) {
            Outcome outcome = Outcome::value(value, seconds);
            outcome.metrics = std::move(metrics);
            return outcome;
          },
          nb::arg("value"), nb::arg("seconds") = 0.0, nb::arg("metrics") = std::map<std::string, double>())
      .def_static("failure", &Outcome::failure, nb::arg("error"), nb::arg("seconds") = 0.0);
  module.def("check_told", &check_told, nb::arg("value"));
  nb::class_<Effect>(module, "Effect")
      .def_ro("names", &Effect::names)
      .def_ro("mean", &Effect::mean)
      .def_ro("low", &Effect::low)
      .def_ro("high", &Effect::high)
      .def_ro("probability", &Effect::probability);

  using O = SharedOptimizer;
  nb::class_<O>(module, "Optimizer")
      .def(nb::init<Task, const std::string&, Sense, const std::vector<std::string>&>(), nb::arg("task"),
           nb::arg("method"), nb::arg("sense"), nb::arg("trials") = std::vector<std::string>(), ReleaseGil())
      .def("ask", &O::ask, ReleaseGil())
      .def("tell", &O::tell, nb::arg("number"), nb::arg("outcome"), ReleaseGil())
      .def("add", &O::add, nb::arg("levels"), nb::arg("value"), ReleaseGil())
      .def("trial", &O::trial, nb::arg("number"), ReleaseGil())
      .def("trials", &O::trials, ReleaseGil())
      .def("size", &O::size, ReleaseGil())
      .def("best", &O::best, ReleaseGil())
      .def("recommend", &O::recommend, ReleaseGil())
      .def("explain", &O::explain, nb::arg("order"), nb::arg("draws"), ReleaseGil())
      .def("written", &O::written, ReleaseGil());

  nb::class_<History>(module, "History")
      .def(nb::init<>())
      .def(nb::init<const History&>(), nb::arg("other"))
      .def(
          "put",
          [](History& history, int number, Point levels, std::optional<Outcome> outcome, const std::string& info) {
            Trial trial;
            trial.number = number;
            trial.x = std::move(levels);
            trial.info = info_from_json(info);
            history.put(std::move(trial));
            if (outcome) history.finish(number, *outcome);
          },
          nb::arg("number"), nb::arg("levels"), nb::arg("outcome"), nb::arg("info") = "{}");
  nb::class_<PureMethod>(module, "Method")
      .def(
          "__init__",
          [](PureMethod* pure, const Task& task, const std::string& method) {
            new (pure) PureMethod{task, make_method(method, task.space, task.constraints)};
          },
          nb::arg("task"), nb::arg("method"))
      .def(
          "propose",
          [](const PureMethod& pure, const History& history, int number) {
            const Proposal proposal = pure.method->propose(pure.task, history, number);
            return std::pair(proposal.x,
                             info_to_json(proposal.info));  // methods learn from how earlier points came about
          },
          nb::arg("history"), nb::arg("number"), ReleaseGil());
}

}  // namespace bocs::python
