#pragma once
// Which part of a long history expected improvement learns from.

#include <optional>

#include "bocs/acquire/acquisition.hpp"

namespace bocs {

/// Where the search has found nothing better for long, it begins anew, with random points and without what it knows: an
/// epoch ends. The next one has the trials that were asked afterwards. An epoch ends after `patience` complete trials
/// of the method without an improvement, or as many as there are variables, if these are more. With several goals,
/// where measurements are random and while no trial is allowed there is no telling, and the epoch goes on. Of a long
/// epoch the best trials and the latest ones count, because the cost of a Gaussian process grows with their cube. A
/// function of the history (docs/decisions/0063-restarts.md).
class Epoch {
 public:
  /// `patience`: see above; 0: the first epoch does not end.
  explicit Epoch(const ProposalContext& now, int patience = 0);

  /// It has had no random points of its own yet, or not enough of them.
  [[nodiscard]] bool begins_at_random() const { return begins_at_random_; }
  /// The trials that count.
  [[nodiscard]] const History& history() const { return part_ ? *part_ : *whole_; }

 private:
  const History* whole_;
  std::optional<History> part_;  // nothing: all
  bool begins_at_random_ = false;
};

}  // namespace bocs
