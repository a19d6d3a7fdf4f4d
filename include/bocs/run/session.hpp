#pragma once
// What can be asked for points and told their outcomes: an Optimizer in memory, a Study in a store, a Worker on one.

#include "bocs/method/method.hpp"

namespace bocs {

/// What became of a told outcome. `late`: another worker told the trial first, and that result stands.
enum class Told { stands, late };

/// How often a trial's evaluator may die before the trial fails.
inline constexpr int kAttempts = 10;

/// Values are told and shown in the user's sense. Inside trials and proposals smaller is better, always: `value` and
/// `shown` translate. Used by one thread at a time. States of a trial:
///
///   waiting -> running            ask: the lowest waiting number first, else a new trial; attempts + 1
///   running -> complete, failed   tell, in any order
///   running -> waiting            release; attempts - 1 unless the attempt counts
///   complete -> struck            strike
class Session {
 public:
  Session() = default;
  Session(const Session&) = default;
  Session(Session&&) = default;
  Session& operator=(const Session&) = default;
  Session& operator=(Session&&) = default;
  virtual ~Session() = default;

  [[nodiscard]] virtual const Task& task() const = 0;
  [[nodiscard]] virtual Sense sense() const = 0;
  [[nodiscard]] virtual const History& history() const = 0;
  [[nodiscard]] virtual const Method& method() const = 0;

  /// The next trial, now running. Throws SpaceExhausted when nothing new is left; sessions of a store also AllRunning
  /// and BudgetReached.
  virtual Trial ask() = 0;
  /// The same for one trial of a batch, whose point also satisfies these rules: see ask_plate (run/plate.hpp). A trial
  /// that was waiting is handed out as it is.
  virtual Trial ask(const std::vector<Constraint>& rules);
  /// Ends a running trial. A finished or unknown one is refused (InvalidArgument). A value that is not finite is
  /// recorded as a failure.
  virtual Told tell(int number, const Outcome& outcome) = 0;
  /// Records an evaluation that was not asked for, and returns its number. Refuses points that violate a constraint.
  virtual int tell(const Point& x, const Outcome& outcome, Origin origin = Origin::told) = 0;
  /// Gives a running trial back: it waits to be asked for again, with its point. False: it was not running.
  virtual bool release(int number, Attempt attempt = Attempt::not_counted) = 0;
  /// Lets the next ask() hand out this point; returns its number. Refuses points that violate a constraint.
  virtual int enqueue(const Point& x) = 0;
  /// Takes a complete trial out of models and answers, for good: a measurement known to be wrong. The trial is kept,
  /// with the reason, and its point is not proposed again; to measure it again, enqueue it. Refuses others
  /// (InvalidArgument).
  virtual void strike(int number, const std::string& why) = 0;
  /// Reads what other sessions of the same study did; in memory there are none.
  virtual void refresh() {}

  /// The same for numbers given by hand: a value that is not finite, or a metric that the task names and that is not
  /// there, is refused, and the trial stays running.
  void tell(int number, double y, std::map<std::string, double> metrics = {}) {
    tell(number, past_outcome(task(), y, std::move(metrics)));
  }
  int tell(const Point& x, double y, std::map<std::string, double> metrics = {}) {
    return tell(x, past_outcome(task(), y, std::move(metrics)));
  }
  [[nodiscard]] const Trial* best() const { return history().best(task()); }  // nullptr: nothing allowed yet
  [[nodiscard]] std::vector<const Trial*> front() const { return history().front(task()); }
  [[nodiscard]] Recommendation recommend() const { return method().recommend(task(), history()); }
  /// f plus the penalty (minus, when maximizing) of a complete trial, in the user's sense.
  [[nodiscard]] double value(const Trial& trial) const { return shown(total(task(), trial)); }
  /// An inside value, such as Info::predicted, in the user's sense.
  [[nodiscard]] double shown(double inside) const { return oriented(sense(), inside) + 0.0; }  // never -0
};

}  // namespace bocs
