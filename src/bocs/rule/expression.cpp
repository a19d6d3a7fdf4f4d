#include "bocs/rule/expression.hpp"

#include <algorithm>

namespace bocs {
namespace {

using Op = Expression::Op;
using Result = std::optional<Fraction>;

std::int32_t level_of(const Point& x, int variable) { return x[static_cast<std::size_t>(variable)]; }

Result truth(bool holds) { return Fraction(holds ? 1 : 0); }
bool holds(const Fraction& condition) { return condition.top != 0; }

Result combined(Op op, const Fraction& a, const Fraction& b) {
  switch (op) {
    case Op::multiply:
      return a * b;
    case Op::divide:
      return b.top == 0 ? Result() : a / b;
    case Op::modulo:
      return b.top == 0 ? Result() : remainder(a, b);
    case Op::power:
      return a.top == 0 && b.top < 0 ? Result() : power(a, b);
    case Op::less:
      return truth(a < b);
    case Op::less_or_equal:
      return truth(a <= b);
    case Op::greater:
      return truth(b < a);
    case Op::greater_or_equal:
      return truth(b <= a);
    case Op::equal:
      return truth(a == b);
    default:
      return truth(!(a == b));
  }
}

/// Of `all` (found = false: the first that does not hold decides) and `any` (true).
Result first_found(const std::vector<Expression>& children, const Point& x, bool found) {
  for (const Expression& child : children) {
    const Result result = evaluate(child, x);
    if (!result || holds(*result) == found) return result;
  }
  return truth(!found);
}

bool are_all_different(const Expression& e, const Point& x) {
  std::vector<int> seen;
  for (std::size_t k = 0; k < e.variables.size(); ++k) {
    seen.push_back(e.identities[k][static_cast<std::size_t>(level_of(x, e.variables[k]))]);
  }
  std::sort(seen.begin(), seen.end());
  return std::adjacent_find(seen.begin(), seen.end()) == seen.end();
}

bool is_tuple(const Expression& e, const Point& x) {
  Expression::Levels levels;
  for (const int v : e.variables) levels.push_back(level_of(x, v));
  return e.tuples->contains(levels);
}

void collect(const Expression& e, std::vector<int>& variables) {
  if (e.variable >= 0) variables.push_back(e.variable);
  variables.insert(variables.end(), e.variables.begin(), e.variables.end());
  for (const Expression& child : e.children) collect(child, variables);
}

}  // namespace

const Fraction& LevelValues::operator()(std::int32_t level) {
  if (values_.empty()) {
    for (int k = 0; k < count_levels(*v_); ++k) values_.push_back(exact_value(*v_, k));
  }
  return values_[static_cast<std::size_t>(level)];
}

Result evaluate(const Expression& e, const Point& x) {
  switch (e.op) {
    case Op::number:
      return e.number;
    case Op::value:
      return (*e.values)(level_of(x, e.variable));
    case Op::sum: {
      Fraction sum = 0;
      for (const Expression& child : e.children) {
        const Result part = evaluate(child, x);
        if (!part) return part;
        sum = sum + *part;
      }
      return sum;
    }
    case Op::negative: {
      const Result child = evaluate(e.children[0], x);
      return child ? -*child : child;
    }
    case Op::level_in:
      return truth(e.levels[static_cast<std::size_t>(level_of(x, e.variable))] != 0);
    case Op::one_of_tuples:
      return truth(is_tuple(e, x));
    case Op::all_different:
      return truth(are_all_different(e, x));
    case Op::negation: {
      const Result child = evaluate(e.children[0], x);
      return child ? truth(!holds(*child)) : child;
    }
    case Op::all:
    case Op::any:
      return first_found(e.children, x, e.op == Op::any);
    case Op::implies: {
      const Result where = evaluate(e.children[0], x);
      if (!where || holds(*where)) return where ? evaluate(e.children[1], x) : where;
      return truth(true);
    }
    default: {
      const Result a = evaluate(e.children[0], x);
      if (!a) return a;
      const Result b = evaluate(e.children[1], x);
      return b ? combined(e.op, *a, *b) : b;
    }
  }
}

std::vector<int> variables_of(const Expression& expression) {
  std::vector<int> variables;
  collect(expression, variables);
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

double combinations_of(const std::vector<int>& variables, const Space& space) {
  double product = 1;
  for (const int v : variables) product *= count_levels(space[v]);
  return product;
}

}  // namespace bocs
