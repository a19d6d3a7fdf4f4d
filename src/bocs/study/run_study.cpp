#include "bocs/study/run_study.hpp"

#include <algorithm>
#include <system_error>

#include "bocs/run/command.hpp"
#include "bocs/run/command_process.hpp"
#include "bocs/store/patience.hpp"

namespace bocs {
namespace {

/// One observer for all workers: one at a time.
class Reporter {
 public:
  explicit Reporter(StudyObserver& observer) : observer_(observer) {}

  void trial(const Worker& worker, const Trial& trial) {
    const std::lock_guard lock(mutex_);
    if (worker.was_late(trial.number)) {
      observer_.on_late(worker.study(), trial);
    } else {
      observer_.on_trial(worker.study(), trial);
    }
  }
  void trouble(const std::string& what) {
    const std::lock_guard lock(mutex_);
    observer_.on_trouble(what);
  }

 private:
  StudyObserver& observer_;
  std::mutex mutex_;
};

/// The result of one worker; `told` counts also what was told before an exception ended it.
WorkResult work_as(Worker& worker, const Objective& objective, const Limits& limits, Reporter& reporter) {
  const auto start = std::chrono::steady_clock::now();
  WorkResult told;
  const auto on_trial = [&](const Trial& trial) {
    reporter.trial(worker, trial);
    if (worker.was_late(trial.number)) return;
    ++told.trials;
    told.failures += trial.state == State::failed ? 1 : 0;
  };
  WorkResult result;
  try {
    result = work(worker, objective, limits, on_trial);
  } catch (const Cancelled&) {  // the worker gives back what it holds when it ends
    result.reason = Reason::stopped;
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  result.trials = told.trials;
  result.failures = told.failures;
  return result;
}

WorkResult sum_of(const std::vector<WorkResult>& results) {
  WorkResult all = results.front();
  for (std::size_t i = 1; i < results.size(); ++i) {
    all.trials += results[i].trials;
    all.failures += results[i].failures;
    all.suggest_seconds += results[i].suggest_seconds;
    all.seconds = std::max(all.seconds, results[i].seconds);
  }
  return all;
}

}  // namespace

void StudyObserver::on_trial(const Study& /*study*/, const Trial& /*trial*/) {}
void StudyObserver::on_late(const Study& /*study*/, const Trial& /*trial*/) {}
void StudyObserver::on_trouble(const std::string& /*what*/) {}

WorkResult run_study(Study& study, const Objective& objective, const RunOptions& options, StudyObserver& observer) {
  require(options.workers >= 1, "a study is run by at least one worker");
  Reporter reporter(observer);
  std::atomic<bool> broken = false;  // one worker gave up: the others end, too
  const auto stop = [&] { return broken || (options.stop && options.stop()); };
  WorkerOptions worker_options;
  worker_options.patience_seconds = options.patience_seconds;
  worker_options.stop = stop;
  worker_options.on_trouble = [&reporter](const std::string& what) { reporter.trouble(what); };
  Limits limits;
  limits.seconds = options.seconds;
  limits.stop = stop;

  std::vector<WorkResult> results(options.workers);
  std::vector<std::exception_ptr> errors(options.workers);
  const auto run = [&](int i, Study& session) {
    try {
      Worker worker(session, worker_options);
      results[i] = work_as(worker, objective, limits, reporter);
    } catch (...) {
      errors[i] = std::current_exception();
      broken = true;
    }
  };
  const auto open_session = study.session_opener();
  const auto run_in_thread = [&](int i) {
    try {
      Study session = patiently({options.patience_seconds, stop, worker_options.on_trouble}, open_session);
      run(i, session);
    } catch (...) {
      errors[i] = std::current_exception();
      broken = true;
    }
  };
  {
    std::vector<std::jthread> threads;  // joined at the end of the block, whatever happens
    try {
      for (int i = 1; i < options.workers; ++i) threads.emplace_back(run_in_thread, i);
    } catch (const std::system_error& error) {
      broken = true;
      throw Error("only " + std::to_string(threads.size() + 1) + " of " + std::to_string(options.workers) +
                  " workers can be started here: " + error.what());
    }
    run(0, study);
  }
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  return sum_of(results);
}

Objective command_of(const StudySpec& spec, const std::string& directory, std::function<bool()> cancelled) {
  require(!spec.objective.command.empty(),
          [&] { return "the study '" + spec.name + "' has no command; its trials are for ask and tell"; });
  CommandOptions options;
  options.arguments = spec.objective.command;
  options.timeout_seconds = spec.objective.timeout_seconds;
  options.retries = spec.objective.retries;
  options.directory = directory;
  options.cancelled = std::move(cancelled);
  const std::string program = options.arguments.front();
  Objective objective = command(std::move(options), spec.task.space);
  require(program.find('{') != std::string::npos || find_program(program, directory).has_value(),
          [&] { return "the program '" + program + "' of the study is not found here, or may not be executed"; });
  return objective;
}

}  // namespace bocs
