#include "bocs/rule/language.hpp"

#include <algorithm>
#include <cmath>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/rule/clauses.hpp"
#include "bocs/rule/linear_form.hpp"
#include "bocs/rule/resolver.hpp"
#include "bocs/rule/structure_calls.hpp"

namespace bocs {
namespace {

using Op = Expression::Op;

constexpr double kSmallTable = 4096;       // combinations of a table that is preferred to clauses: it sees more at once
constexpr double kMostDigits = 1LL << 52;  // of the numbers that stand for combinations: they are exact
constexpr std::size_t kMostRows = 1000;    // of one rule

/// Nothing where it is not a condition on one variable, said as such: pump, not pump, depot == river, n in {1, 2}.
std::optional<Literal> choice_of(const Expression& e) {
  if (e.is(Op::level_in)) return Literal{e.variable, e.levels};
  if (!e.is(Op::negation)) return std::nullopt;
  const auto inner = choice_of(e.children[0]);
  return inner ? std::optional(inner->opposite()) : std::nullopt;
}

/// The parts of conditions that are joined by `and`, however deep.
void flatten(const Expression& e, std::vector<Expression>& parts) {
  if (!e.is(Op::all)) return parts.push_back(e);
  for (const Expression& child : e.children) flatten(child, parts);
}

class Compiler {
 public:
  Compiler(const std::string& text, const Space& space, std::vector<RowSource>& rows)
      : text_(text), space_(space), rows_(rows) {}

  /// The first form that fits.
  void compile(const Expression& e) {
    try {
      switch (e.op) {
        case Op::all:
          return conjunction(e);
        case Op::less:
        case Op::less_or_equal:
        case Op::greater:
        case Op::greater_or_equal:
        case Op::equal:
          if (comparison(e)) return;
          break;
        case Op::level_in:
        case Op::any:
        case Op::implies:
        case Op::negation:
          if (implication(e)) return;
          break;
        case Op::all_different:
          return all_different(e);
        case Op::one_of_tuples:
          return tuples(e);
        default:
          break;
      }
      combinations(e);
    } catch (const InvalidArgument& error) {
      const std::string what = error.what();
      if (what.starts_with("rule '")) throw;
      refuse_rule(text_, e.at, what);
    }
  }

 private:
  [[noreturn]] void nothing_satisfies() const { throw InvalidArgument("no point of the space satisfies the rule"); }

  void conjunction(const Expression& e) {
    std::vector<Expression> parts;
    flatten(e, parts);
    std::vector<Literal> literals;
    for (const Expression& part : parts) {
      if (auto literal = choice_of(part)) literals.push_back(std::move(*literal));
    }
    if (literals.size() == parts.size()) return rows_.push_back(required({}, literals));
    for (const Expression& part : parts) compile(part);
  }

  /// Sums between bounds; false for what is none, or needs more than bounds.
  bool comparison(const Expression& e) {
    LinearForm difference;
    if (!difference.add(e.children[0], 1, space_) || !difference.add(e.children[1], -1, space_)) return false;
    const bool strict = e.is(Op::less) || e.is(Op::greater);
    if (strict && !difference.is_whole(space_)) return false;
    const bool below = e.is(Op::less) || e.is(Op::less_or_equal),
               above = e.is(Op::greater) || e.is(Op::greater_or_equal);
    std::optional<Fraction> low, high;
    if (!below) low = Fraction(strict ? 1 : 0);
    if (!above) high = Fraction(strict ? -1 : 0);
    rows_.push_back(difference.range(low, high));
    return true;
  }

  /// The conditions on one variable each that are joined by `and`; nothing if there are others among them.
  std::optional<std::vector<Literal>> literals_of(const Expression& e) {
    std::vector<Expression> parts;
    flatten(e, parts);
    std::vector<Literal> literals;
    for (const Expression& part : parts) {
      auto literal = literal_of(part, space_);
      if (!literal) return std::nullopt;
      literals.push_back(std::move(*literal));
    }
    return literals;
  }

  /// Conditions on one variable each, of the forms that one row says.
  bool implication(const Expression& e) {
    if (const auto choice = choice_of(e)) {
      rows_.push_back(required({}, {*choice}));
      return true;
    }
    if (e.is(Op::negation)) {
      const auto together = literals_of(e.children[0]);
      if (together) rows_.push_back(forbidden(*together));
      return together.has_value();
    }
    if (e.is(Op::any)) {
      std::vector<Literal> literals;
      for (const Expression& child : e.children) {
        auto literal = literal_of(child, space_);
        if (!literal) return false;
        literals.push_back(std::move(*literal));
      }
      rows_.push_back(at_least_one(literals));
      return true;
    }
    const auto where = literals_of(e.children[0]), then = literals_of(e.children[1]);
    if (where && then) rows_.push_back(required(*where, *then));
    return where && then;
  }

  /// Where all of `where` hold, all of `then` do: n (sum over where - (|where| - 1)) <= sum over then, n = |then|.
  static RangeSource required(const std::vector<Literal>& where, const std::vector<Literal>& then) {
    const Fraction n(static_cast<Whole>(then.size()));
    LinearForm sum;
    for (const Literal& literal : where) sum.add(literal, n);
    for (const Literal& literal : then) sum.add(literal, -1);
    return sum.range({}, n * Fraction(static_cast<Whole>(where.size()) - 1));
  }

  static RangeSource forbidden(const std::vector<Literal>& together) {
    LinearForm sum;
    for (const Literal& literal : together) sum.add(literal, 1);
    return sum.range({}, Fraction(static_cast<Whole>(together.size()) - 1));
  }

  /// For every value: at most one of the variables has it; exactly one where there are as many values as variables.
  void all_different(const Expression& e) {
    std::map<int, LinearForm> having;
    std::map<int, int> count;
    for (std::size_t k = 0; k < e.variables.size(); ++k) {
      Literal literal{e.variables[k], std::vector<char>(e.identities[k].size(), 0)};
      for (std::size_t level = 0; level < literal.levels.size(); ++level) {
        Literal one = literal;
        one.levels[level] = 1;
        having[e.identities[k][level]].add(one, 1);
        ++count[e.identities[k][level]];
        require(having.size() <= kMostRows, [&] {
          return "the variables have more than " + std::to_string(kMostRows) + " values between them: give them fewer";
        });
      }
    }
    require(having.size() >= e.variables.size(), [&] {
      return std::to_string(e.variables.size()) + " variables cannot all be different: they have " +
             std::to_string(having.size()) + " values between them";
    });
    const bool all_used = having.size() == e.variables.size();
    for (const auto& [identity, sum] : having) {
      if (all_used || count[identity] > 1) {
        rows_.push_back(sum.range(all_used ? std::optional(Fraction(1)) : std::nullopt, Fraction(1)));
      }
    }
  }

  void tuples(const Expression& e) {
    TableSource table{e.variables, {}};
    std::sort(table.variables.begin(), table.variables.end());
    const double count = combinations_of(table.variables, space_);
    require(count <= kMostDigits, [&] { return "there are " + shortest(count) + " combinations; allowed are 2^52"; });
    for (const auto& levels : *e.tuples) {
      double number = 0;
      for (const int v : table.variables) {
        const auto k = std::find(e.variables.begin(), e.variables.end(), v) - e.variables.begin();
        number = number * count_levels(space_[v]) + levels[static_cast<std::size_t>(k)];
      }
      table.allowed.push_back(number);
    }
    std::sort(table.allowed.begin(), table.allowed.end());
    add(std::move(table), count);
  }

  void add(TableSource table, double count) {
    if (table.allowed.empty()) nothing_satisfies();
    if (static_cast<double>(table.allowed.size()) < count) rows_.emplace_back(std::move(table));
  }

  /// Looks at all combinations of levels, or takes the rule apart.
  void combinations(const Expression& e) {
    const std::vector<int> variables = variables_of(e);
    const double count = combinations_of(variables, space_);
    if (count > kSmallTable && clauses_of(e, space_, kMostRows, rows_)) return;
    require(count <= kMostCombinations, [&] {
      std::vector<std::string> names;
      for (std::size_t k = 0; k < variables.size() && k < 6; ++k) names.push_back(space_[variables[k]].name);
      if (names.size() < variables.size()) names.emplace_back("...");
      const std::string what = "there are " + shortest(std::floor(count)) + " combinations of values of " +
                               joined(names) + "; where a rule must be looked up, at most 1048576 are allowed: ";
      return what + (e.is(Op::less)
                         ? "write <= or >= instead of < or >, or give them fewer values"
                         : "give them fewer values, or say it by sums, or by conditions on one variable each");
    });
    TableSource table{variables, {}};
    double number = 0;
    for_each_combination(variables, space_, [&](const Point& x) {
      const auto value = evaluate(e, x);
      if (value && value->top != 0) table.allowed.push_back(number);
      ++number;
    });
    if (variables.size() != 1) return add(std::move(table), count);
    Literal literal{variables.front(), std::vector<char>(static_cast<std::size_t>(count), 0)};
    for (const double level : table.allowed) literal.levels[static_cast<std::size_t>(level)] = 1;
    rows_.push_back(required({}, {literal}));
  }

  const std::string& text_;
  const Space& space_;
  std::vector<RowSource>& rows_;
};

}  // namespace

std::vector<RowSource> compile_rules(const std::string& text, const Names& names) {
  return compile_rules(text, names, structure_calls(names));
}

std::vector<RowSource> compile_rules(const std::string& text, const Names& names, const CallMeaning& meaning) {
  // A text that is the name of a variable is that name, however it is written: "on site".
  std::vector<Syntax> rules;
  if (names.has(text)) {
    rules.push_back({Syntax::Kind::name, 0, text});
  } else {
    rules = parse_rules(text);
  }
  std::vector<RowSource> rows;
  for (Syntax& rule : rules) {
    Compiler(text, names.space(), rows).compile(resolve(text, std::move(rule), names, meaning));
  }
  return rows;
}

}  // namespace bocs
