#pragma once
// Oblivious local search ([BP18] Sec. 4, OLS): evaluates every point that differs in one variable (in two, where the
// constraints do not allow one alone) and moves to the best of them.

#include "bocs/method/method.hpp"

namespace bocs {

/// The paper's stops at its first local optimum; this one starts again at another random point. Integer variables with
/// many values move by 1, 2, 4, ... and to the ends of their range.
class LocalSearch : public Method {
 public:
  [[nodiscard]] Proposal propose(const Task& task, const History& history, int number) const override;
};

}  // namespace bocs
