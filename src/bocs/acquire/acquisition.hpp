#pragma once
// The interface of the acquisitions: a model and the context of the proposal in, the next point out.

#include "bocs/model/model.hpp"
#include "bocs/trial/trial.hpp"

namespace bocs {

/// What is asked: a point for trial `number`. Keeps references.
struct ProposalContext {
  const Task& task;
  const History& history;  // at least one complete trial
  int number = 0;
  bool repeats = false;  // points that have been seen may be proposed again
  bool noise = false;    // measurements are random
};

class Acquisition {
 public:
  virtual ~Acquisition() = default;
  /// Depends on nothing but its argument. Throws SpaceExhausted when nothing new is left.
  [[nodiscard]] virtual Proposal choose(const ProposalContext& now) const = 0;
  /// What it judges points by.
  [[nodiscard]] virtual const Model& model() const = 0;
};

}  // namespace bocs
