// Studies in a store, and workers on them.

#include "bocs/numeric/parallel.hpp"
#include "bocs/report/report.hpp"
#include "bocs/store/upgrade.hpp"
#include "bocs/study/open_study.hpp"
#include "bocs/study/worker.hpp"
#include "shared_session.hpp"

namespace bocs::python {
namespace {

class SharedStudy final : public SharedSession {
 public:
  explicit SharedStudy(Study study) : study_(std::move(study)) {}

  /// call(study), alone, after what the others did was read.
  template <class Call>
  auto current(const Call& call) {
    return with([&](Session& session) {
      session.refresh();
      return call(study_);
    });
  }
  [[nodiscard]] const std::string& url() const { return study_.table().connection().url(); }

 private:
  Session& session() override { return study_; }
  Study study_;
};

/// As `bocs` takes it.
std::string command_line_name(const Study& study) {
  return "--store " + without_password(study.table().connection().url()) + " --study " + study.spec().name;
}

/// The study of that name, or, when no name is given, the only one of the store.
std::unique_ptr<SharedStudy> open(const std::string& url, const std::optional<std::string>& name) {
  Store store(url);
  if (name) return std::make_unique<SharedStudy>(store.open(*name));
  const auto studies = store.list();
  require(studies.size() == 1, [&] {
    std::string names;
    for (const auto& summary : studies) names += (names.empty() ? " " : ", ") + summary.spec.name;
    return "which study? " + store.shown_url() + " holds" + (names.empty() ? " none" : names) + "; give its name";
  });
  return std::make_unique<SharedStudy>(store.open(studies.front().spec.name));
}

/// A worker on a study. close() gives back what it holds.
class SharedWorker final : public SharedSession {
 public:
  SharedWorker(const std::string& url, const std::string& study, double patience) {
    WorkerOptions options;
    options.patience_seconds = patience;
    options.stop = [this] { return is_interrupted(); };
    try {
      worker_ = std::make_unique<Worker>(url, study, options);
    } catch (const Error&) {
      raise_interrupt();
      throw;
    }
  }
  void close() { worker_.reset(); }

 private:
  Session& session() override {
    require(worker_ != nullptr, "the worker has ended");
    return *worker_;
  }
  /// Asked while the store is away: Ctrl-C ends the wait. The exception is kept until the call is over, for nothing may
  /// be thrown from here.
  bool is_interrupted() {
    const nb::gil_scoped_acquire gil;
    if (!interrupt_ && PyErr_CheckSignals() != 0) interrupt_.emplace();
    return interrupt_.has_value();
  }
  void raise_interrupt() override {
    if (!interrupt_) return;
    const nb::gil_scoped_acquire gil;
    nb::python_error interrupt = std::move(*interrupt_);
    interrupt_.reset();
    throw interrupt;
  }

  std::unique_ptr<Worker> worker_;
  std::optional<nb::python_error> interrupt_;
};

}  // namespace

void bind_study(nb::module_& module) {
  nb::class_<StudySpec>(module, "StudySpec")
      .def(
          "__init__",
          [](StudySpec* spec, std::string name, const Task& task, const std::string& method, Sense sense, int trials) {
            StudySpec made{std::move(name), task, method_spec_with_initial(method, 0).text(), sense, trials};
            made.check();
            new (spec) StudySpec(std::move(made));
          },
          nb::arg("name"), nb::arg("task"), nb::arg("method"), nb::arg("sense"), nb::arg("trials"))
      .def_ro("name", &StudySpec::name)
      .def_rw("labels", &StudySpec::labels)
      .def_ro("method", &StudySpec::method)
      .def_ro("sense", &StudySpec::sense)
      .def_ro("trials", &StudySpec::trials)
      .def_prop_rw(
          "until", [](const StudySpec& spec) { return spec.until ? spec.until->text() : ""; },
          [](StudySpec& spec, const std::string& text) { spec.until = StopRule::parse(text); })
      .def_prop_ro("candidates", [](const StudySpec& spec) { return spec.task.constraints.shared_candidates(); })
      .def_prop_ro("variables", [](const StudySpec& spec) { return spec.task.space.variables(); });
  using S = SharedStudy;
  module.def("open_study", &open, nb::arg("url"), nb::arg("name").none(), ReleaseGil());
  module.def(
      "make_study",
      [](const std::string& url, const StudySpec& spec) {
        return std::make_unique<S>(Store(url, {.create = true}).open_or_create(spec));
      },
      nb::arg("url"), nb::arg("spec"), ReleaseGil());
  module.def(
      "study_of_file", [](const std::string& path) { return std::make_unique<S>(open_study(load_study_file(path))); },
      nb::arg("path"), ReleaseGil());
  nb::class_<S, SharedSession>(module, "Study")
      .def(
          "tell_point",
          [](S& shared, const Point& x, const Outcome& outcome, bool imported) {
            return shared.current(
                [&](Study& study) { return study.tell(x, outcome, imported ? Origin::imported : Origin::told); });
          },
          nb::arg("levels"), nb::arg("outcome"), nb::arg("imported") = false, ReleaseGil())
      .def(
          "add_past",
          [](S& shared, const std::vector<PastRow>& rows) {
            shared.current([&](Study& study) {
              std::vector<Evaluation> evaluations;
              for (const auto& [x, y, metrics] : rows) evaluations.push_back({x, y, metrics});
              if (!evaluations.empty()) study.add_past(evaluations);
            });
          },
          nb::arg("rows"), ReleaseGil())
      .def(
          "allow",
          [](S& shared, int more) {
            shared.current([&](Study& study) {
              const auto trials = study.history().trials();
              const auto waiting = std::count_if(trials.begin(), trials.end(),
                                                 [](const Trial& trial) { return trial.state == State::waiting; });
              const int missing = study.history().size() - static_cast<int>(waiting) + more - study.mirror().budget();
              if (study.mirror().budget() == 0 || missing <= 0) return;
              StudySpec spec = study.spec();
              spec.trials += missing;
              study.amend(spec);
            });
          },
          nb::arg("more"), ReleaseGil())
      .def(
          "retry",
          [](S& shared, int number) { return shared.current([&](Study& study) { return study.retry(number); }); },
          nb::arg("number"), ReleaseGil())
      .def(
          "pause", [](S& shared, bool paused) { shared.current([&](Study& study) { study.pause(paused); }); },
          nb::arg("paused"), ReleaseGil())
      .def(
          "paused", [](S& shared) { return shared.current([](Study& study) { return study.mirror().paused(); }); },
          ReleaseGil())
      .def(
          "set_budget",
          [](S& shared, int trials) {
            shared.current([&](Study& study) {
              StudySpec spec = study.spec();
              spec.trials = trials;
              study.amend(spec);
            });
          },
          nb::arg("trials"), ReleaseGil())
      .def(
          "report",
          [](S& shared) {
            return shared.current([](Study& study) {
              return report_html(study,
                                 {.explain = true, .threads = hardware_threads(), .command = command_line_name(study)});
            });
          },
          ReleaseGil())
      .def(
          "finished", [](S& shared) { return shared.current([](Study& study) { return study.mirror().finished(); }); },
          ReleaseGil())
      .def(
          "spec", [](S& shared) { return shared.current([](Study& study) { return study.spec(); }); }, ReleaseGil())
      .def(
          "budget", [](S& shared) { return shared.current([](Study& study) { return study.mirror().budget(); }); },
          ReleaseGil())
      .def_prop_ro("url", &S::url);
  module.def(
      "save_study",
      [](const std::string& url, const StudySpec& spec, SharedSession& shared) {
        return shared.with([&](Session& session) {
          return std::make_unique<S>(Store(url, {.create = true}).save(spec, session.history()));
        });
      },
      nb::arg("url"), nb::arg("spec"), nb::arg("session"), ReleaseGil());
  module.def(
      "upgrade_store",
      [](const std::string& url, bool is_backed_up) { return upgrade_store(url, is_backed_up).backup; }, nb::arg("url"),
      nb::arg("is_backed_up") = false, ReleaseGil());
  module.def(
      "delete_study", [](const std::string& url, const std::string& name) { Store(url).remove(name); }, nb::arg("url"),
      nb::arg("name"), ReleaseGil());

  nb::class_<SharedWorker, SharedSession>(module, "Worker")
      .def(nb::init<const std::string&, const std::string&, double>(), nb::arg("url"), nb::arg("study"),
           nb::arg("patience"), ReleaseGil())
      .def("close", &SharedWorker::close, ReleaseGil());
}

}  // namespace bocs::python
