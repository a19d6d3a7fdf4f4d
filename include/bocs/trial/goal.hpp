#pragma once
// What a trial is judged by besides one value: several goals, and limits on what the evaluation reports.

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "bocs/base/words.hpp"
#include "bocs/rule/sum.hpp"

namespace bocs {

enum class Sense { minimize, maximize };  // applied at ask and tell only
template <>
inline constexpr auto kWords<Sense> = std::to_array<Word<Sense>>({{Sense::minimize, "minimize"},
                                                                  {Sense::maximize, "maximize"}});
/// From the user's sense to "smaller is better" and back: the negative when maximizing.
inline double oriented(Sense sense, double value) { return sense == Sense::maximize ? -value : value; }

/// One of the numbers to optimize: a metric that the evaluation reports, or one that is known for every point.
struct Goal {
  std::string name;               // of the metric; of the first goal also "value", the value itself
  Sense sense = Sense::minimize;  // of it
  double reference = std::numeric_limits<double>::quiet_NaN();  // worse than that is of no interest; NaN: not given
  std::shared_ptr<const KnownSum> known = {};                   // nullptr: it is measured
  std::string text = {};                                        // of `known`
};

/// A goal that no evaluation has to report: a sum in the language of rules, such as "size(features)".
Goal known_goal(const Space& space, const std::string& name, const std::string& sum, Sense sense = Sense::minimize);

/// low <= metric <= high, or the trial does not count as an answer. The metric is as reported, whatever the sense.
struct OutcomeLimit {
  std::string metric;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool allows(double reported) const { return reported >= low && reported <= high; }
  /// How far the number is inside: negative outside, infinite without a limit on either side.
  [[nodiscard]] double margin(double reported) const { return std::min(reported - low, high - reported); }

  bool operator==(const OutcomeLimit&) const = default;
};

/// "growth >= 0.1", "memory <= 2e9", "0.1 <= growth <= 0.5". Throws InvalidArgument.
OutcomeLimit parse_outcome_limit(const std::string& text);
std::string to_string(const OutcomeLimit& limit);  // the inverse

}  // namespace bocs
