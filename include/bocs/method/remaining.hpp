#pragma once
// How much better than the best point so far the optimum may be.

#include <string>
#include <vector>

#include "bocs/method/method.hpp"

namespace bocs {

/// The gain that is left: what the optimum is better than the answer so far, penalty included; never negative, the same
/// in either sense.
struct Remaining {
  double mean = kUnknown;            // expected
  double low = kUnknown;             // with 90 % probability it is between low and high
  double high = kUnknown;            //
  double chance_optimal = kUnknown;  // that nothing is left
  std::string why_not = {};          // not empty: it is not known, and this is the reason

  [[nodiscard]] bool is_known() const { return why_not.empty(); }
};

/// From joint posterior draws of a Gaussian process at the points that are likeliest to be better than the answer, the
/// best point or, where measurements are random, the recommended one. The draws are made wider, as calibration on
/// problems with known optimum showed they must be. Not known before the initial design is complete, with limits or
/// several goals, beyond 256 variables or 1000 evaluations, and where the values do not look like those of such a
/// process. How often it is right: docs/decisions/0072-remaining-gain.md. A pure function of its arguments.
Remaining remaining_gain(const Method& method, const Task& task, const History& history);

/// A rule when to stop: once it is 95 % sure that less than `gain` is left.
struct StopRule {
  double gain = 0;

  /// "gain < 0.01". Throws InvalidArgument.
  static StopRule parse(const std::string& text);
  [[nodiscard]] std::string text() const;  // the inverse
  [[nodiscard]] bool is_met(const Remaining& remaining) const { return remaining.is_known() && remaining.high < gain; }

  bool operator==(const StopRule&) const = default;
};

}  // namespace bocs
