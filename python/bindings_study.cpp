// Studies in a store, and workers on them.

#include <mutex>

#include "bindings.hpp"
#include "bocs/core/parallel.hpp"
#include "bocs/report/report.hpp"
#include "bocs/store/worker.hpp"
#include "bocs/study/open_study.hpp"

namespace bocs::python {
namespace {

TrialView seen(const Study& study, const Trial& trial) { return view(study.task(), study.sense(), trial); }

TrialView find(const Study& study, int number) {
  const Trial* found = study.history().find(number);
  require(found != nullptr, [&] { return "there is no trial " + std::to_string(number); });
  return seen(study, *found);
}

std::optional<TrialView> best(const Study& study) {
  return study.best() == nullptr ? std::nullopt : std::optional(seen(study, *study.best()));
}

/// A Study that any number of Python threads may use: one at a time.
class SharedStudy {
 public:
  explicit SharedStudy(Study study) : study_(std::move(study)) {}

  TrialView ask() {
    const std::lock_guard lock(mutex_);
    return seen(study_, study_.ask());
  }
  void tell(int number, const Outcome& outcome) {
    const std::lock_guard lock(mutex_);
    study_.tell(number, outcome);
  }
  int add(const Point& x, double value) {
    const std::lock_guard lock(mutex_);
    return study_.add(x, value);
  }
  int enqueue(const Point& x) {
    const std::lock_guard lock(mutex_);
    return study_.enqueue(x);
  }
  bool release(int number) {
    const std::lock_guard lock(mutex_);
    return study_.release(number);
  }
  TrialView trial(int number) {
    const std::lock_guard lock(mutex_);
    study_.refresh();
    return find(study_, number);
  }
  std::vector<TrialView> trials() {
    const std::lock_guard lock(mutex_);
    study_.refresh();
    return view(study_.task(), study_.sense(), study_.history());
  }
  int size() {
    const std::lock_guard lock(mutex_);
    study_.refresh();
    return study_.history().size();
  }
  std::optional<TrialView> best() {
    const std::lock_guard lock(mutex_);
    study_.refresh();
    return python::best(study_);
  }
  std::pair<Point, double> recommend() {
    const std::lock_guard lock(mutex_);
    study_.refresh();
    const Recommendation answer = study_.recommend();
    return {answer.x, study_.shown(answer.value)};
  }
  std::vector<Effect> explain(int order, int draws) {
    const std::lock_guard lock(mutex_);
    study_.refresh();
    return python::explain(study_.task(), study_.history(), study_.sense(), study_.spec().method, order, draws);
  }
  std::string report() {
    const std::lock_guard lock(mutex_);
    return report_html(study_, {.explain = true, .threads = hardware_threads(), .command = command_line_name()});
  }
  bool finished() {
    const std::lock_guard lock(mutex_);
    study_.refresh();
    return study_.finished();
  }
  StudySpec spec() {
    const std::lock_guard lock(mutex_);
    study_.refresh();
    return study_.spec();
  }
  int budget() {
    const std::lock_guard lock(mutex_);
    study_.refresh();
    return study_.budget();
  }
  [[nodiscard]] const std::string& url() const { return study_.url(); }

 private:
  /// As `bocs` takes it.
  [[nodiscard]] std::string command_line_name() const {
    return "--store " + without_password(study_.url()) + " --study " + study_.spec().name;
  }

  std::mutex mutex_;
  Study study_;
};

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

/// Asked while a store is away; Ctrl-C then ends the wait as a KeyboardInterrupt.
bool check_signals() {
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  return false;
}

/// A Worker of one thread. close() gives back what it holds.
class PythonWorker {
 public:
  PythonWorker(const std::string& url, const std::string& study, double patience) {
    WorkerOptions options;
    options.patience_seconds = patience;
    options.stop = check_signals;
    worker_ = std::make_unique<Worker>(url, study, options);
  }
  TrialView ask() { return seen(worker_->study(), worker_->ask()); }
  void tell(int number, const Outcome& outcome) { worker_->tell(number, outcome); }
  [[nodiscard]] TrialView trial(int number) const { return find(worker_->study(), number); }
  [[nodiscard]] int size() const { return worker_->history().size(); }
  [[nodiscard]] std::optional<TrialView> best() const { return python::best(worker_->study()); }
  void close() { worker_.reset(); }

 private:
  std::unique_ptr<Worker> worker_;
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
      .def_ro("method", &StudySpec::method)
      .def_ro("sense", &StudySpec::sense)
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
  nb::class_<S>(module, "Study")
      .def("ask", &S::ask, ReleaseGil())
      .def("tell", &S::tell, nb::arg("number"), nb::arg("outcome"), ReleaseGil())
      .def("add", &S::add, nb::arg("levels"), nb::arg("value"), ReleaseGil())
      .def("enqueue", &S::enqueue, nb::arg("levels"), ReleaseGil())
      .def("release", &S::release, nb::arg("number"), ReleaseGil())
      .def("trial", &S::trial, nb::arg("number"), ReleaseGil())
      .def("trials", &S::trials, ReleaseGil())
      .def("size", &S::size, ReleaseGil())
      .def("best", &S::best, ReleaseGil())
      .def("recommend", &S::recommend, ReleaseGil())
      .def("explain", &S::explain, nb::arg("order"), nb::arg("draws"), ReleaseGil())
      .def("report", &S::report, ReleaseGil())
      .def("finished", &S::finished, ReleaseGil())
      .def("spec", &S::spec, ReleaseGil())
      .def("budget", &S::budget, ReleaseGil())
      .def_prop_ro("url", &S::url);

  nb::class_<PythonWorker>(module, "Worker")
      .def(nb::init<const std::string&, const std::string&, double>(), nb::arg("url"), nb::arg("study"),
           nb::arg("patience"), ReleaseGil())
      .def("ask", &PythonWorker::ask, ReleaseGil())
      .def("tell", &PythonWorker::tell, nb::arg("number"), nb::arg("outcome"), ReleaseGil())
      .def("trial", &PythonWorker::trial, nb::arg("number"))
      .def("size", &PythonWorker::size)
      .def("best", &PythonWorker::best)
      .def("close", &PythonWorker::close, ReleaseGil());
}

}  // namespace bocs::python
