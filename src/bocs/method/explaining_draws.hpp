#pragma once
// The draws an explanation is made of: for those who show more of the posterior than its summary.

#include "bocs/method/explain.hpp"
#include "bocs/poly/basis.hpp"
#include "bocs/regress/regression.hpp"

namespace bocs {

struct ExplainingDraws {
  std::shared_ptr<const Basis> basis;
  std::vector<int> terms;   // the monomials that vary in the data and are not excluded, ascending
  std::vector<Draw> draws;  // in the user's sense
  bool own = false;         // it is the method's; else it stands beside the method
  int trials = 0;           // the data
};

/// Throws InvalidArgument with fewer than two complete trials.
ExplainingDraws explaining_draws(const Method& method, const Task& task, const History& history, Sense sense,
                                 const ExplainOptions& options);
Explanation explain(const ExplainingDraws& posterior);

}  // namespace bocs
