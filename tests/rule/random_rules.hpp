#pragma once
// Random rules: their text, and what they mean, made side by side from the same choices. Nothing here knows how the
// library reads or compiles them; the arithmetic is that of fractions of 64 bits.

#include <functional>
#include <numeric>
#include <optional>
#include <string>

#include "bocs/numeric/rng.hpp"
#include "bocs/space/space.hpp"

namespace bocs::test {

struct Ratio {
  std::int64_t top = 0, bottom = 1;

  Ratio(std::int64_t t = 0, std::int64_t b = 1) : top(b < 0 ? -t : t), bottom(b < 0 ? -b : b) {  // NOLINT
    const std::int64_t divisor = std::gcd(top, bottom);
    top /= divisor;
    bottom /= divisor;
  }
};

using Number = std::function<std::optional<Ratio>(const Point&)>;    // nothing: a division by zero
using Condition = std::function<std::optional<bool>(const Point&)>;  // the same
struct SaidNumber {
  std::string text;
  Number value;
};
struct SaidCondition {
  std::string text;
  Condition holds;
};

class RandomRules {
 public:
  RandomRules(const Space& space, Rng& rng) : space_(space), rng_(rng) {}

  SaidCondition rule() {
    switch (below(7)) {
      case 0: {
        SaidCondition where = condition(1), then = condition(1);
        return {"if " + where.text + " then " + then.text, [=](const Point& x) {
                  const auto holds = where.holds(x);
                  return !holds || *holds ? holds ? then.holds(x) : holds : std::optional(true);
                }};
      }
      case 1:
        return counting();
      case 2:
        return chain();
      case 3:
        return all_different();
      default:
        return condition(2);
    }
  }

  /// Over linear sums of whole numbers and conditions on one variable alone: what large spaces can have.
  SaidCondition simple_rule() {
    simple_ = true;
    SaidCondition result = below(4) == 0 ? counting() : condition(2);
    simple_ = false;
    return result;
  }

 private:
  int below(int n) { return static_cast<int>(rng_.below(static_cast<std::uint32_t>(n))); }
  int any_variable() { return below(space_.dimension()); }
  static std::string name(const Coordinate& v) {
    return v.name.find(' ') == std::string::npos ? v.name : "`" + v.name + "`";
  }
  int sized_variable() {
    for (int tries = 0; tries < 100; ++tries) {
      const int i = any_variable();
      if (space_[i].has_value() && (!simple_ || space_[i].whole)) return i;
    }
    return -1;
  }

  /// In hundredths: all values of the tests have at most two decimals.
  static Ratio value(const Space& space, int variable, std::int32_t level) {
    const double v = space[variable].value(level) * 100;
    return {static_cast<std::int64_t>(v < 0 ? v - 0.5 : v + 0.5), 100};
  }

  static std::optional<Ratio> apply(char op, const std::optional<Ratio>& a, const std::optional<Ratio>& b) {
    if (!a || !b) return std::nullopt;
    if (op == '+') return Ratio(a->top * b->bottom + b->top * a->bottom, a->bottom * b->bottom);
    if (op == '-') return Ratio(a->top * b->bottom - b->top * a->bottom, a->bottom * b->bottom);
    if (op == '*') return Ratio(a->top * b->top, a->bottom * b->bottom);
    if (b->top == 0) return std::nullopt;
    if (op == '/') return Ratio(a->top * b->bottom, a->bottom * b->top);
    std::int64_t rest = a->top % b->top;  // whole numbers
    if (rest != 0 && (rest < 0) != (b->top < 0)) rest += b->top;
    return Ratio(rest);
  }

  SaidNumber atom() {
    const int i = below(5) == 0 ? -1 : sized_variable();
    if (i < 0) {
      const int n = below(6) - 1;
      if (n == 0 && !simple_) return {"0.5", [](const Point&) { return Ratio(1, 2); }};
      return {std::to_string(n), [=](const Point&) { return Ratio(n); }};
    }
    return {name(space_[i]),
            [=, space = space_](const Point& x) { return value(space, i, x[static_cast<std::size_t>(i)]); }};
  }

  SaidNumber number(int depth) {
    if (depth == 0) return atom();
    switch (below(simple_ ? 3 : 7)) {
      case 0:
      case 1: {
        const char op = below(2) == 0 ? '+' : '-';
        SaidNumber a = number(depth - 1), b = number(depth - 1);
        return {"(" + a.text + " " + op + " " + b.text + ")",
                [=](const Point& x) { return apply(op, a.value(x), b.value(x)); }};
      }
      case 2: {
        const int weight = below(5) - 2;
        SaidNumber a = atom();
        return {std::to_string(weight) + "*" + a.text,
                [=](const Point& x) { return apply('*', Ratio(weight), a.value(x)); }};
      }
      case 3:
      case 4: {
        const char op = below(3) == 0 ? '/' : '*';
        SaidNumber a = atom(), b = atom();
        return {"(" + a.text + op + b.text + ")", [=](const Point& x) { return apply(op, a.value(x), b.value(x)); }};
      }
      case 5: {
        const int n = 12 + below(20);
        const int i = whole_variable();
        if (i < 0) return atom();
        return {std::to_string(n) + " % " + name(space_[i]), [=, space = space_](const Point& x) {
                  return apply('%', Ratio(n), value(space, i, x[static_cast<std::size_t>(i)]));
                }};
      }
      default: {
        SaidCondition inner = choice();
        return {"(" + inner.text + ")", [=](const Point& x) -> std::optional<Ratio> {
                  const auto holds = inner.holds(x);
                  return holds ? std::optional(Ratio(*holds ? 1 : 0)) : std::nullopt;
                }};
      }
    }
  }

  int whole_variable() {
    const int i = sized_variable();
    return i >= 0 && space_[i].whole ? i : -1;
  }

  /// A condition on one variable.
  SaidCondition choice() {
    const int i = any_variable();
    const Coordinate& v = space_[i];
    const auto slot = static_cast<std::size_t>(i);
    const int level = below(v.levels), other = below(v.levels);
    const auto said = [&](int l) {
      const std::string text = format_level(v, l);
      return !v.has_value() && below(2) == 0 ? "'" + text + "'" : text;
    };
    if (v.is_bit() && below(2) == 0) {
      return {name(v), [=](const Point& x) { return x[slot] == 1; }};
    }
    switch (below(4)) {
      case 0:
        return {name(v) + " != " + said(level), [=](const Point& x) { return x[slot] != level; }};
      case 1:
        return {name(v) + " in {" + said(level) + ", " + said(other) + "}",
                [=](const Point& x) { return x[slot] == level || x[slot] == other; }};
      case 2:
        return {name(v) + " not in {" + said(level) + "}", [=](const Point& x) { return x[slot] != level; }};
      default:
        return {name(v) + " == " + said(level), [=](const Point& x) { return x[slot] == level; }};
    }
  }

  static bool compare(int relation, const Ratio& a, const Ratio& b) {
    const std::int64_t left = a.top * b.bottom, right = b.top * a.bottom;
    switch (relation) {
      case 0:
        return left <= right;
      case 1:
        return left < right;
      case 2:
        return left == right;
      case 3:
        return left != right;
      case 4:
        return left >= right;
      default:
        return left > right;
    }
  }

  SaidCondition comparison() {
    static const char* const relations[] = {" <= ", " < ", " == ", " != ", " >= ", " > "};
    SaidNumber a = number(2), b = number(1);
    int relation = below(6);
    if (simple_ && (relation == 2 || relation == 3)) relation = 0;  // one of them or its opposite cannot be taken apart
    return {"(" + a.text + ")" + relations[relation] + b.text + " + 0", [=](const Point& x) -> std::optional<bool> {
              const auto left = a.value(x), right = b.value(x);
              return left && right ? std::optional(compare(relation, *left, *right)) : std::nullopt;
            }};
  }

  SaidCondition chain() {
    SaidNumber a = atom(), b = number(1), c = atom();
    return {a.text + " <= " + b.text + " < " + c.text + " + 2", [=](const Point& x) -> std::optional<bool> {
              const auto l = a.value(x), m = b.value(x), r = apply('+', c.value(x), Ratio(2));
              if (!l || !m) return std::nullopt;
              if (!compare(0, *l, *m)) return false;
              return compare(1, *m, *r);
            }};
  }

  SaidCondition condition(int depth) {
    if (depth == 0) return below(3) == 0 && !compared_ ? comparison_once() : choice();
    switch (below(4)) {
      case 0: {
        SaidCondition a = condition(depth - 1);
        return {"not (" + a.text + ")", [=](const Point& x) -> std::optional<bool> {
                  const auto holds = a.holds(x);
                  return holds ? std::optional(!*holds) : std::nullopt;
                }};
      }
      case 1:
      case 2: {
        const bool both = below(2) == 0;
        SaidCondition a = condition(depth - 1), b = condition(depth - 1);
        return {"(" + a.text + (both ? ") and (" : ") or (") + b.text + ")",
                [=](const Point& x) -> std::optional<bool> {
                  const auto holds = a.holds(x);
                  return holds && *holds == both ? b.holds(x) : holds;
                }};
      }
      default:
        return simple_ ? condition(0) : comparison();
    }
  }

  /// In simple rules one comparison of sums at most: two of them cannot stand in one clause.
  SaidCondition comparison_once() {
    compared_ = simple_;
    return comparison();
  }

  SaidCondition counting() {
    static const char* const relations[] = {" <= ", " < ", " == ", " != ", " >= ", " > "};
    std::vector<Condition> holds;
    std::string text = "count(";
    for (int k = 1 + below(4); k > 0; --k) {
      SaidCondition one = choice();
      text += (holds.empty() ? "" : ", ") + one.text;
      holds.push_back(one.holds);
    }
    const int relation = simple_ ? 4 * below(2) : below(6), bound = below(3);
    return {text + ")" + relations[relation] + std::to_string(bound), [=](const Point& x) {
              int sum = 0;
              for (const auto& one : holds) sum += *one(x) ? 1 : 0;
              return compare(relation, Ratio(sum), Ratio(bound));
            }};
  }

  SaidCondition all_different() {
    std::vector<int> variables;
    std::string text;
    for (int i = 0; i < space_.dimension(); ++i) {
      if (below(2) == 0) continue;
      variables.push_back(i);
      text += (text.empty() ? "" : ", ") + name(space_[i]);
    }
    return {"all_different(" + text + ")", [=, space = space_](const Point& x) {
              for (std::size_t k = 0; k < variables.size(); ++k) {
                for (std::size_t l = 0; l < k; ++l) {
                  const Coordinate &v = space[variables[k]], &w = space[variables[l]];
                  const bool labels = !v.has_value();
                  if (labels != !w.has_value()) continue;
                  if (format_level(v, x[static_cast<std::size_t>(variables[k])]) ==
                      format_level(w, x[static_cast<std::size_t>(variables[l])])) {
                    return false;
                  }
                }
              }
              return true;
            }};
  }

  const Space& space_;
  Rng& rng_;
  bool simple_ = false;
  bool compared_ = false;
};

}  // namespace bocs::test
