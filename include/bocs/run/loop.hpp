#pragma once
// The rules of every run, on threads, processes or machines: what to begin, when to stop, what becomes of an evaluation
// that failed, came to nothing or took its evaluator with it. work(), run_study() and the Python package drive it.

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bocs/method/remaining.hpp"
#include "bocs/run/session.hpp"

namespace bocs {

class FailureWatch;

/// At least one of the first five must be set.
struct Limits {
  int trials = 0;                      // begin at most so many evaluations; 0: no limit
  double seconds = 0;                  // begin none after so many seconds; 0: no limit
  std::optional<double> target = {};   // stop at a value as good as this: penalty included, in the user's sense
  int failures = 0;                    // stop after so many failed trials of this run; 0: no limit
  std::function<bool()> stop = {};     // asked before each batch; true: stop
  std::optional<StopRule> until = {};  // stop when hardly anything is left to gain; judged after every trial
  int batch = 1;                       // trials asked before any is told; the results depend on it
  int threads = 1;                     // compute proposals, evaluate a batch; the results do not depend on it
  bool keep_going = false;             // even if evaluations do nothing but fail (see FailureWatch)
  int attempts = kAttempts;            // how often an evaluator may die over one trial before the trial fails

  void check() const;  // throws InvalidArgument for negative limits, or none at all
};

enum class Reason { trials, seconds, target, failures, stopped, exhausted, gave_up, converged };
std::string to_string(Reason reason);  // "the whole space has been evaluated"

struct WorkResult {
  Reason reason = Reason::trials;
  int trials = 0;              // told in this run
  int failures = 0;            // of these
  double seconds = 0;          // since the run began
  double suggest_seconds = 0;  // spent in ask(), by all threads together
  std::string failing = {};    // reason `failures`: why it is not worth going on, in words; empty: `limits.failures`
};

/// One run. It starts no thread and evaluates nothing: a driver calls next(), evaluates what that hands out, by any
/// means and in any order, and reports each of those trials exactly once. Any number of threads may share a loop, each
/// with a session of its own, or taking turns with one.
class Loop {
 public:
  /// Throws InvalidArgument: see Limits::check.
  explicit Loop(Limits limits);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  struct Next {
    std::vector<Trial> begin;  // evaluate these; fewer than asked for: call again when one of them has ended
    double wait_seconds = 0;   // nothing to begin: ask again after so many seconds, or when an evaluation has ended
    std::optional<Reason> ended = {};  // the run is over, but for evaluations that are under way
  };
  /// Up to `slots` trials to begin now. StoreError passes; trials that were handed out before it are not lost, for the
  /// session still holds them.
  Next next(Session& session, int slots);

  /// The outcome of an evaluation. Returns the trial as it stands; `*told`: whether this outcome decided it.
  Trial finished(Session& session, int number, const Outcome& outcome, Told* told = nullptr);
  /// An evaluation that came to no outcome: the trial waits again, and nothing is counted.
  void no_outcome(Session& session, int number);
  /// The process that evaluated the trial ended in the middle of it. The trial waits again; after too many such
  /// attempts it fails, with `how` as the reason: then it is returned.
  std::optional<Trial> evaluator_died(Session& session, int number, const std::string& how);

  /// Gives back what this session was handed and has not reported: for the way out after an exception.
  void abandon(Session& session) noexcept;
  /// The numbers of those trials.
  [[nodiscard]] std::vector<int> open(const Session& session) const;

  /// Nothing more is begun. The first reason counts.
  void stop(Reason reason);
  [[nodiscard]] WorkResult result() const;

 private:
  [[nodiscard]] std::optional<Reason> limit_reached(const Session& session);
  [[nodiscard]] bool has_converged(const Session& session);
  void judge(const Session& session, const Trial& told);
  void close(const Session& session, int number, bool counts);
  [[nodiscard]] double seconds() const;

  const Limits limits_;
  const std::chrono::steady_clock::time_point start_;
  mutable std::mutex mutex_;  // guards all below; never held while a session is called
  std::unique_ptr<FailureWatch> watch_;
  std::optional<Reason> ended_;
  int begun_ = 0;                                  // handed out and not given back, and those being asked for
  std::size_t judged_ = 0;                         // complete trials when `until` was last judged
  double pause_seconds_;                           // of the next wait
  std::set<std::pair<const Session*, int>> open_;  // handed out and not reported
  WorkResult result_;
};

}  // namespace bocs
