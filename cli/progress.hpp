#pragma once
// One line on a terminal, rewritten after every trial; nothing when stderr is not a terminal.

#include <chrono>
#include <optional>

#include "bocs/bocs.hpp"

namespace bocs::cli {

class Progress {
 public:
  /// optimum: the known best value, in the user's sense.
  Progress(const Optimizer& optimizer, int trials, std::optional<double> optimum, bool quiet);
  void show() const;
  void clear() const;

 private:
  const Optimizer& optimizer_;
  int trials_;
  std::optional<double> optimum_;
  bool visible_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace bocs::cli
