#include "bocs/rule/constraint.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/rule/feasible.hpp"
#include "bocs/variable/type.hpp"

namespace bocs {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string written(const Choices& choices, const char* separator) {
  std::vector<std::string> texts;
  for (const Choice& c : choices) texts.push_back(c.variable + "=" + c.is);
  return joined(texts, separator);
}

Constraint cardinality(double low, double high, const Choices& of, const std::string& words) {
  Constraint result{{}, low, high, words + " of " + written(of, ", ")};
  for (const Choice& c : of) result.terms.push_back({c.variable, c.is});
  return result;
}

/// "(`a`, `b`) in {('1', 'x'), ('2', 'y')}"
Constraint combinations(const std::vector<std::string>& variables, const std::vector<std::vector<std::string>>& rows,
                        bool are_allowed) {
  require(!variables.empty() && !rows.empty(), "a table of combinations needs at least one variable and one row");
  const auto tuple = [&](const std::vector<std::string>& words, char quote) {
    require(words.size() == variables.size(), [&] {
      return "a table of combinations of " + joined(variables) + ": found a row with " + std::to_string(words.size()) +
             " values";
    });
    std::vector<std::string> parts;
    for (const auto& word : words) parts.push_back(quoted(word, quote));
    return words.size() == 1 ? parts.front() : "(" + joined(parts) + ")";
  };
  std::vector<std::string> tuples;
  for (const auto& row : rows) tuples.push_back(tuple(row, '\''));
  Constraint result =
      constraint::rule(tuple(variables, '`') + (are_allowed ? " in {" : " not in {") + joined(tuples) + "}");
  result.text = (are_allowed ? "allowed: " : "forbidden: ") + std::to_string(rows.size()) + " combinations of " +
                joined(variables);
  return result;
}

/// "2 n - [colour=red] <= 4"
std::string written_out(const Constraint& c) {
  std::string text;
  for (const Term& t : c.terms) {
    const double size = std::abs(t.weight);
    text += text.empty() ? (t.weight < 0 ? "-" : "") : (t.weight < 0 ? " - " : " + ");
    if (size != 1) text += shortest(size) + " ";
    text += t.is ? "[" + t.variable + "=" + *t.is + "]" : t.variable;
  }
  if (text.empty()) text = "0";
  if (c.low == c.high) return text + " == " + shortest(c.low);
  if (c.low == -kInfinity) return text + " <= " + shortest(c.high);
  if (c.high == kInfinity) return text + " >= " + shortest(c.low);
  return shortest(c.low) + " <= " + text + " <= " + shortest(c.high);
}

}  // namespace

namespace constraint {

Constraint rule(std::string text) {
  require(!text.empty(), "a rule needs a text, such as \"m*k <= 4096\"");
  Constraint result;
  result.text = text;
  result.rule = std::move(text);
  return result;
}

Constraint allowed(const std::vector<std::string>& variables, const std::vector<std::vector<std::string>>& rows) {
  return combinations(variables, rows, true);
}

Constraint forbidden(const std::vector<std::string>& variables, const std::vector<std::vector<std::string>>& rows) {
  return combinations(variables, rows, false);
}

Choices switched_on(const Space& space) {
  Choices choices;
  for (const Coordinate& v : space.coordinates()) {
    if (v.is_bit()) choices.push_back({v.name});
  }
  return choices;
}

Constraint linear(std::vector<Term> terms, std::string_view relation, double bound) {
  require(relation == "<=" || relation == ">=" || relation == "==",
          [&] { return "relation '" + std::string(relation) + "': allowed is <=, >= or =="; });
  return {std::move(terms), relation == "<=" ? -kInfinity : bound, relation == ">=" ? kInfinity : bound};
}

Constraint at_most(int count, const Choices& of) {
  return cardinality(-kInfinity, count, of, "at most " + std::to_string(count));
}

Constraint at_least(int count, const Choices& of) {
  return cardinality(count, kInfinity, of, "at least " + std::to_string(count));
}

Constraint exactly(int count, const Choices& of) {
  return cardinality(count, count, of, "exactly " + std::to_string(count));
}

Constraint mutually_exclusive(const Choices& of) {
  Constraint result = at_most(1, of);
  result.text = "mutually exclusive: " + written(of, ", ");
  return result;
}

Constraint forbidden(const Choices& together) {
  Constraint result = at_most(static_cast<int>(together.size()) - 1, together);
  result.text = "forbidden: " + written(together, " and ");
  return result;
}

Constraint required(const Choices& where, const Choices& then) {
  // n (sum over where - (|where| - 1)) <= sum over then, with n = |then|: binds only where all of `where` hold.
  const auto n = static_cast<double>(then.size());
  Constraint result{{}, -kInfinity, n * (static_cast<double>(where.size()) - 1), "required: " + written(then, " and ")};
  if (!where.empty()) result.text += " where " + written(where, " and ");
  for (const Choice& c : where) result.terms.push_back({c.variable, c.is, n});
  for (const Choice& c : then) result.terms.push_back({c.variable, c.is, -1});
  return result;
}

}  // namespace constraint

Constraints::Constraints(const Space& space, std::vector<Constraint> list, std::shared_ptr<const Candidates> candidates)
    : candidates_(std::move(candidates)) {
  if (list.empty() && space.rules().empty() && candidates_ == nullptr) return;
  for (Constraint& c : list) {
    if (c.text.empty()) c.text = c.rule.empty() ? written_out(c) : c.rule;
  }
  feasible_ = std::make_shared<const Feasible>(space, list, candidates_);
  list_ = std::make_shared<const std::vector<Constraint>>(std::move(list));
}

Constraints Constraints::with(const Space& space, const std::vector<Constraint>& more) const {
  if (more.empty()) return *this;
  std::vector<Constraint> all = list();
  all.insert(all.end(), more.begin(), more.end());
  return {space, std::move(all), candidates_};
}

bool Constraints::same(const Constraints& other) const {
  const auto given = [](const Constraints& c) {
    return c.empty() ? std::span<const LinearRow>()
                     : std::span(c.feasible_->rows()).first(static_cast<std::size_t>(c.feasible_->given()));
  };
  const auto rows = given(*this), others = given(other);
  return std::equal(rows.begin(), rows.end(), others.begin(), others.end(),
                    [](const LinearRow& a, const LinearRow& b) { return a.same(b); });
}

const std::vector<Constraint>& Constraints::list() const {
  static const std::vector<Constraint> none;
  return list_ == nullptr ? none : *list_;
}

bool Constraints::satisfied(const Point& x) const { return empty() || feasible_->contains(x); }

void Constraints::check(const Point& x) const {
  const int violated = empty() ? -1 : feasible_->violated(x);
  require(violated < 0, [&] {
    return "the point " + feasible_->space().format(x) + " violates the constraint '" +
           feasible_->list()[violated].text + "'";
  });
}

void Constraints::check(const Space& space) const {
  if (empty()) return;
  const auto& own = feasible_->space().coordinates();
  require(own.size() == space.coordinates().size(), [&] {
    return "the constraints are for " + std::to_string(own.size()) + " variables, the space has " +
           std::to_string(space.dimension());
  });
  for (std::size_t i = 0; i < own.size(); ++i) {
    const Coordinate& v = space.coordinates()[i];
    require(v.levels == own[i].levels && v.low == own[i].low && v.values == own[i].values && v.scale == own[i].scale &&
                v.ordered == own[i].ordered && v.flag == own[i].flag,
            [&] {
              return "the constraints were made for another space: variable '" + v.name + "' is not as it was there";
            });
  }
}

}  // namespace bocs
