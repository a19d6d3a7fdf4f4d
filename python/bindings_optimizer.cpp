// Trials, methods and the optimizer in memory.

#include "bocs/run/optimizer.hpp"
#include "bocs/store/json.hpp"
#include "bocs/trial/hypervolume.hpp"
#include "own_method.hpp"
#include "shared_session.hpp"

namespace bocs::python {
namespace {

class SharedOptimizer final : public SharedSession {
 public:
  SharedOptimizer(const Task& task, const AnyMethod& method, Sense sense, const std::vector<std::string>& trials)
      : own(method), optimizer_(task, make_any_method(method, task), sense, read(trials)) {}

  int tell(const Point& x, const Outcome& outcome, bool imported) {
    return with([&](Session&) { return optimizer_.tell(x, outcome, imported ? Origin::imported : Origin::told); });
  }
  /// All of them, or, if one is wrong, none.
  void add_past(const std::vector<PastRow>& rows) {
    with([&](Session& session) {
      std::vector<Outcome> outcomes;
      for (const auto& [x, y, metrics] : rows) {
        session.task().space.check(x);
        session.task().constraints.check(x);
        outcomes.push_back(past_outcome(session.task(), y, metrics));
      }
      for (std::size_t i = 0; i < rows.size(); ++i)
        optimizer_.tell(std::get<0>(rows[i]), outcomes[i], Origin::imported);
    });
  }
  /// The history to the last bit, for pickling.
  std::vector<std::string> written() {
    return with([](Session& session) {
      std::vector<std::string> texts;
      for (const auto& trial : session.history().trials()) texts.push_back(trial_to_json(trial));
      return texts;
    });
  }

  AnyMethod own;  // see kOwnSlots

 private:
  static History read(const std::vector<std::string>& texts) {
    History history;
    for (const auto& text : texts) history.add(trial_from_json(text));
    return history;
  }
  Session& session() override { return optimizer_; }

  Optimizer optimizer_;
};

template <class Enum>
void bind_words(nb::module_& module, const char* name) {
  nb::enum_<Enum> bound(module, name);
  for (const Word<Enum>& word : kWords<Enum>) bound.value(word.text.data(), word.value);  // literals: they end in 0
}

/// A method on its own, for samplers that keep the history elsewhere. Values: smaller is better.
struct PureMethod {
  Task task;
  AnyMethod own;
  std::shared_ptr<const Method> method;
};

}  // namespace

TrialView view(const Task& task, Sense sense, const Trial& trial) {
  TrialView seen{trial.number, trial.state, trial.x};
  if (has_value(trial)) {
    seen.value = oriented(sense, trial.y) + 0.0;  // never -0
    seen.total = oriented(sense, total(task, trial)) + 0.0;
    seen.allowed = is_allowed(task, trial);
    const std::vector<double> values = goal_values(task, trial);
    for (std::size_t k = 0; k < task.goals.size(); ++k) {
      const double value = k == 0 ? trial.y : values[k];
      seen.goals.emplace_back(task.goals[k].name, oriented(task.goals[k].sense, value) + 0.0);
    }
  }
  seen.error = trial.error;
  seen.seconds = trial.seconds;
  seen.metrics = trial.metrics;
  seen.remark = trial.remark;
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

void bind_trial(nb::module_& module) {
  bind_words<Sense>(module, "Sense");
  bind_words<State>(module, "State");
  nb::class_<TrialView>(module, "TrialView")
      .def_ro("number", &TrialView::number)
      .def_prop_ro("state", [](const TrialView& trial) { return word_of(trial.state); })
      .def_ro("levels", &TrialView::levels)
      .def_ro("value", &TrialView::value)
      .def_ro("total", &TrialView::total)
      .def_ro("error", &TrialView::error)
      .def_ro("seconds", &TrialView::seconds)
      .def_ro("metrics", &TrialView::metrics)
      .def_ro("allowed", &TrialView::allowed)
      .def_ro("goals", &TrialView::goals)
      .def_ro("remark", &TrialView::remark)
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
      .def_static(
          "metrics_alone",
          [](std::string why_not, double seconds, std::map<std::string, double> metrics) {
            Outcome outcome = Outcome::metrics_alone(std::move(why_not));
            outcome.seconds = seconds;
            outcome.metrics = std::move(metrics);
            return outcome;
          },
          nb::arg("why_not"), nb::arg("seconds"), nb::arg("metrics"))
      .def_static("failure", &Outcome::failure, nb::arg("error"), nb::arg("seconds") = 0.0);
  module.def("hypervolume", &hypervolume, nb::arg("points"), nb::arg("reference"));
  nb::class_<Goal>(module, "Goal")
      .def(
          "__init__",
          [](Goal* goal, const Space& space, std::string name, Sense sense, const std::string& known,
             double reference) {
            Goal made = known.empty() ? Goal{std::move(name), sense} : known_goal(space, name, known, sense);
            made.reference = reference;
            new (goal) Goal(std::move(made));
          },
          nb::arg("space"), nb::arg("name"), nb::arg("sense"), nb::arg("known"), nb::arg("reference"))
      .def_ro("name", &Goal::name)
      .def_ro("sense", &Goal::sense);
  nb::class_<OutcomeLimit>(module, "OutcomeLimit")
      .def_static("parse", &parse_outcome_limit, nb::arg("text"))
      .def_ro("metric", &OutcomeLimit::metric)
      .def("margin", &OutcomeLimit::margin, nb::arg("reported"));
  nb::class_<Effect>(module, "Effect")
      .def_ro("names", &Effect::names)
      .def_ro("mean", &Effect::mean)
      .def_ro("low", &Effect::low)
      .def_ro("high", &Effect::high)
      .def_ro("probability", &Effect::probability);
}

void bind_optimizer(nb::module_& module) {
  using O = SharedOptimizer;
  nb::class_<O, SharedSession>(module, "Optimizer", nb::type_slots(kOwnSlots<O>))
      .def(nb::init<const Task&, const AnyMethod&, Sense, const std::vector<std::string>&>(), nb::arg("task"),
           nb::arg("method"), nb::arg("sense"), nb::arg("trials") = std::vector<std::string>(), ReleaseGil())
      .def("tell_point", &O::tell, nb::arg("levels"), nb::arg("outcome"), nb::arg("imported") = false, ReleaseGil())
      .def("add_past", &O::add_past, nb::arg("rows"), ReleaseGil())
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
            if (info == "{}") trial.info.origin = Origin::imported;  // the method did not propose it
            history.put(std::move(trial));
            if (outcome) history.finish(number, *outcome);
          },
          nb::arg("number"), nb::arg("levels"), nb::arg("outcome"), nb::arg("info") = "{}");
  nb::class_<PureMethod>(module, "Method", nb::type_slots(kOwnSlots<PureMethod>))
      .def(
          "__init__",
          [](PureMethod* pure, const Task& task, const AnyMethod& method) {
            auto made = make_any_method(method, task);
            check_fronts(*made, task);
            new (pure) PureMethod{task, method, std::move(made)};
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
