#pragma once
// How a study stands: what every front tells about it.

#include <optional>

#include "bocs/store/study.hpp"

namespace bocs {

/// Trials of one way to fail.
struct FailureReason {
  std::string text;  // "exit code 1: no licence"; "..." for numbers in which they differ
  int count = 0;
  int last = 0;  // number of the last such trial
};

/// The first line of an error: what follows are details, such as the end of what a program wrote to stderr.
std::string brief(const std::string& error);
/// True if the errors say the same, but for numbers in them.
bool same_reason(const std::string& error, const std::string& other);
/// The failed trials by reason, the most frequent first, the earlier of equals first.
std::vector<FailureReason> count_failures(const History& history);

struct Standing {
  int complete = 0, failed = 0, running = 0, waiting = 0;
  const Trial* best = nullptr;                     // nullptr: nothing is complete
  int since_best = 0;                              // finished trials after the best one, in order of number
  std::optional<Recommendation> recommended = {};  // where measurements are random

  [[nodiscard]] int finished() const { return complete + failed; }
  /// The best came in the last tenth of the trials: more of them may well bring more.
  [[nodiscard]] bool still_improving() const { return best != nullptr && 10 * since_best < finished(); }
};
/// Without a recommendation, which takes a fit of the model.
Standing standing(const Task& task, const History& history);
Standing standing(const Study& study);

/// Tells when evaluations fail so consistently that the program must be wrong, not the points: the first five of a
/// study that has no value yet, or the last twenty for the same reason. What had failed before the watch began does not
/// count, so that a study goes on once its program is mended.
class FailureWatch {
 public:
  explicit FailureWatch(const History& history);
  /// Why it is not worth going on, in words; nothing: it is.
  [[nodiscard]] std::optional<std::string> verdict(const History& history) const;

 private:
  std::set<int> before_;  // failed trials
};

}  // namespace bocs
