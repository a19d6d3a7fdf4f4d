#pragma once
// A task, a method and a history in memory: ask for points, tell what came of them.

#include "bocs/method/method.hpp"

namespace bocs {

/// Values are told and shown in the user's sense. Inside trials and proposals smaller is better, always: `value` and
/// `shown` translate.
class Optimizer {
 public:
  /// With a history (of an earlier Optimizer's `history()`), continues as if it had never been interrupted.
  /// Throws InvalidArgument: bad spec or penalty, points outside the space or against the constraints.
  Optimizer(Task task, std::string_view method, Sense sense = Sense::minimize, History history = {});

  /// The next trial, now running. Any number may run at once. Throws SpaceExhausted when nothing new is left.
  Trial ask();
  /// Ends a running trial, in any order. Refused (InvalidArgument) when the trial is unknown or finished. An outcome
  /// whose value is not finite is recorded as a failure.
  void tell(int number, const Outcome& outcome);
  /// The same for a value given by hand: one that is not finite is refused, and the trial stays running.
  void tell(int number, double y);
  /// Records an evaluation that was not proposed, and returns its number. Refuses points that violate a constraint.
  int add(const Point& x, double y);

  [[nodiscard]] const Task& task() const { return task_; }
  [[nodiscard]] Sense sense() const { return sense_; }
  [[nodiscard]] const History& history() const { return history_; }
  [[nodiscard]] const Trial* best() const { return history_.best(task_); }  // nullptr: nothing complete yet
  [[nodiscard]] Recommendation recommend() const { return method_->recommend(task_, history_); }

  /// f plus the penalty (minus, when maximizing) of a complete trial, in the user's sense.
  [[nodiscard]] double value(const Trial& trial) const { return shown(total(task_, trial)); }
  /// An inside value, such as Info::predicted, in the user's sense.
  [[nodiscard]] double shown(double inside) const { return oriented(sense_, inside) + 0.0; }  // never -0

 private:
  [[nodiscard]] int next_number() const;
  void check_point(const Point& x) const;  // of the space, and satisfying the constraints

  Task task_;
  Sense sense_;
  std::unique_ptr<Method> method_;
  History history_;
};

}  // namespace bocs
