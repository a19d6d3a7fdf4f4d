#pragma once
// Known constraints: which points of a space are allowed. Said as a text of the language of rules
// (docs/constraints.md), or as a sum that must lie in a range; functions build cardinalities, exclusions and
// implications from that.

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bocs/rule/candidates.hpp"
#include "bocs/space/space.hpp"

namespace bocs {

/// weight * [the variable has the value `is`], or, without `is`, weight * the variable's own value (binary, integer).
struct Term {
  std::string variable;                // its name
  std::optional<std::string> is = {};  // a value as a person writes it: "1", "7", "red"
  double weight = 1;

  bool operator==(const Term&) const = default;
};

/// low <= sum of the terms <= high, an equality when both are the same; or a rule.
struct Constraint {
  std::vector<Term> terms;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::string text = {};  // for messages; empty: the rule, or the sum, written out
  std::string rule = {};  // unless empty, this text of the language says what is allowed, and there are no terms

  bool operator==(const Constraint&) const = default;
};

/// "The variable has this value", such as {"pump"} (is 1) or {"colour", "red"}.
struct Choice {
  std::string variable;
  std::string is = "1";
};
using Choices = std::vector<Choice>;

/// What rules are written in; stored beside them. No text may ever change its meaning: what does gets a new number.
inline constexpr int kRuleLanguage = 1;

/// Builders: constraint::exactly(10, constraint::switched_on(space)).
namespace constraint {

/// Every binary variable is 1: the choices of "exactly 10 of all".
Choices switched_on(const Space& space);

/// A text of the language: "m*k <= 4096", "if pump then depot == river", "all_different(a, b, c)".
Constraint rule(std::string text);
/// The combinations that are allowed, or forbidden: rows of values as a person writes them, one for each variable.
Constraint allowed(const std::vector<std::string>& variables, const std::vector<std::vector<std::string>>& rows);
Constraint forbidden(const std::vector<std::string>& variables, const std::vector<std::vector<std::string>>& rows);

/// relation: "<=", ">=" or "==".
Constraint linear(std::vector<Term> terms, std::string_view relation, double bound);
Constraint at_most(int count, const Choices& of);
Constraint at_least(int count, const Choices& of);
Constraint exactly(int count, const Choices& of);
Constraint mutually_exclusive(const Choices& of);  // at most one
Constraint forbidden(const Choices& together);     // not all of them at once
/// Where all of `where` hold, all of `then` must. Without `where`: always.
Constraint required(const Choices& where, const Choices& then);

}  // namespace constraint

class Feasible;  // finds, counts and draws allowed points: rule/feasible.hpp

/// The constraints of a space, checked and compiled, those that structures and conditions bring along with them. A
/// cheap value: copies share everything.
class Constraints {
 public:
  Constraints() = default;  // none: every point of a space without structures and conditions is allowed
  /// Throws InvalidArgument: unknown variables or values, numbers that are not finite, rules that cannot be read or
  /// treated, and constraints that no point satisfies. Throws Error when a long search could not decide whether one
  /// does.
  Constraints(const Space& space, std::vector<Constraint> list, std::shared_ptr<const Candidates> candidates = nullptr);
  /// The same with further rules: those of one proposal.
  [[nodiscard]] Constraints with(const Space& space, const std::vector<Constraint>& more) const;

  [[nodiscard]] bool empty() const { return feasible_ == nullptr; }
  [[nodiscard]] const std::vector<Constraint>& list() const;  // as given, every text filled in
  /// The table whose rows are the only points; nullptr: there is none.
  [[nodiscard]] const Candidates* candidates() const { return candidates_.get(); }
  [[nodiscard]] const std::shared_ptr<const Candidates>& shared_candidates() const { return candidates_; }
  [[nodiscard]] bool satisfied(const Point& x) const;
  void check(const Point& x) const;  // throws InvalidArgument that names the first constraint violated
  /// Throws InvalidArgument unless the constraints were made for a space like this one.
  void check(const Space& space) const;
  /// True when both allow the same because they come down to the same sums, however they are written; numbers that
  /// differ by rounding are the same.
  [[nodiscard]] bool same(const Constraints& other) const;
  /// Only when not empty().
  [[nodiscard]] const Feasible& feasible() const { return *feasible_; }

 private:
  std::shared_ptr<const Feasible> feasible_;
  std::shared_ptr<const std::vector<Constraint>> list_;
  std::shared_ptr<const Candidates> candidates_;
};

}  // namespace bocs
