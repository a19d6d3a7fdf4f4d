#include "study_run.hpp"

#include <fmt/core.h>

#include "arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

struct Counts {
  int finished = 0;
  int failed = 0;
};

Counts count(const History& history) {
  Counts counts;
  for (const auto& trial : history.trials()) {
    counts.finished += trial.state == State::complete || trial.state == State::failed ? 1 : 0;
    counts.failed += trial.state == State::failed ? 1 : 0;
  }
  return counts;
}

std::string outcome_of(const Study& study, const Trial& trial) {
  return trial.state == State::failed ? "failed: " + trial.error : "value " + shown_number(study.shown(trial.y));
}

class Reporter : public StudyObserver {
 public:
  Reporter(const RunArguments& arguments, const Study& study)
      : arguments_(arguments),
        progress_(study.budget(), count(study.history()).finished, arguments.quiet || arguments.json) {}

  void on_trial(const Study& study, const Trial& trial) override {
    if (arguments_.json) print_json(trial_json(study, trial));
    if (arguments_.verbose) {
      progress_.clear();
      fmt::print(stderr, "trial {}  {}  {:.3g} s  {}\n", trial.number, describe_point(study.task().space, trial.x),
                 trial.seconds, harmless(outcome_of(study, trial)));
    }
    const Trial* best = study.best();
    const Counts counts = count(study.history());
    std::string standing = best == nullptr ? "" : fmt::format("best {:.6g}", study.value(*best));
    if (counts.failed > 0) standing += fmt::format("{}{} failed", standing.empty() ? "" : "  ", counts.failed);
    progress_.show(counts.finished, standing);
  }

  /// Worth a line even on a pipe, once per change.
  void on_trouble(const std::string& what) override {
    if (arguments_.quiet || what == last_trouble_) return;
    last_trouble_ = what;
    progress_.clear();
    fmt::print(stderr, "bocs: {}\n", harmless(what));
  }

  ~Reporter() override { progress_.clear(); }

 private:
  const RunArguments& arguments_;
  TrialProgress progress_;
  std::string last_trouble_;
};

/// The end of a run for people, or as the last JSON line.
void print_result(const RunArguments& arguments, const Study& study, const WorkResult& result) {
  const Counts counts = count(study.history());
  const Trial* best = study.best();
  if (arguments.json) {
    Json out = {{"study", study.spec().name}, {"store", without_password(study.url())}};
    out["best"] = best == nullptr ? Json(nullptr) : trial_json(study, *best);
    out["trials"] = counts.finished;
    out["failures"] = counts.failed;
    out["told"] = result.trials;
    out["seconds"] = result.seconds;
    out["stopped_because"] = to_string(result.reason);
    print_json(out);
    return;
  }
  if (arguments.quiet) return;
  fmt::print("study        {} in {}\n", harmless(study.spec().name), without_password(study.url()));
  if (best != nullptr) {
    fmt::print("best         {}\n", describe_point(study.task().space, best->x));
    print_value(study, *best);
  }
  fmt::print("evaluations  {} of {}, {} failed; {} now, in {}\n", counts.finished, study.budget(), counts.failed,
             result.trials, shown_duration(result.seconds));
  for (auto at = study.history().trials().rbegin(); at != study.history().trials().rend(); ++at) {
    if (at->state != State::failed) continue;
    fmt::print("last failure trial {}: {}\n", at->number, harmless(at->error));
    break;
  }
  fmt::print("ended        {}\n", to_string(result.reason));
}

}  // namespace

Patience patience_of(const RunArguments& arguments) {
  const auto say = [quiet = arguments.quiet, last = std::make_shared<std::string>()](const std::string& what) {
    if (!quiet && what != *last) fmt::print(stderr, "bocs: {}\n", harmless(what));
    *last = what;
  };
  return {arguments.patience_seconds, interrupted, say};
}

int run_and_show(Study& study, const RunArguments& arguments, const std::string& directory, int workers) {
  const Objective objective = as_data([&] { return command_of(study.spec(), directory, interrupted_twice); });
  listen_for_interrupt(true);
  const WorkResult result = [&] {
    Reporter reporter(arguments, study);
    return run_study(study, objective, {workers, arguments.seconds, arguments.patience_seconds, interrupted}, reporter);
  }();
  patiently(patience_of(arguments), [&] { study.refresh(); });
  print_result(arguments, study, result);
  return interrupted() ? kInterrupted : kOk;
}

}  // namespace bocs::cli
