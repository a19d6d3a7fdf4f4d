#pragma once
// Values far outside the rest: a wrong measurement, or a large number for "not allowed".

#include <vector>

#include "bocs/trial/trial.hpp"

namespace bocs {

/// A complete trial whose value is separated from the rest by a gap that is larger than the rest is wide.
struct Outlier {
  int number = 0;        // of the trial
  double times = 0;      // its distance from the rest, in widths of the rest (largest minus smallest of their values);
                         // below about 3 the values may only be skewed: models still set it apart
  bool is_good = false;  // on the good side: it cannot be told from luck, and the models use it as it is
};

/// In order of number; empty where nothing is extreme. On the bad side one or two are taken for errors and left out of
/// the models; more than two stand for "not allowed" and are failed evaluations to the models
/// (docs/decisions/0001-robust-values.md). The history, the best trial and everything shown keep the values as told.
std::vector<Outlier> outliers(const History& history);

}  // namespace bocs
