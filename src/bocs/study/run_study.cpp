#include "bocs/study/run_study.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <system_error>

#include "bocs/run/command.hpp"
#include "bocs/run/command_process.hpp"
#include "bocs/store/patience.hpp"
#include "bocs/study/standing.hpp"

namespace bocs {
namespace {

/// What all workers of a run share: one observer, told by one at a time, and whether they should go on.
class Run {
 public:
  Run(const Study& study, const RunOptions& options, StudyObserver& observer)
      : options_(options),
        observer_(observer),
        watch_(study.history()),
        keep_going_(study.spec().objective.keep_going) {}

  void begin(const Study& study, const Trial& trial) {
    const std::lock_guard lock(mutex_);
    observer_.on_begin(study, trial);
  }
  void trial(const Worker& worker, const Trial& trial) {
    const std::lock_guard lock(mutex_);
    if (worker.was_late(trial.number)) {
      observer_.on_late(worker.study(), trial);
    } else {
      observer_.on_trial(worker.study(), trial);
    }
    if (trial.state != State::failed || keep_going_ || !failing_.empty()) return;
    failing_ = watch_.verdict(worker.history()).value_or("");
    if (!failing_.empty()) ended_ = true;
  }
  void trouble(const std::string& what) {
    const std::lock_guard lock(mutex_);
    observer_.on_trouble(what);
  }
  /// One worker cannot go on: the others end, too.
  void end() { ended_ = true; }
  [[nodiscard]] bool stopped() const { return ended_ || (options_.stop && options_.stop()); }
  [[nodiscard]] const RunOptions& options() const { return options_; }
  [[nodiscard]] std::string failing() {
    const std::lock_guard lock(mutex_);
    return failing_;
  }

 private:
  const RunOptions& options_;
  StudyObserver& observer_;
  FailureWatch watch_;
  bool keep_going_;
  std::atomic<bool> ended_ = false;
  std::mutex mutex_;
  std::string failing_;  // guarded by mutex_
};

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

/// Pauses between attempts of a machine in trouble: 1 s, 2 s, 4 s, ... 30 s, until patience is at an end.
class BackOff {
 public:
  /// Waits, or throws the trouble on. evaluations: how many there were so far; a new one begins a new count.
  void wait(Run& run, int evaluations, const MachineTrouble& trouble) {
    if (evaluations != evaluations_) {
      evaluations_ = evaluations;
      since_ = Clock::now();
      pause_seconds_ = kShortest;
    }
    const double left = run.options().patience_seconds - seconds_since(since_);
    if (left <= 0) throw trouble;
    run.trouble(trouble.what() + std::string("; the trial is given back, and tried again"));
    const double pause = std::min(pause_seconds_, left);
    for (const auto begin = Clock::now(); seconds_since(begin) < pause && !run.stopped();) {
      std::this_thread::sleep_for(std::chrono::duration<double>(std::min(0.1, pause)));
    }
    pause_seconds_ = std::min(2 * pause_seconds_, kLongest);
  }

 private:
  static constexpr double kShortest = 1, kLongest = 30;
  int evaluations_ = -1;
  Clock::time_point since_;
  double pause_seconds_ = kShortest;
};

/// The result of one worker; `trials` and `failures` also count what was told before an exception ended it.
WorkResult work_as(Worker& worker, const Objective& objective, Run& run) {
  const auto start = Clock::now();
  WorkResult told;
  const auto on_trial = [&](const Trial& trial) {
    run.trial(worker, trial);
    if (worker.was_late(trial.number)) return;
    ++told.trials;
    told.failures += trial.state == State::failed ? 1 : 0;
  };
  const Objective announced = [&](const Space& space, const Trial& trial) {
    run.begin(worker.study(), trial);
    return objective(space, trial);
  };
  Limits limits;
  limits.target = run.options().target;
  limits.stop = [&run] { return run.stopped(); };
  BackOff back_off;
  for (;;) {
    try {
      if (run.options().seconds > 0) {  // what is left of them; never 0, which would be no limit
        limits.seconds = std::max(1e-9, run.options().seconds - seconds_since(start));
      }
      const WorkResult result = work(worker, announced, limits, on_trial);
      told.reason = result.reason;
      told.suggest_seconds += result.suggest_seconds;
      break;
    } catch (const Cancelled&) {  // the worker gives back what it holds when it ends
      told.reason = Reason::stopped;
      break;
    } catch (const MachineTrouble& trouble) {
      worker.release_all();
      back_off.wait(run, told.trials, trouble);
    }
  }
  told.seconds = seconds_since(start);
  return told;
}

RunResult sum_of(const std::vector<WorkResult>& results) {
  RunResult all{results.front()};
  for (std::size_t i = 1; i < results.size(); ++i) {
    all.trials += results[i].trials;
    all.failures += results[i].failures;
    all.suggest_seconds += results[i].suggest_seconds;
    all.seconds = std::max(all.seconds, results[i].seconds);
  }
  return all;
}

}  // namespace

void StudyObserver::on_begin(const Study& /*study*/, const Trial& /*trial*/) {}
void StudyObserver::on_trial(const Study& /*study*/, const Trial& /*trial*/) {}
void StudyObserver::on_late(const Study& /*study*/, const Trial& /*trial*/) {}
void StudyObserver::on_trouble(const std::string& /*what*/) {}

RunResult run_study(Study& study, const Objective& objective, const RunOptions& options, StudyObserver& observer) {
  require(options.workers >= 1, "a study is run by at least one worker");
  Run shared(study, options, observer);
  const auto stop = [&shared] { return shared.stopped(); };
  WorkerOptions worker_options;
  worker_options.patience_seconds = options.patience_seconds;
  worker_options.stop = stop;
  worker_options.on_trouble = [&shared](const std::string& what) { shared.trouble(what); };

  std::vector<WorkResult> results(options.workers);
  std::vector<std::exception_ptr> errors(options.workers);
  const auto run = [&](int i, Study& session) {
    try {
      Worker worker(session, worker_options);
      results[i] = work_as(worker, objective, shared);
    } catch (...) {
      errors[i] = std::current_exception();
      shared.end();
    }
  };
  const auto open_session = study.session_opener();
  const auto run_in_thread = [&](int i) {
    try {
      Study session = patiently({options.patience_seconds, stop, worker_options.on_trouble}, open_session);
      run(i, session);
    } catch (...) {
      errors[i] = std::current_exception();
      shared.end();
    }
  };
  {
    std::vector<std::jthread> threads;  // joined at the end of the block, whatever happens
    try {
      for (int i = 1; i < options.workers; ++i) threads.emplace_back(run_in_thread, i);
    } catch (const std::system_error& error) {
      shared.end();
      throw Error("only " + std::to_string(threads.size() + 1) + " of " + std::to_string(options.workers) +
                  " workers can be started here: " + error.what());
    }
    run(0, study);
  }
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  RunResult result = sum_of(results);
  result.failing = shared.failing();
  if (!result.failing.empty()) result.reason = Reason::failures;
  return result;
}

Objective command_of(const StudySpec& spec, const std::string& directory, std::function<bool()> cancelled,
                     decltype(CommandOptions::on_run) on_run) {
  require(!spec.objective.command.empty(),
          [&] { return "the study '" + spec.name + "' has no command; its trials are for ask and tell"; });
  CommandOptions options;
  options.arguments = spec.objective.command;
  options.timeout_seconds = spec.objective.timeout_seconds;
  options.retries = spec.objective.retries;
  options.keep_alive = spec.objective.keep_alive;
  options.directory = directory;
  options.cancelled = std::move(cancelled);
  options.on_run = std::move(on_run);
  const std::string program = options.arguments.front();
  Objective objective = command(std::move(options), spec.task.space);
  require(program.find('{') != std::string::npos || find_program(program, directory).has_value(),
          [&] { return "the program '" + program + "' of the study is not found here, or may not be executed"; });
  return objective;
}

}  // namespace bocs
