#pragma once
// A task, a method and a history in memory: ask for points, tell what came of them.

#include "bocs/run/session.hpp"

namespace bocs {

class Optimizer : public Session {
 public:
  /// With a history (of an earlier Optimizer's `history()`), continues as if it had never been interrupted.
  /// Throws InvalidArgument: bad spec or penalty, points outside the space or against the constraints.
  Optimizer(Task task, std::string_view method, Sense sense = Sense::minimize, History history = {});
  /// With any method: one of your own, or one that several optimizers share.
  Optimizer(Task task, std::shared_ptr<const Method> method, Sense sense = Sense::minimize, History history = {});

  Trial ask() override { return ask(std::vector<Constraint>()); }
  Trial ask(const std::vector<Constraint>& rules) override;
  using Session::tell;
  Told tell(int number, const Outcome& outcome) override;
  int tell(const Point& x, const Outcome& outcome, Origin origin = Origin::told) override;
  int enqueue(const Point& x) override;
  void strike(int number, const std::string& why) override { history_.strike(number, why); }
  bool release(int number, Attempt attempt = Attempt::not_counted) override;

  [[nodiscard]] const Task& task() const override { return task_; }
  [[nodiscard]] Sense sense() const override { return sense_; }
  [[nodiscard]] const History& history() const override { return history_; }
  [[nodiscard]] const Method& method() const override { return *method_; }

 private:
  [[nodiscard]] int next_number() const;
  void check_point(const Point& x) const;  // of the space, and satisfying the constraints
  int add(const Point& x, State state, Origin origin);

  Task task_;
  Sense sense_;
  std::shared_ptr<const Method> method_;
  History history_;
};

}  // namespace bocs
