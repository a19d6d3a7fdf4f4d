#pragma once
// A rule over the variables of a space, its names resolved: a tree that any point can be put into, exactly.

#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "bocs/rule/coordinates.hpp"

namespace bocs {

/// The exact value of each level of a variable, worked out when first asked for. Not for several threads.
class LevelValues {
 public:
  explicit LevelValues(const Coordinate& v) : v_(&v) {}  // keeps a reference
  const Fraction& operator()(std::int32_t level);

 private:
  const Coordinate* v_;
  std::vector<Fraction> values_;
};

/// A number, or a condition, which is 1 where it holds and 0 where it does not.
struct Expression {
  enum class Op {
    number,
    value,  // of a variable
    sum,    // of the children
    negative,
    multiply,
    divide,
    modulo,
    power,
    less,  // from here on conditions
    less_or_equal,
    greater,
    greater_or_equal,
    equal,
    unequal,
    level_in,       // the variable has one of some levels
    one_of_tuples,  // the variables have one of some combinations of levels
    all_different,  // no two variables have the same label or number
    negation,
    all,
    any,
    implies,  // if the first child, then the second
  };
  using Levels = std::vector<std::int32_t>;  // of several variables

  Op op = Op::number;
  std::size_t at = 0;  // where it stands in the text
  std::vector<Expression> children = {};
  Fraction number = {};
  int variable = -1;
  std::shared_ptr<LevelValues> values = {};  // value
  std::vector<char> levels = {};             // level_in: 1 for each of its levels
  std::vector<int> variables = {};           // of tuples, and all different ones
  std::shared_ptr<const std::set<Levels>> tuples = {};
  std::vector<std::vector<int>> identities = {};  // all_different: of each variable's levels; alike means the same

  [[nodiscard]] bool is_condition() const { return op >= Op::less; }
  [[nodiscard]] bool is(Op other) const { return op == other; }
};

/// The value at a point; nothing where it divides by zero. Reads from left to right, and no further than it must, as
/// Python does: b == 0 or a / b <= 2. Throws InvalidArgument where numbers do not fit.
std::optional<Fraction> evaluate(const Expression& expression, const Point& x);

/// Ascending, each once.
std::vector<int> variables_of(const Expression& expression);

/// The number of combinations of levels.
double combinations_of(const std::vector<int>& variables, const Space& space);

/// Calls visit(x) for every combination of levels of the variables; the others of x stay at 0.
template <class Visit>
void for_each_combination(const std::vector<int>& variables, const Space& space, Visit&& visit) {
  Point x(static_cast<std::size_t>(space.dimension()), 0);
  for (bool done = false; !done;) {
    visit(std::as_const(x));
    done = true;
    for (auto v = variables.rbegin(); v != variables.rend() && done; ++v) {
      auto& level = x[static_cast<std::size_t>(*v)];
      done = ++level == count_levels(space[*v]);
      if (done) level = 0;
    }
  }
}

}  // namespace bocs
