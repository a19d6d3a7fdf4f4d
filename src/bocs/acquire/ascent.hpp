#pragma once
// The search for the point of largest score under any model; with the score of expected improvement it is EI (Jones,
// Schonlau and Welch 1998; [BP18] Sec. 4, EI).

#include "bocs/acquire/acquisition.hpp"
#include "bocs/acquire/score.hpp"

namespace bocs {

/// The score is that of f + penalty: the model is of f alone, the penalty is known. Trials under way
/// enter the model with the values that are expected of them, and the best value is the smaller of the best one and the
/// best expected one, so that a batch spreads; failed ones enter with the worst, so that it keeps away. Where
/// measurements are random, the best value is the best one the model predicts at a measured point. A point that has
/// been seen is proposed only where repeats are allowed. With a patience the model learns from a part of a long
/// history, and the search begins anew where it finds nothing better (epoch.hpp).
class Ascent : public Acquisition {
 public:
  /// Throws InvalidArgument for a score without a function.
  Ascent(std::shared_ptr<const Model> model, Score score, int patience = 0);

  [[nodiscard]] Proposal choose(const ProposalContext& now) const override;
  [[nodiscard]] const Model& model() const override { return *model_; }

 private:
  /// Learns from this part of the history.
  [[nodiscard]] Proposal choose_by(const History& history, const ProposalContext& now) const;

  std::shared_ptr<const Model> model_;
  Score score_;
  int patience_;
};

}  // namespace bocs
