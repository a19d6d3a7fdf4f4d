#include "study_run.hpp"

#include <fmt/core.h>

#include <atomic>
#include <exception>
#include <mutex>

#include "bocs/run/command_process.hpp"
#include "bocs/store/worker.hpp"
#include "progress.hpp"
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

/// What all workers of the process report to; one at a time.
class Reporter {
 public:
  Reporter(const StudyRun& run, const Study& study)
      : run_(run), progress_(study.spec().trials, count(study.history()).finished, run.quiet || run.json) {}

  void trial(const Study& study, const Trial& trial) {
    const std::lock_guard lock(mutex_);
    if (run_.json) print_json(to_json(study, trial));
    const Trial* best = study.best();
    if (run_.verbose) {
      progress_.clear();
      const std::string what =
          trial.state == State::failed ? "failed: " + trial.error : "value " + shown_number(study.shown(trial.y));
      fmt::print(stderr, "trial {}  {}  {:.3g} s  {}\n", trial.number, describe_point(study.task().space, trial.x),
                 trial.seconds, harmless(what));
    }
    const Counts counts = count(study.history());
    std::string standing = best == nullptr ? "" : fmt::format("best {:.6g}", study.value(*best));
    if (counts.failed > 0) standing += fmt::format("{}{} failed", standing.empty() ? "" : "  ", counts.failed);
    progress_.show(counts.finished, standing);
  }

  /// The store is away: worth a line even on a pipe, once per change.
  void trouble(const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (run_.quiet || text == last_trouble_) return;
    last_trouble_ = text;
    progress_.clear();
    fmt::print(stderr, "bocs: {}\n", harmless(text));
  }

  void end() const { progress_.clear(); }

 private:
  const StudyRun& run_;
  Progress progress_;
  std::mutex mutex_;
  std::string last_trouble_;
};

Objective make_objective(const StudyRun& run, const StudySpec& spec) {
  CommandOptions options;
  options.arguments = spec.objective.command;
  options.timeout_seconds = spec.objective.timeout_seconds;
  options.retries = spec.objective.retries;
  options.directory = run.directory;
  options.cancelled = interrupted_twice;
  try {
    Objective objective = command(options, spec.task.space);
    const std::string& program = options.arguments.front();
    if (program.find('{') == std::string::npos && !find_program(program, options.directory)) {
      throw BadData(fmt::format("the program '{}' of the study is not found here, or may not be executed", program));
    }
    return objective;
  } catch (const InvalidArgument& error) {
    throw BadData(error.what());
  }
}

}  // namespace

WorkResult work_on(const StudyRun& run, const Study& study) {
  const Objective objective = make_objective(run, study.spec());
  Reporter reporter(run, study);
  std::atomic<bool> broken = false;  // one worker gave up: the others end, too
  const auto stop = [&broken] { return interrupted() || broken; };
  listen_for_interrupt(true);

  const auto start = std::chrono::steady_clock::now();
  std::vector<WorkResult> results(static_cast<std::size_t>(run.parallel));
  std::vector<std::exception_ptr> errors(results.size());
  const auto work_as = [&](std::size_t i) {
    try {
      WorkerOptions options;
      options.patience_seconds = run.patience_seconds;
      options.stop = stop;
      options.on_trouble = [&reporter](const std::string& text) { reporter.trouble(text); };
      Worker worker(run.url, run.name, options);
      Limits limits;
      limits.seconds = run.seconds;
      limits.stop = stop;
      const auto on_trial = [&](const Trial& trial) {
        ++results[i].trials;
        reporter.trial(worker.study(), trial);
      };
      results[i] = work(worker, objective, limits, on_trial);
    } catch (const Cancelled&) {  // the worker has given back what it held
      results[i].reason = Reason::stopped;
      results[i].seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    } catch (...) {
      errors[i] = std::current_exception();
      broken = true;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < results.size(); ++i) threads.emplace_back(work_as, i);
  work_as(0);
  for (auto& thread : threads) thread.join();
  reporter.end();
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  WorkResult all = results.front();
  for (std::size_t i = 1; i < results.size(); ++i) {
    all.trials += results[i].trials;
    all.failures += results[i].failures;
    all.suggest_seconds += results[i].suggest_seconds;
    all.seconds = std::max(all.seconds, results[i].seconds);
  }
  return all;
}

void print_result(const StudyRun& run, const Study& study, const WorkResult& result) {
  const Counts counts = count(study.history());
  const Trial* best = study.best();
  if (run.json) {
    Json out = {{"study", study.spec().name}, {"store", without_password(run.url)}};
    out["best"] = best == nullptr ? Json(nullptr) : to_json(study, *best);
    out["trials"] = counts.finished;
    out["failures"] = counts.failed;
    out["told"] = result.trials;
    out["seconds"] = result.seconds;
    out["stopped_because"] = to_string(result.reason);
    print_json(out);
    return;
  }
  if (run.quiet) return;
  fmt::print("study        {} in {}\n", harmless(study.spec().name), without_password(run.url));
  if (best != nullptr) {
    fmt::print("best         {}\n", describe_point(study.task().space, best->x));
    print_value(study, *best);
  }
  fmt::print("evaluations  {} of {}, {} failed; {} now, in {}\n", counts.finished, study.spec().trials, counts.failed,
             result.trials, shown_duration(result.seconds));
  for (auto at = study.history().trials().rbegin(); at != study.history().trials().rend(); ++at) {
    if (at->state != State::failed) continue;
    fmt::print("last failure trial {}: {}\n", at->number, harmless(at->error));
    break;
  }
  fmt::print("ended        {}\n", to_string(result.reason));
}

}  // namespace bocs::cli
