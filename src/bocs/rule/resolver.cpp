#include "bocs/rule/resolver.hpp"

#include <algorithm>
#include <utility>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

using Op = Expression::Op;
using Kind = Syntax::Kind;

bool is_numeral(const Syntax& s) {
  return s.kind == Kind::number || (s.kind == Kind::negative && s.children.front().kind == Kind::number);
}

class Resolver {
 public:
  Resolver(const std::string& text, const Names& names) : text_(text), names_(names) {}

  Expression rule(const Syntax& s) {
    if (s.kind == Kind::comparison) return comparison(s, true);
    return condition(s);
  }

 private:
  [[noreturn]] void refuse(const Syntax& s, const std::string& why) const { refuse_rule(text_, s.at, why); }
  /// f(); what it refuses gets the place.
  template <class Function>
  auto at(const Syntax& s, Function f) const {
    try {
      return f();
    } catch (const InvalidArgument& error) {
      refuse(s, error.what());
    }
  }
  [[nodiscard]] const Space& space() const { return names_.space(); }
  [[nodiscard]] const Coordinate& variable(int i) const { return space()[i]; }

  [[nodiscard]] Expression made(Op op, const Syntax& s, std::vector<Expression> children) const {
    Expression e{op, s.at, std::move(children)};
    const bool constant =
        std::all_of(e.children.begin(), e.children.end(), [](const auto& c) { return c.is(Op::number); });
    if (e.is_condition() || !constant) return e;
    const auto number = at(s, [&] { return evaluate(e, {}); });
    if (!number) refuse(s, "a division by zero");
    e = {Op::number, s.at};
    e.number = *number;
    return e;
  }

  /// The variables a name stands for: one, or all elements of an array; of those the one that is meant just now.
  [[nodiscard]] std::vector<int> named(const Syntax& s) const {
    const auto& all = at(s, [&]() -> const std::vector<int>& { return names_.find(s.text); });
    if (element_ && names_.is_array(s.text)) return {all[*element_]};
    return all;
  }
  [[nodiscard]] bool is_whole_array(const Syntax& s) const { return !element_ && names_.is_array(s.text); }

  [[nodiscard]] Expression level_set(const Syntax& s, int variable, const std::vector<int>& levels) const {
    refuse_fine(s, this->variable(variable));
    Expression e{Op::level_in, s.at};
    e.variable = variable;
    e.levels.assign(static_cast<std::size_t>(count_levels(this->variable(variable))), 0);
    for (const int level : levels) e.levels[static_cast<std::size_t>(level)] = 1;
    return e;
  }

  /// A number without a step stands in sums and comparisons alone.
  void refuse_fine(const Syntax& s, const Coordinate& c) const {
    if (is_fine(c)) refuse(s, "'" + c.name + "' has no step: allowed in sums that are compared; or give it steps");
  }

  Expression condition(const Syntax& s) {
    switch (s.kind) {
      case Kind::negation:
        return made(Op::negation, s, conditions(s.children));
      case Kind::conjunction:
        return made(Op::all, s, conditions(s.children));
      case Kind::disjunction:
        return made(Op::any, s, conditions(s.children));
      case Kind::implication:
        return made(Op::implies, s, conditions(s.children));
      case Kind::comparison:
        return comparison(s, false);
      case Kind::membership:
        return membership(s);
      case Kind::word:
      case Kind::name:
        return switched_on(s);
      case Kind::call:
        if (s.text == "all") return made(Op::all, s, each(s.children));
        if (s.text == "any") return made(Op::any, s, each(s.children));
        if (s.text == "all_different") return all_different(s);
        [[fallthrough]];
      default:
        refuse(s, "found a number where a condition should stand; compare it with something");
    }
  }

  std::vector<Expression> conditions(const std::vector<Syntax>& list) {
    std::vector<Expression> result;
    for (const Syntax& s : list) result.push_back(condition(s));
    return result;
  }

  /// A binary variable, or each of an array of them.
  Expression switched_on(const Syntax& s) {
    std::vector<Expression> parts;
    for (const int v : named(s)) {
      if (!is_binary(variable(v))) {
        refuse(s, "'" + variable(v).name + "' is not binary: say which value, " + s.text +
                      " == " + text_of_level(variable(v), 0));
      }
      parts.push_back(level_set(s, v, {level_of_text(variable(v), "1")}));
    }
    return parts.size() == 1 ? parts.front() : made(Op::all, s, std::move(parts));
  }

  /// The conditions of count, all and any: one that names arrays is one for each of their elements.
  std::vector<Expression> each(const std::vector<Syntax>& arguments) {
    const auto before = std::exchange(element_, std::nullopt);
    std::vector<Expression> result;
    for (const Syntax& s : arguments) {
      std::optional<std::size_t> size;
      find_arrays(s, size);
      if (!size) result.push_back(condition(s));
      for (std::size_t k = 0; size && k < *size; ++k) {
        element_ = k;
        result.push_back(condition(s));
      }
      element_ = std::nullopt;
    }
    element_ = before;
    return result;
  }

  /// The number of elements of the arrays that are named, but for those inside a function.
  void find_arrays(const Syntax& s, std::optional<std::size_t>& size) const {
    if (s.kind == Kind::call) return;
    if (is_name(s) && names_.is_array(s.text)) {
      const std::size_t own = names_.find(s.text).size();
      if (size && *size != own)
        refuse(s, "the arrays have " + std::to_string(*size) + " and " + std::to_string(own) + " elements");
      size = own;
    }
    for (const Syntax& child : s.children) find_arrays(child, size);
  }

  /// `alone`: the whole rule.
  Expression comparison(const Syntax& s, bool alone) {
    std::vector<Expression> links;
    alone = alone && s.relations.size() == 1;
    for (std::size_t k = 0; k < s.relations.size(); ++k)
      links.push_back(compared(s.children[k], s.relations[k], s.children[k + 1], alone || s.relations.size() > 1));
    return links.size() == 1 ? links.front() : made(Op::all, s, std::move(links));
  }

  /// `sums`: a number that equals a variable is a sum that equals a sum; else it is a level of the variable.
  Expression compared(const Syntax& left, const std::string& relation, const Syntax& right, bool sums) {
    const bool equality = relation == "==" || relation == "!=";
    if (equality) {
      if (auto e = equals_level(left, right, relation == "==", sums)) return *e;
      if (auto e = equals_level(right, left, relation == "==", sums)) return *e;
      if (auto e = same_labels(left, right)) return relation == "==" ? *e : made(Op::negation, left, {*e});
    }
    static const std::map<std::string, Op> ops{{"<", Op::less},    {"<=", Op::less_or_equal},
                                               {">", Op::greater}, {">=", Op::greater_or_equal},
                                               {"==", Op::equal},  {"!=", Op::unequal}};
    return made(ops.at(relation), left, {sum(left), sum(right)});
  }

  /// "name == level"; nothing if it is none.
  std::optional<Expression> equals_level(const Syntax& name, const Syntax& level, bool equal, bool sums) {
    if (!is_name(name) || !names_.has(name.text) || !level_text(level)) return std::nullopt;
    const std::vector<int> variables = named(name);
    if (!means_level(level, variables)) return std::nullopt;
    const bool sized = has_size(variable(variables.front()));
    if (is_numeral(level) && sized && (is_whole_array(name) || equal) && sums) return std::nullopt;
    refuse_ambiguous(name, equal ? " == " + *level_text(level) : " != " + *level_text(level));
    std::vector<Expression> parts;
    for (const int v : variables) {
      Expression part = level_set(name, v, {at(level, [&] { return level_of_text(variable(v), *level_text(level)); })});
      parts.push_back(equal ? std::move(part) : made(Op::negation, name, {std::move(part)}));
    }
    return parts.size() == 1 ? parts.front() : made(Op::all, name, std::move(parts));
  }

  /// Where an array of numbers is compared inside a condition: with its sum, or each of its elements?
  void refuse_ambiguous(const Syntax& name, const std::string& compared) const {
    if (!is_whole_array(name) || !has_size(variable(named(name).front()))) return;
    refuse(name, "'" + name.text + "' is an array: write sum(" + name.text + ")" + compared + ", all(" + name.text +
                     compared + "), any(" + name.text + compared + ") or count(" + name.text + compared + ")");
  }

  /// A word may be a level of these variables, or the name of a variable.
  [[nodiscard]] bool means_level(const Syntax& s, const std::vector<int>& variables) const {
    if (s.kind != Kind::word) return true;
    const Coordinate& v = variable(variables.front());
    bool is_level = true;
    try {
      (void)level_of_text(v, s.text);
    } catch (const InvalidArgument&) {
      is_level = false;
    }
    if (!names_.has(s.text)) return is_level || !has_size(v);  // else a misspelt variable
    if (is_level) {
      refuse(s, "'" + s.text + "' is a variable, and a level of '" + v.name + "': write '" + s.text +
                    "' in quotes for the level, `" + s.text + "` in backquotes for the variable");
    }
    return false;
  }

  /// Two categorical variables; nothing if they are none.
  std::optional<Expression> same_labels(const Syntax& left, const Syntax& right) const {
    for (const Syntax* s : {&left, &right}) {
      if (!is_name(*s) || !names_.has(s->text) || is_whole_array(*s) || has_size(variable(named(*s).front())))
        return std::nullopt;
    }
    const int a = named(left).front(), b = named(right).front();
    auto tuples = std::make_shared<std::set<Expression::Levels>>();
    for (int k = 0; k < count_levels(variable(a)); ++k) {
      for (int l = 0; l < count_levels(variable(b)); ++l) {
        if (text_of_level(variable(a), k) == text_of_level(variable(b), l)) tuples->insert({k, l});
      }
    }
    Expression e{Op::one_of_tuples, left.at};
    e.variables = {a, b};
    e.tuples = std::move(tuples);
    return e;
  }

  Expression membership(const Syntax& s) {
    const Syntax& subject = s.children.front();
    Expression e = subject.kind == Kind::tuple ? tuples(s) : is_name(subject) ? levels(s) : sums(s);
    return s.text == "in" ? e : made(Op::negation, s, {std::move(e)});
  }

  /// name in {3, 4}
  Expression levels(const Syntax& s) {
    const Syntax& name = s.children.front();
    const std::vector<int> variables = named(name);
    const auto is_level = [&](const Syntax& value) { return level_text(value) && means_level(value, variables); };
    if (has_size(variable(variables.front())) && !std::all_of(s.children.begin() + 1, s.children.end(), is_level))
      return sums(s);
    refuse_ambiguous(name, " " + s.text + " {...}");
    std::vector<Expression> parts;
    for (const int v : variables) {
      std::vector<int> found;
      for (auto value = s.children.begin() + 1; value != s.children.end(); ++value) found.push_back(level(*value, v));
      parts.push_back(level_set(name, v, found));
    }
    return parts.size() == 1 ? parts.front() : made(Op::all, s, std::move(parts));
  }

  /// The level of a variable that is written here.
  [[nodiscard]] int level(const Syntax& s, int variable) const {
    if (!level_text(s))
      refuse(s, "found an expression where a value of '" + this->variable(variable).name + "' should stand");
    return at(s, [&] { return level_of_text(this->variable(variable), *level_text(s)); });
  }

  /// a + b in {3, 4}
  Expression sums(const Syntax& s) {
    std::vector<Expression> parts;
    for (auto value = s.children.begin() + 1; value != s.children.end(); ++value) {
      parts.push_back(made(Op::equal, *value, {sum(s.children.front()), sum(*value)}));
    }
    return made(Op::any, s, std::move(parts));
  }

  /// (a, b) in {(1, x), (2, y)}
  Expression tuples(const Syntax& s) {
    Expression e{Op::one_of_tuples, s.at};
    for (const Syntax& name : s.children.front().children) {
      if (!is_name(name)) refuse(name, "found an expression where a name should stand");
      const auto found = named(name);
      if (found.size() != 1) refuse(name, "'" + name.text + "' is an array: name one of its elements");
      if (std::find(e.variables.begin(), e.variables.end(), found.front()) != e.variables.end())
        refuse(name, "'" + name.text + "' is there twice");
      e.variables.push_back(found.front());
    }
    auto tuples = std::make_shared<std::set<Expression::Levels>>();
    for (auto row = s.children.begin() + 1; row != s.children.end(); ++row) {
      if (row->kind != Kind::tuple || row->children.size() != e.variables.size()) {
        refuse(*row,
               "found something else where (...) with " + std::to_string(e.variables.size()) + " values should stand");
      }
      Expression::Levels levels;
      for (std::size_t k = 0; k < e.variables.size(); ++k) levels.push_back(level(row->children[k], e.variables[k]));
      tuples->insert(std::move(levels));
    }
    e.tuples = std::move(tuples);
    return e;
  }

  Expression all_different(const Syntax& s) {
    Expression e{Op::all_different, s.at};
    std::map<std::pair<bool, std::string>, int> identities;  // a number and a label are never the same
    for (const Syntax& name : s.children) {
      if (!is_name(name)) refuse(name, "found an expression where a name should stand");
      for (const int v : named(name)) {
        if (std::find(e.variables.begin(), e.variables.end(), v) != e.variables.end())
          refuse(name, "'" + variable(v).name + "' is there twice");
        e.variables.push_back(v);
        refuse_fine(name, variable(v));
        auto& own = e.identities.emplace_back();
        for (int level = 0; level < count_levels(variable(v)); ++level) {
          const std::pair key{has_size(variable(v)), text_of_level(variable(v), level)};
          own.push_back(identities.try_emplace(key, static_cast<int>(identities.size())).first->second);
        }
      }
    }
    return e;
  }

  Expression sum(const Syntax& s) {
    switch (s.kind) {
      case Kind::number: {
        Expression e{Op::number, s.at};
        const auto number = at(s, [&] { return Fraction::parse(s.text); });
        if (!number) refuse(s, "'" + s.text + "' is no number");
        e.number = *number;
        return e;
      }
      case Kind::word:
      case Kind::name:
        return value(s);
      case Kind::quoted:
        refuse(s, "the text '" + s.text + "' has no size; allowed: variable == '" + s.text + "'");
      case Kind::tuple:
        refuse(s, "found (..., ...) where a number should stand; allowed: (a, b) in {(1, 2), (3, 4)}");
      case Kind::negative:
        return made(Op::negative, s, {sum(s.children.front())});
      case Kind::sum:
        return made(Op::sum, s, all_sums(s.children));
      case Kind::product: {
        const Op op = s.text == "*"   ? Op::multiply
                      : s.text == "/" ? Op::divide
                      : s.text == "%" ? Op::modulo
                                      : Op::power;
        return made(op, s, all_sums(s.children));
      }
      case Kind::call:
        if (s.text == "count") return made(Op::sum, s, each(s.children));
        if (s.text == "sum") {
          const auto before = std::exchange(element_, std::nullopt);
          Expression result = made(Op::sum, s, all_sums(s.children));
          element_ = before;
          return result;
        }
        [[fallthrough]];
      default:
        return condition(s);  // counts 0 or 1
    }
  }

  std::vector<Expression> all_sums(const std::vector<Syntax>& list) {
    std::vector<Expression> result;
    for (const Syntax& s : list) result.push_back(sum(s));
    return result;
  }

  /// Of a variable; of an array the sum of its elements.
  Expression value(const Syntax& s) {
    std::vector<Expression> parts;
    for (const int v : named(s)) {
      if (!has_size(variable(v))) {
        refuse(s, "the categorical '" + variable(v).name + "' has no size: write (" + s.text + " == '" +
                      text_of_level(variable(v), 0) + "')");
      }
      auto& values = values_[v];
      if (values == nullptr) values = std::make_shared<LevelValues>(variable(v));
      Expression& e = parts.emplace_back(Expression{Op::value, s.at});
      e.variable = v;
      e.values = values;
    }
    return parts.size() == 1 ? parts.front() : made(Op::sum, s, std::move(parts));
  }

  const std::string& text_;
  const Names& names_;
  std::optional<std::size_t> element_;  // of the arrays, inside count, all and any
  std::map<int, std::shared_ptr<LevelValues>> values_;
};

}  // namespace

Expression resolve(const std::string& text, Syntax rule, const Names& names, const CallMeaning& meaning) {
  expand_calls(text, rule, meaning);
  return Resolver(text, names).rule(rule);
}

}  // namespace bocs
