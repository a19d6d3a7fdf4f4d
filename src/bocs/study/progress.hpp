#pragma once
// How a study stands: what every front tells about it.

#include <optional>

#include "bocs/model/outliers.hpp"
#include "bocs/run/failure_watch.hpp"
#include "bocs/study/study.hpp"

namespace bocs {

/// Trials of one way to fail.
struct FailureReason {
  std::string text;  // "exit code 1: no licence"; "..." for numbers in which they differ
  int count = 0;
  int last = 0;  // number of the last such trial
};

/// The failed trials by reason, the most frequent first, the earlier of equals first.
std::vector<FailureReason> count_failures(const History& history);

struct Progress {
  int complete = 0, failed = 0, running = 0, waiting = 0, struck = 0;
  const Trial* best = nullptr;                     // nullptr: nothing is complete, or within all limits
  std::vector<const Trial*> front = {};            // with several goals
  const Trial* nearest = nullptr;                  // to being allowed, while nothing is
  int since_best = 0;                              // finished trials after the last one that is part of the answer
  std::optional<Recommendation> recommended = {};  // where measurements are random
  std::vector<Outlier> outliers = {};              // values far outside the rest

  [[nodiscard]] int finished() const { return complete + failed + struck; }
  /// The best came in the last tenth of the trials: more of them may well bring more.
  [[nodiscard]] bool still_improving() const { return best != nullptr && 10 * since_best < finished(); }
};
/// "growth 0.08 instead of growth >= 0.1": the limits that the trial breaks; empty: none.
std::string describe_limits(const Task& task, const Trial& trial);
/// "trial 6 is 80 times outside the rest: models leave it out"; of several: how many.
std::string describe_outliers(const std::vector<Outlier>& outliers);

/// Without a recommendation, which takes a fit of the model.
Progress progress_of(const Task& task, const History& history);
Progress progress_of(const Study& study);

}  // namespace bocs
