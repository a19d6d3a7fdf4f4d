#pragma once
// Rules that are sums: the parts of the language that the engine adds up as they are.

#include <map>

#include "bocs/rule/expression.hpp"
#include "bocs/rule/row_source.hpp"

namespace bocs {

/// The most combinations of levels that are ever looked at one by one.
inline constexpr double kMostCombinations = 1 << 20;

/// "The variable has one of these levels."
struct Literal {
  int variable = 0;
  std::vector<char> levels;  // 1 for each of them

  [[nodiscard]] Literal opposite() const;
};

/// A condition on one variable that never divides by zero; nothing for all others.
std::optional<Literal> literal_of(const Expression& condition, const Space& space);

/// constant + sum of weight * value, or weight * [the variable has the level]
class LinearForm {
 public:
  /// False where the expression is no such sum; the form is then spoilt.
  bool add(const Expression& e, const Fraction& factor, const Space& space);
  void add(const Literal& literal, const Fraction& factor);

  /// The sum is a whole number everywhere.
  [[nodiscard]] bool is_whole(const Space& space) const;
  /// No sum is smaller, or larger.
  [[nodiscard]] Fraction smallest(const Space& space) const { return bound(space, false); }
  [[nodiscard]] Fraction largest(const Space& space) const { return bound(space, true); }
  /// low <= the form <= high; nothing: no bound.
  [[nodiscard]] RangeSource range(const std::optional<Fraction>& low, const std::optional<Fraction>& high) const;

 private:
  struct Part {
    int variable;
    int level;  // -1: the value
    Fraction weight;
  };
  void add(int variable, int level, const Fraction& weight);
  [[nodiscard]] Fraction bound(const Space& space, bool above) const;

  Fraction constant_;
  std::vector<Part> parts_;  // in the order of their first mention
  std::map<std::pair<int, int>, std::size_t> index_;
};

}  // namespace bocs
