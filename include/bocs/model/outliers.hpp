#pragma once
// Values far outside the rest: a wrong measurement, or a large number for "not allowed".

#include <vector>

#include "bocs/core/trial.hpp"

namespace bocs {

/// A complete trial whose value is separated from the rest by a gap that is larger than the rest is wide.
struct Outlier {
  int number = 0;        // of the trial
  double times = 0;      // its distance from the rest, in widths of the rest (largest minus smallest of their values)
  bool is_good = false;  // on the good side: it cannot be told from luck, and the models use it as it is
};

/// In order of number; empty where nothing is extreme. To models a value that is extreme on the bad side is a failed
/// evaluation (docs/decisions/0001-robust-values.md); the history, the best trial and everything shown keep it as it is.
std::vector<Outlier> outliers(const History& history);

}  // namespace bocs
