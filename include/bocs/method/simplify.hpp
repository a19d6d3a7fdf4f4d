#pragma once
// Which of the changes from the present setting does the answer need?

#include <string>
#include <vector>

#include "bocs/method/method.hpp"

namespace bocs {

/// One value that the answer has otherwise than the present setting. Its cost: what f, without the penalty, loses when
/// it alone is undone; smaller than 0: undoing it helps. Of one that is undone, from the answer; of one that is kept,
/// from the simplified point.
struct ChangeFromPresent {
  std::string name;              // "ivopts"; a structure is one change
  std::string from = {};         // the present value
  std::string to = {};           // the answer's
  std::vector<int> coordinates;  // of the point
  bool kept = true;
  double cost = 0;  // expected; measured where both points were
  double low = 0;   // 95 % of the posterior lies between low and high
  double high = 0;
  double chance = 0;      // that undoing it costs anything
  bool measured = false;  // the cost is a difference of measurements
};

struct Simplification {
  Point answer;                                 // the best point, or the recommended one
  Point x;                                      // the answer with all changes undone that are not kept
  double loss = 0, low = 0, high = 0;           // of x against the answer, as the costs of changes
  bool measured = false;                        // x has been
  std::vector<ChangeFromPresent> changes = {};  // those that are kept first, the most expensive first
  /// What to measure to decide what is in doubt: x, then x without the kept change that is least sure; empty: nothing.
  Point next = {};

  [[nodiscard]] int kept() const;
};

/// Undoes changes one by one, the cheapest first, while f loses no more than `loss` in all, where gains that are only
/// expected do not pay for losses; points that a constraint forbids are passed over. Costs come from the posterior of
/// the polynomial that explains the study (explain.hpp), or from measurements, where these are exact. Throws
/// InvalidArgument without a present setting, with several goals, a negative loss, or before there is an answer.
Simplification simplify(const Method& method, const Task& task, const History& history, double loss, int threads = 1);

/// "0.5", or "1%" of the value of the answer's y. Throws InvalidArgument.
double parse_loss(const std::string& text, double value);

/// The changes of a point from the present setting: "crew 5 (now 3)". Their costs are not known.
std::vector<ChangeFromPresent> changes_from_present(const Task& task, const Point& x);

}  // namespace bocs
