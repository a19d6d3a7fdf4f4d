#include "bocs/rule/clauses.hpp"

#include <algorithm>

namespace bocs {
namespace {

using Op = Expression::Op;

/// low <= form, or form <= high.
struct Bounded {
  LinearForm form;
  std::optional<Fraction> low, high;
};

/// One of the literals holds, or the sum is within its bounds.
struct Clause {
  std::map<int, Literal> literals = {};  // by variable
  std::optional<Bounded> sum = {};
};
using Clauses = std::optional<std::vector<Clause>>;  // all must hold; nothing: the condition cannot be said so

std::optional<Clause> either(Clause a, const Clause& b) {
  for (const auto& [variable, literal] : b.literals) {
    auto& own = a.literals.try_emplace(variable, literal).first->second;
    for (std::size_t level = 0; level < own.levels.size(); ++level) own.levels[level] |= literal.levels[level];
  }
  if (a.sum && b.sum) return std::nullopt;
  if (b.sum) a.sum = b.sum;
  return a;
}

class Taker {
 public:
  Taker(const Space& space, std::size_t most) : space_(space), most_(most) {}

  /// Of the condition, or of its opposite.
  Clauses take(const Expression& e, bool holds) const {
    if (const auto literal = literal_of(e, space_)) {
      return std::vector{Clause{{{literal->variable, holds ? *literal : literal->opposite()}}}};
    }
    switch (e.op) {
      case Op::negation:
        return take(e.children[0], !holds);
      case Op::all:
        return holds ? every(e, holds) : one(e, holds);
      case Op::any:
        return holds ? one(e, holds) : every(e, holds);
      case Op::implies: {
        const auto where = take(e.children[0], !holds), then = take(e.children[1], holds);
        return holds ? product(where, then) : both(take(e.children[0], true), then);
      }
      case Op::one_of_tuples:
        return holds ? std::nullopt : no_tuple(e);
      case Op::less:
      case Op::less_or_equal:
      case Op::greater:
      case Op::greater_or_equal:
      case Op::equal:
      case Op::unequal:
        return comparison(e, holds);
      default:
        return std::nullopt;
    }
  }

 private:
  Clauses both(const Clauses& a, const Clauses& b) const {
    if (!a || !b || a->size() + b->size() > most_) return std::nullopt;
    Clauses result = a;
    result->insert(result->end(), b->begin(), b->end());
    return result;
  }

  Clauses product(const Clauses& a, const Clauses& b) const {
    if (!a || !b || a->size() * b->size() > most_) return std::nullopt;
    std::vector<Clause> result;
    for (const Clause& x : *a) {
      for (const Clause& y : *b) {
        auto clause = either(x, y);
        if (!clause) return std::nullopt;
        result.push_back(std::move(*clause));
      }
    }
    return result;
  }

  Clauses every(const Expression& e, bool holds) const {
    Clauses result = std::vector<Clause>{};
    for (const Expression& child : e.children) {
      if (result) result = both(result, take(child, holds));
    }
    return result;
  }

  Clauses one(const Expression& e, bool holds) const {
    Clauses result = std::vector<Clause>{{}};
    for (const Expression& child : e.children) {
      if (result) result = product(result, take(child, holds));
    }
    return result;
  }

  Clauses no_tuple(const Expression& e) const {
    if (e.tuples->size() > most_) return std::nullopt;
    std::vector<Clause> result;
    for (const auto& levels : *e.tuples) {
      Clause& clause = result.emplace_back();
      for (std::size_t k = 0; k < levels.size(); ++k) {
        Literal literal{e.variables[k],
                        std::vector<char>(static_cast<std::size_t>(count_levels(space_[e.variables[k]])), 1)};
        literal.levels[static_cast<std::size_t>(levels[k])] = 0;
        clause.literals.emplace(e.variables[k], std::move(literal));
      }
    }
    return result;
  }

  Clauses comparison(const Expression& e, bool holds) const {
    LinearForm difference;
    if (!difference.add(e.children[0], 1, space_) || !difference.add(e.children[1], -1, space_)) return std::nullopt;
    if (!difference.is_whole(space_)) return std::nullopt;
    const auto at_most = [&](int high) { return Clause{{}, Bounded{difference, {}, Fraction(high)}}; };
    const auto at_least = [&](int low) { return Clause{{}, Bounded{difference, Fraction(low), {}}}; };
    if (e.is(Op::less)) return std::vector{holds ? at_most(-1) : at_least(0)};
    if (e.is(Op::less_or_equal)) return std::vector{holds ? at_most(0) : at_least(1)};
    if (e.is(Op::greater)) return std::vector{holds ? at_least(1) : at_most(0)};
    if (e.is(Op::greater_or_equal)) return std::vector{holds ? at_least(0) : at_most(-1)};
    if (e.is(Op::equal) != holds) return std::nullopt;  // smaller or larger: two sums
    return std::vector{at_most(0), at_least(0)};
  }

  const Space& space_;
  std::size_t most_;
};

/// Where none of the literals holds the sum is within its bounds; where one does, the bounds are too far to matter.
/// Nothing where the sum is always within them.
std::optional<RangeSource> row_of(const Clause& clause, const Space& space) {
  std::vector<Literal> literals;
  for (const auto& [variable, literal] : clause.literals) literals.push_back(literal);
  if (!clause.sum) return at_least_one(literals);
  const auto& [form, low, high] = *clause.sum;
  const Fraction excess = high ? form.largest(space) - *high : form.smallest(space) - *low;
  if (excess.top == 0 || (excess.top < 0) == high.has_value()) return std::nullopt;
  LinearForm relaxed = form;
  for (const Literal& literal : literals) relaxed.add(literal, -excess);
  return relaxed.range(low, high);
}

bool always_holds(const Clause& clause) {
  return std::any_of(clause.literals.begin(), clause.literals.end(), [](const auto& entry) {
    const auto& levels = entry.second.levels;
    return std::find(levels.begin(), levels.end(), 0) == levels.end();
  });
}

}  // namespace

RangeSource at_least_one(const std::vector<Literal>& literals) {
  LinearForm sum;
  for (const Literal& literal : literals) sum.add(literal, 1);
  return sum.range(Fraction(1), {});
}

bool clauses_of(const Expression& condition, const Space& space, std::size_t most, std::vector<RowSource>& rows) {
  const Clauses clauses = Taker(space, most).take(condition, true);
  if (!clauses) return false;
  for (const Clause& clause : *clauses) {
    if (always_holds(clause)) continue;
    if (auto row = row_of(clause, space)) rows.emplace_back(std::move(*row));
  }
  return true;
}

}  // namespace bocs
