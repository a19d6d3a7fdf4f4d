#pragma once
// Oblivious local search ([BP18] Sec. 4, OLS): evaluates every point that differs in one variable (in two, where the
// constraints do not allow one alone) and moves to the best of them.

#include <variant>

#include "bocs/method/options.hpp"
#include "bocs/method/replay.hpp"

namespace bocs {

/// The paper's stops at its first local optimum; this one starts again at another random point. Integer variables with
/// many values move by 1, 2, 4, ... and to the ends of their range.
class LocalSearch : public Method {
 public:
  [[nodiscard]] Proposal propose(const Task& task, const History& history, int number) const override;
  [[nodiscard]] bool has_fronts() const override { return false; }

 private:
  /// Steepest descent from the `restart`-th start over the known values; ends in a local optimum.
  class Descent {
   public:
    Descent(std::monostate, const Task& task, int restart) : x_(random_start(task, restart)) {}
    std::optional<Point> run(const Task& task, const KnownValues& known);  // see Replay

   private:
    Point x_;
  };

  std::unique_ptr<Replay<Descent>> descents_ = std::make_unique<Replay<Descent>>();
};

}  // namespace bocs
