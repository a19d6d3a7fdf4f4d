#include "bocs/rule/linear_form.hpp"

#include <algorithm>
#include <limits>

namespace bocs {

using Op = Expression::Op;

Literal Literal::opposite() const {
  Literal result = *this;
  for (char& level : result.levels) level = level == 0 ? 1 : 0;
  return result;
}

std::optional<Literal> literal_of(const Expression& condition, const Space& space) {
  if (condition.is(Op::level_in)) return Literal{condition.variable, condition.levels};
  const std::vector<int> variables = variables_of(condition);
  if (!condition.is_condition() || variables.size() != 1) return std::nullopt;
  if (combinations_of(variables, space) > kMostCombinations) return std::nullopt;
  Literal literal{variables.front(), {}};
  bool defined = true;
  for_each_combination(variables, space, [&](const Point& x) {
    const auto value = defined ? evaluate(condition, x) : std::nullopt;
    defined = value.has_value();
    literal.levels.push_back(defined && value->top != 0 ? 1 : 0);
  });
  return defined ? std::optional(literal) : std::nullopt;
}

void LinearForm::add(int variable, int level, const Fraction& weight) {
  const auto [found, is_new] = index_.try_emplace({variable, level}, parts_.size());
  if (is_new) parts_.push_back({variable, level, Fraction(0)});
  parts_[found->second].weight = parts_[found->second].weight + weight;
}

void LinearForm::add(const Literal& literal, const Fraction& factor) {
  const auto chosen = std::count(literal.levels.begin(), literal.levels.end(), 1);
  const bool most = 2 * chosen > static_cast<std::ptrdiff_t>(literal.levels.size());  // then [is] = 1 - [is not]
  if (most) constant_ = constant_ + factor;
  for (std::size_t level = 0; level < literal.levels.size(); ++level) {
    if ((literal.levels[level] != 0) != most) add(literal.variable, static_cast<int>(level), most ? -factor : factor);
  }
}

bool LinearForm::add(const Expression& e, const Fraction& factor, const Space& space) {
  switch (e.op) {
    case Op::number:
      constant_ = constant_ + factor * e.number;
      return true;
    case Op::value:
      add(e.variable, -1, factor);
      return true;
    case Op::sum:
      return std::all_of(e.children.begin(), e.children.end(), [&](const auto& c) { return add(c, factor, space); });
    case Op::negative:
      return add(e.children[0], -factor, space);
    case Op::multiply: {
      const bool first = e.children[0].is(Op::number);
      const Expression &number = e.children[first ? 0 : 1], &other = e.children[first ? 1 : 0];
      return number.is(Op::number) && add(other, factor * number.number, space);
    }
    case Op::divide:
      return e.children[1].is(Op::number) && e.children[1].number.top != 0 &&
             add(e.children[0], factor / e.children[1].number, space);
    default:
      const auto literal = literal_of(e, space);
      if (literal) add(*literal, factor);
      return literal.has_value();
  }
}

bool LinearForm::is_whole(const Space& space) const {
  return constant_.is_whole() && std::all_of(parts_.begin(), parts_.end(), [&](const Part& p) {
           return p.weight.is_whole() && (p.level >= 0 || is_whole_valued(space[p.variable]));
         });
}

Fraction LinearForm::bound(const Space& space, bool above) const {
  Fraction sum = constant_;
  for (const Part& p : parts_) {
    const Coordinate& c = space[p.variable];
    const int last = count_levels(c) - 1;
    std::vector<Fraction> ends{0, p.weight};
    if (p.level < 0) ends = {p.weight * exact_value(c, 0), p.weight * exact_value(c, last)};
    if (p.level < 0 && !is_range(c) && last > 0) ends.push_back(p.weight * exact_value(c, 1));  // 0 may be absent
    const auto [low, high] = std::minmax_element(ends.begin(), ends.end());
    sum = sum + (above ? *high : *low);
  }
  return sum;
}

RangeSource LinearForm::range(const std::optional<Fraction>& low, const std::optional<Fraction>& high) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  RangeSource source{
      {}, low ? (*low - constant_).to_double() : -kInfinity, high ? (*high - constant_).to_double() : kInfinity};
  for (const Part& p : parts_) source.terms.push_back({p.variable, p.level, p.weight.to_double()});
  return source;
}

}  // namespace bocs
