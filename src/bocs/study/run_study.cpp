#include "bocs/study/run_study.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <system_error>
#include <thread>

#include "bocs/base/clock.hpp"
#include "bocs/store/patience.hpp"
#include "bocs/study/command.hpp"
#include "bocs/study/command_process.hpp"

namespace bocs {
namespace {

/// What all workers of a run share: one loop, and one observer, told by one worker at a time.
class Run {
 public:
  Run(Loop& loop, const RunOptions& options, StudyObserver& observer)
      : loop_(loop), options_(options), observer_(observer) {}

  void begin(const Study& study, const Trial& trial) {
    const std::lock_guard lock(mutex_);
    observer_.on_begin(study, trial);
  }
  void trial(const Study& study, const Trial& trial, Told told) {
    const std::lock_guard lock(mutex_);
    ++told_;
    if (told == Told::late) return observer_.on_late(study, trial);
    observer_.on_trial(study, trial);
  }
  void trouble(const std::string& what) {
    const std::lock_guard lock(mutex_);
    observer_.on_trouble(what);
  }
  /// One worker cannot go on, or must not: the others end, too.
  void end() {
    ended_ = true;
    loop_.stop(Reason::stopped);
  }
  [[nodiscard]] bool stopped() const { return ended_ || (options_.stop && options_.stop()); }
  [[nodiscard]] Loop& loop() { return loop_; }
  [[nodiscard]] const RunOptions& options() const { return options_; }
  [[nodiscard]] int told() const { return told_; }

 private:
  Loop& loop_;
  const RunOptions& options_;
  StudyObserver& observer_;
  std::atomic<bool> ended_ = false;
  std::atomic<int> told_ = 0;  // evaluations with an outcome, of all workers
  std::mutex mutex_;           // of the observer
};

using Clock = std::chrono::steady_clock;
/// Pauses between attempts of a machine in trouble: 1 s, 2 s, 4 s, ... 30 s, until patience is at an end.
class BackOff {
 public:
  /// Waits, or throws the trouble on. An evaluation with an outcome, of any worker, begins a new count.
  void wait(Run& run, const MachineTrouble& trouble) {
    if (run.told() != told_) {
      told_ = run.told();
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
  int told_ = -1;
  Clock::time_point since_;
  double pause_seconds_ = kShortest;
};

/// One worker, until the loop ends.
void work_as(Worker& worker, const Objective& objective, Run& run) {
  const Objective announced = [&](const Space& space, const Trial& trial) {
    run.begin(worker.study(), trial);
    return objective(space, trial);
  };
  BackOff back_off;
  for (;;) {
    try {
      return work(run.loop(), worker, announced, 1, 1,
                  [&](const Trial& trial, Told told) { run.trial(worker.study(), trial, told); });
    } catch (const Cancelled&) {
      return run.end();
    } catch (const MachineTrouble& trouble) {
      back_off.wait(run, trouble);
    }
  }
}

}  // namespace

void StudyObserver::on_begin(const Study& /*study*/, const Trial& /*trial*/) {}
void StudyObserver::on_trial(const Study& /*study*/, const Trial& /*trial*/) {}
void StudyObserver::on_late(const Study& /*study*/, const Trial& /*trial*/) {}
void StudyObserver::on_trouble(const std::string& /*what*/) {}

namespace {

/// No more than there are trials left to evaluate.
int useful_workers(const Study& study, int wanted) {
  if (study.mirror().budget() == 0) return wanted;
  const auto trials = study.history().trials();
  const auto finished = std::count_if(trials.begin(), trials.end(), is_finished);
  return std::clamp(study.mirror().budget() - static_cast<int>(finished), 1, wanted);
}

}  // namespace

WorkResult run_study(Study& study, const Objective& objective, const RunOptions& options, StudyObserver& observer) {
  require(options.workers >= 1, "a study is run by at least one worker");
  const int workers = useful_workers(study, options.workers);
  Limits limits;
  limits.seconds = options.seconds;
  limits.target = options.target;
  limits.until = study.spec().until;
  limits.stop = options.stop ? options.stop : [] { return false; };
  limits.keep_going = study.spec().objective.keep_going;
  limits.attempts = study.spec().attempts;
  Loop loop(limits);
  Run shared(loop, options, observer);
  const auto stop = [&shared] { return shared.stopped(); };
  WorkerOptions worker_options;
  worker_options.patience_seconds = options.patience_seconds;
  worker_options.stop = stop;
  worker_options.on_trouble = [&shared](const std::string& what) { shared.trouble(what); };

  std::vector<std::exception_ptr> errors(workers);
  const auto run = [&](int i, const auto& open_session) {
    bool is_open = false;
    try {
      auto&& session = open_session();
      is_open = true;
      Worker worker(session, worker_options);
      work_as(worker, objective, shared);
    } catch (...) {
      if (!is_open && shared.stopped()) return;  // the run ended while this worker was connecting: it holds nothing
      errors[i] = std::current_exception();
      shared.end();
    }
  };
  const auto own_session = [&]() -> Study& { return study; };
  const auto new_session = [&, open = study.session_opener(stop)] {
    return retry_while_unavailable({options.patience_seconds, stop, worker_options.on_trouble}, open);
  };
  {
    std::vector<std::jthread> threads;  // joined at the end of the block, whatever happens
    try {
      for (int i = 1; i < workers; ++i) threads.emplace_back([&, i] { run(i, new_session); });
    } catch (const std::system_error& error) {
      shared.end();
      throw Error("only " + std::to_string(threads.size() + 1) + " of " + std::to_string(workers) +
                  " workers can be started here: " + error.what());
    }
    run(0, own_session);
  }
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  return loop.result();
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
  options.metrics_alone = !spec.task.goals.empty();
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
