#pragma once
// Which member of a method makes the next proposal: the one rule that shares the trials.

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bocs/acquire/acquisition.hpp"
#include "bocs/model/scalarization.hpp"

namespace bocs {

/// One way to choose points.
struct Member {
  std::string name;  // "order 2", "ei"; Info::member of what it proposed
  std::shared_ptr<const Acquisition> acquisition;
  int every = 0;  // takes every so many trials; 0: competes for those that are left
  std::size_t most_evaluations = std::numeric_limits<std::size_t>::max();  // above, it costs too much and leaves
};

/// A member takes its turn where it has one: trial n of those with n mod every = every - 1. At most two members compete
/// for the other trials. Instead of asking which of their models forecasts better, it is asked whose proposals turned
/// out better, and a coin that favours the winner decides.
class Portfolio {
 public:
  /// At least one member that competes, and at any number of evaluations.
  explicit Portfolio(std::vector<Member> members);

  /// The member that proposes trial `number`.
  [[nodiscard]] const Member& next(const Task& task, const History& history, int number) const;
  /// The share of the next trials that each member takes, in their order; their sum is 1.
  [[nodiscard]] std::vector<double> shares(const Task& task, const History& history) const;
  /// The member with the largest share, the first of equals.
  [[nodiscard]] const Member& leader(const Task& task, const History& history) const;

  [[nodiscard]] const std::vector<Member>& members() const { return members_; }

 private:
  /// Those that compete at so many evaluations, one or two.
  [[nodiscard]] std::vector<const Member*> competitors(std::size_t evaluations) const;

  std::vector<Member> members_;
};

/// Where measurements are random: does trial `number`, before any member has a turn, measure a promising point again,
/// if one is in doubt? Every fourth does.
bool is_turn_to_measure_again(int number);

/// The probability that the first of two competing members makes the next proposal: 1/5 when the recent proposals of
/// both are equally good, up to 0.95 the more often a proposal of the first beats one of the second, down to 0.05 the
/// less often. Failed trials, and those beyond a limit, are beaten by all others; running ones do not count.
double share_of_first(const Merit& merit, const History& history, const std::string& first, const std::string& second);

}  // namespace bocs
