#pragma once
// When evaluations do nothing but fail: the rule that ends a run early instead of spending its budget.

#include <optional>
#include <set>
#include <string>

#include "bocs/trial/trial.hpp"

namespace bocs {

/// The first line of an error: what follows are details, such as the end of what a program wrote to stderr.
std::string brief(const std::string& error);
/// The first line, with "..." for numbers: "line ... of mesh.py".
std::string without_numbers(const std::string& error);
/// True if the errors say the same, but for numbers in them.
bool same_reason(const std::string& error, const std::string& other);

/// Decides when evaluations fail so consistently that the program must be wrong, not the points: the first five of a
/// study that has no value yet, or the last twenty for the same reason. Failures from before the watch began do not
/// count, so that a study goes on once its program is fixed.
class FailureWatch {
 public:
  explicit FailureWatch(const History& history);
  /// Why it is not worth going on, in words; nothing: it is.
  [[nodiscard]] std::optional<std::string> verdict(const History& history) const;

 private:
  std::set<int> before_;  // failed trials
};

}  // namespace bocs
