#pragma once
// One line on a terminal, rewritten after every trial; nothing when stderr is not a terminal.

#include <chrono>
#include <string>

namespace bocs::cli {

class Progress {
 public:
  /// trials: how many there will be, 0 if nobody knows; begun: how many of them are done already.
  Progress(int trials, int begun, bool quiet);
  /// what: how good it is so far, in words; empty while nothing is known.
  void show(int done, const std::string& what) const;
  void clear() const;

 private:
  int trials_;
  int begun_;
  bool visible_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// "3.4 s", "12 min", "5.2 h"
std::string shown_duration(double seconds);

}  // namespace bocs::cli
