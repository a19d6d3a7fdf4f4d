#pragma once
// The one loop: ask, evaluate, tell, until a limit is reached. The library, the command line, workers and experiments
// all run it.

#include <atomic>
#include <chrono>
#include <concepts>
#include <exception>
#include <optional>
#include <thread>

#include "bocs/core/error.hpp"
#include "bocs/core/parallel.hpp"
#include "bocs/run/objective.hpp"

namespace bocs {

/// At least one of the first five must be set.
struct Limits {
  int trials = 0;      // stop at so many trials in the history, initial and failed ones included; 0: no limit
  double seconds = 0;  // begin no batch after so many seconds; 0: no limit
  std::optional<double> target = {};  // stop at a value as good as this: penalty included, in the user's sense
  int failures = 0;                   // stop after so many failed trials of this call; 0: no limit
  std::function<bool()> stop = {};    // asked before each batch; true: stop
  int batch = 1;                      // trials asked before any is told; the results depend on it
  int threads = 1;                    // compute proposals, evaluate a batch; the results do not depend on it

  void check() const;  // throws InvalidArgument for negative limits, or none at all
};

enum class Reason { trials, seconds, target, failures, stopped, exhausted };
std::string to_string(Reason reason);  // "the whole space has been evaluated"

struct WorkResult {
  Reason reason = Reason::trials;
  int trials = 0;              // told in this call
  int failures = 0;            // of these
  double seconds = 0;          // of the whole call
  double suggest_seconds = 0;  // of them, spent in ask()
};

/// Between two questions to a session all of whose trials are running elsewhere.
inline constexpr double kShortestPause = 0.05, kLongestPause = 1;

/// What can be asked for points and told their outcomes: an Optimizer, a Study, a Worker.
template <class S>
concept Session = requires(S& session, int number, const Outcome& outcome) {
  { session.task() } -> std::convertible_to<const Task&>;
  { session.sense() } -> std::convertible_to<Sense>;
  { session.history() } -> std::convertible_to<const History&>;
  { session.ask() } -> std::convertible_to<Trial>;
  session.tell(number, outcome);
};

/// A session of a store has a budget of its own, and other workers: the call ends when the budget is reached, and waits
/// while there is nothing to do for it but there may be, should another worker die. Batches are synchronous: all asked,
/// then evaluated on any number of threads, then told in order of number. on_trial sees every finished trial. When an
/// evaluation throws NoOutcome, no other is begun, those that end with an outcome are told, and the exception passes.
template <Session S>
WorkResult work(S& session, const Objective& objective, const Limits& limits,
                const std::function<void(const Trial&)>& on_trial = {}) {
  limits.check();
  using Clock = std::chrono::steady_clock;
  const auto seconds_since = [](Clock::time_point t) {
    return std::chrono::duration<double>(Clock::now() - t).count();
  };
  const auto start = Clock::now();
  WorkResult result;

  const auto limit_reached = [&]() -> std::optional<Reason> {
    const History& history = session.history();
    if (limits.target) {
      const Trial* best = history.best(session.task());
      if (best && total(session.task(), *best) <= oriented(session.sense(), *limits.target)) return Reason::target;
    }
    if (limits.trials > 0 && history.size() >= limits.trials) return Reason::trials;
    if (limits.failures > 0 && result.failures >= limits.failures) return Reason::failures;
    if (limits.seconds > 0 && seconds_since(start) >= limits.seconds) return Reason::seconds;
    if (limits.stop && limits.stop()) return Reason::stopped;
    return std::nullopt;
  };

  double pause_seconds = kShortestPause;
  for (;;) {
    if (const auto reason = limit_reached()) {
      result.reason = *reason;
      break;
    }
    int size = limits.batch;
    if (limits.trials > 0) size = std::min(size, limits.trials - session.history().size());
    std::vector<Trial> batch;
    bool wait = false;
    result.reason = Reason::exhausted;
    const auto asked = Clock::now();
    try {
      const UseThreads threads(limits.threads);
      for (int i = 0; i < size; ++i) batch.push_back(session.ask());
    } catch (const SpaceExhausted&) {  // what was asked before is still evaluated
    } catch (const BudgetReached&) {
      result.reason = Reason::trials;
    } catch (const AllRunning&) {
      wait = true;
    }
    result.suggest_seconds += seconds_since(asked);
    if (batch.empty()) {
      if (!wait) break;
      std::this_thread::sleep_for(std::chrono::duration<double>(pause_seconds));
      pause_seconds = std::min(2 * pause_seconds, kLongestPause);
      continue;
    }
    pause_seconds = kShortestPause;
    std::vector<std::optional<Outcome>> outcomes(batch.size());
    std::atomic<bool> cancelled = false;
    std::exception_ptr cancellation;
    try {
      parallel_for(static_cast<int>(batch.size()), limits.threads, [&](int i) {
        if (cancelled) return;
        try {
          outcomes[i] = evaluate(objective, session.task().space, batch[i]);
        } catch (const NoOutcome&) {
          cancelled = true;
          throw;
        }
      });
    } catch (const NoOutcome&) {
      cancellation = std::current_exception();
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (!outcomes[i]) continue;
      session.tell(batch[i].number, *outcomes[i]);
      const Trial told = *session.history().find(batch[i].number);
      result.trials += 1;
      result.failures += told.state == State::failed ? 1 : 0;
      if (on_trial) on_trial(told);
    }
    if (cancellation) std::rethrow_exception(cancellation);
  }
  result.seconds = seconds_since(start);
  return result;
}

}  // namespace bocs
