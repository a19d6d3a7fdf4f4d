#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/rule/feasible.hpp"
#include "bocs/rule/moves.hpp"
#include "bocs/variable/type.hpp"

namespace bocs {
namespace {

/// Every vector of levels.
void for_each_vector(const std::vector<Coordinate>& coordinates, const std::function<void(const Point&)>& visit) {
  Point x(coordinates.size(), 0);
  for (;;) {
    visit(x);
    std::size_t i = 0;
    while (i < x.size() && ++x[i] == coordinates[i].levels) x[i++] = 0;
    if (i == x.size()) return;
  }
}

std::string complaint(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

/// Structures small enough to be enumerated, and how many values each has, counted by hand.
struct Case {
  Variable variable;
  std::size_t values;
};
std::vector<Case> cases() {
  const std::vector<std::string> four{"a", "b", "c", "d"};
  return {{subset("s", four, 2, 2), 6},
          {subset("s", four, 1, 3), 14},
          {subset("s", four, 0, 4), 16},
          {permutation("p", four), 24},
          {permutation("p", {"only"}), 1},
          {assignment("t", four, {"x", "y"}), 16},
          {assignment("t", four, {"x", "y"}, {.capacity = {2, 3}}), 10},                   // 6 + 4
          {assignment("t", {"a", "b"}, {"x", "y", "z"}, {.forbidden = {{"a", "x"}}}), 6},  //
          {mixture("m", {"u", "v", "w"}, {.step = 0.25}), 15},                             // C(6, 2)
          {mixture("m", {"u", "v", "w"}, {.step = 0.25, .at_most = 2}), 12},               // all but three with 3 parts
          {mixture("m", {"u", "v"}, {.total = 100, .step = 10, .low = {20, 0}, .high = {60, 100}}), 5},
          {mixture("m", {"u", "v", "w"}, {.step = 0.1, .least = 0.3}), 3 + 3 * 5 + 3},
          {multiset("k", {"u", "v", "w"}, 4), 15},  // C(6, 2)
          {multiset("k", {"u"}, 2), 1}};
}

/// The values that satisfy the rules of the type, by enumeration.
std::vector<Point> allowed(const Structure& type) {
  const auto rules = type.rules();
  std::vector<Point> points;
  for_each_vector(type.coordinates("v"), [&](const Point& x) {
    const bool holds = std::all_of(rules.begin(), rules.end(), [&](const OwnRule& rule) {
      double sum = 0;
      for (const auto& part : rule.parts) {
        const auto level = x[static_cast<std::size_t>(part.coordinate)];
        sum += part.level ? (level == *part.level ? part.weight : 0) : part.weight * level;
      }
      return rule.low <= sum && sum <= rule.high;
    });
    if (holds) points.push_back(x);
  });
  return points;
}

TEST(Structure, HasTheValuesThatCountingByHandGives) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(described(c.variable));
    EXPECT_EQ(allowed(*c.variable.type->structure()).size(), c.values);
    const Space space({c.variable});
    const Constraints constraints(space, {});
    if (!space.rules().empty()) {
      EXPECT_EQ(constraints.feasible().count(), static_cast<double>(c.values));
    }
  }
}

TEST(Structure, ValuesAndLevelsAreOneToOne) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(described(c.variable));
    std::set<std::string> values;
    for (const Point& x : allowed(*c.variable.type->structure())) {
      const Value value = c.variable.type->decode(x);
      values.insert(text_of(value));
      EXPECT_EQ(c.variable.type->encode("v", value), x) << text_of(value);
      EXPECT_NE(c.variable.type->structure()->text(x), "");
    }
    EXPECT_EQ(values.size(), c.values);
    EXPECT_EQ(variable_from(c.variable.name, definition_of(c.variable)), c.variable);
  }
}

TEST(Structure, MovesAndRandomMovesConnectAllValuesAndKeepTheRules) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(described(c.variable));
    const Structure& type = *c.variable.type->structure();
    const auto points = allowed(type);
    const std::set<Point> all(points.begin(), points.end());
    for (const bool random : {false, true}) {
      std::set<Point> met{points.front()};
      std::vector<Point> open{points.front()};
      Rng rng(3, "moves");
      const auto take = [&](const Point& x, const Changes& move) {
        Point y = x;
        std::set<int> changed;
        for (const Change& change : move) {
          EXPECT_NE(y[static_cast<std::size_t>(change.coordinate)], change.level);
          EXPECT_TRUE(changed.insert(change.coordinate).second);
          y[static_cast<std::size_t>(change.coordinate)] = change.level;
        }
        EXPECT_TRUE(all.contains(y)) << text_of(type.decode(x)) << " became " << testing::PrintToString(y);
        if (met.insert(y).second) open.push_back(y);
      };
      while (!open.empty()) {
        const Point x = open.back();
        open.pop_back();
        for (int i = 0; i < static_cast<int>(x.size()); ++i) {
          Changes move;
          if (!random) type.for_each_move(x, i, [&](const Changes& m) { take(x, m); });
          for (int k = 0; random && k < 60; ++k) {
            type.random_move(x, i, rng, move);
            if (!move.empty()) take(x, move);
          }
        }
      }
      EXPECT_EQ(met, all) << (random ? "by random moves" : "by moves");
    }
  }
}

TEST(Structure, NoNeighbourIsMetTwice) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(described(c.variable));
    const Space space({c.variable});
    const Constraints constraints(space, {});
    for (const Point& x : allowed(*c.variable.type->structure())) {
      std::multiset<Point> met;
      for_each_neighbour(space, constraints, x, [&](const Point& y) { met.insert(y); });
      EXPECT_EQ(std::set<Point>(met.begin(), met.end()).size(), met.size()) << space.text(x, 0);
      EXPECT_FALSE(met.contains(x));
    }
  }
}

TEST(Structure, AnOrderHasAllSwapsAndInsertionsAsNeighbours) {
  const Space space({permutation("p", {"a", "b", "c", "d", "e"})});
  const Constraints constraints(space, {});
  Point x(5);
  space.set(x, 0, Value::List{"a", "b", "c", "d", "e"});
  std::set<Point> wanted;
  std::vector<std::string> order{"a", "b", "c", "d", "e"};
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      if (i == j) continue;
      auto swapped = order, inserted = order;
      std::swap(swapped[i], swapped[j]);
      inserted.erase(inserted.begin() + static_cast<std::ptrdiff_t>(i));
      inserted.insert(inserted.begin() + static_cast<std::ptrdiff_t>(j), order[i]);
      for (const auto& next : {swapped, inserted}) {
        Point y(5);
        space.set(y, 0, Value::List(next.begin(), next.end()));
        wanted.insert(y);
      }
    }
  }
  std::set<Point> met;
  for_each_neighbour(space, constraints, x, [&](const Point& y) { met.insert(y); });
  EXPECT_EQ(met, wanted);
}

/// Random structures, conditions and rules together, against enumeration of all vectors of levels: the same points, the
/// same count, moves that connect them if they are all, draws among them, and values that read back.
TEST(Structure, ThousandRandomSpacesAgreeWithEnumeration) {
  int satisfiable = 0;
  for (std::uint64_t number = 0; number < 1000; ++number) {
    Rng rng(number, "spaces");
    const auto pick = [&rng](int least, int most) {
      return least + static_cast<int>(rng.below(static_cast<std::uint32_t>(most - least + 1)));
    };
    const auto items = [&](const char* prefix, int count) {
      std::vector<std::string> names;
      for (int i = 0; i < count; ++i) names.push_back(prefix + std::to_string(i));
      return names;
    };
    std::vector<Variable> variables{integer("n", 0, 2)};
    std::vector<Constraint> rules;
    for (int k = pick(1, 2); k > 0; --k) {
      const std::string name = "v" + std::to_string(k), prefix = "i" + std::to_string(k) + "_";
      switch (pick(0, 4)) {
        case 0: {
          const int size = pick(2, 4), least = pick(0, size - 1);
          variables.push_back(subset(name, items(prefix.c_str(), size), least, pick(std::max(1, least), size)));
          if (pick(0, 1) == 0) rules.push_back(constraint::rule("chosen(" + prefix + "0) or n >= 1"));
          break;
        }
        case 1:
          variables.push_back(permutation(name, items(prefix.c_str(), pick(2, 4))));
          if (pick(0, 1) == 0) rules.push_back(constraint::rule("before(" + prefix + "0, " + prefix + "1)"));
          break;
        case 2:
          variables.push_back(assignment(name, items(prefix.c_str(), 3), items("p", 2), {.capacity = {pick(1, 3), 3}}));
          break;
        case 3:
          variables.push_back(mixture(name, items(prefix.c_str(), pick(2, 3)), {.step = 0.25, .at_most = 2}));
          if (pick(0, 1) == 0) rules.push_back(constraint::rule("amount(" + prefix + "0) <= 0.5"));
          break;
        default:
          variables.push_back(multiset(name, items(prefix.c_str(), pick(2, 3)), pick(1, 3)));
      }
    }
    if (pick(0, 1) == 0) variables.push_back(when("n >= 1", integer("m", 1, 3)));
    if (pick(0, 2) == 0) variables.push_back(when("m == 2", binary("b")));
    if (variables.back().name == "b" && variables[variables.size() - 2].name != "m") variables.pop_back();
    if (pick(0, 2) == 0) rules.push_back(constraint::rule("n <= 1"));
    const Space space(variables);
    std::set<Point> truth;
    for_each_vector(space.coordinates(), [&](const Point& x) {
      const bool own = std::all_of(space.rules().begin(), space.rules().end(), [&](const OwnRule& rule) {
        double sum = 0;
        for (const auto& part : rule.parts) {
          const auto level = x[static_cast<std::size_t>(part.coordinate)];
          sum += part.level ? (level == *part.level ? part.weight : 0) : part.weight * level;
        }
        return rule.low <= sum && sum <= rule.high;
      });
      if (!own) return;
      const bool given = std::all_of(rules.begin(), rules.end(), [&](const Constraint& rule) {
        const auto at = [&](const std::string& name) {
          return space[space.index(name)].value(x[static_cast<std::size_t>(space.index(name))]);
        };
        const auto item = rule.rule.substr(rule.rule.find('(') + 1, 4);
        const std::string owner = item.size() > 1 ? "v" + item.substr(1, 1) : "";
        if (rule.rule == "n <= 1") return at("n") <= 1;
        if (rule.rule.starts_with("chosen")) return at(owner + "[" + item + "]") == 1 || at("n") >= 1;
        if (rule.rule.starts_with("amount")) return at(owner + "[" + item + "]") <= 0.5;
        const auto second = rule.rule.substr(rule.rule.find(", ") + 2, 4);
        return at(owner + "[" + item + "]") < at(owner + "[" + second + "]");
      });
      if (given) truth.insert(x);
    });
    if (truth.empty()) {
      EXPECT_THROW(Constraints(space, rules), InvalidArgument);
      continue;
    }
    ++satisfiable;
    const Constraints constraints(space, rules);
    if (constraints.empty()) continue;  // every vector of levels is a point
    EXPECT_EQ(constraints.feasible().count(), static_cast<double>(truth.size())) << number;
    std::set<Point> listed;
    constraints.feasible().for_each([&](const Point& x) { listed.insert(x); });
    EXPECT_EQ(listed, truth) << number;
    for (int k = 0; k < 3; ++k) {
      const Point x = constraints.feasible().random(rng);
      EXPECT_TRUE(truth.contains(x));
      EXPECT_TRUE(truth.contains(random_neighbour(space, constraints, x, rng)));
      for_each_neighbour(space, constraints, x, [&](const Point& y) { EXPECT_TRUE(truth.contains(y)) << number; });
      Point again(x.size());
      for (int v = 0; v < static_cast<int>(variables.size()); ++v) {
        if (space.is_absent(x, v)) {
          space.set_absent(again, v);
        } else {
          space.set(again, v, space.value(x, v));
        }
      }
      EXPECT_EQ(again, x);
    }
  }
  EXPECT_GT(satisfiable, 900);
}

TEST(Structure, MistakesAreNamed) {
  const auto has = [](const std::string& text, const std::string& word) {
    EXPECT_NE(text.find(word), std::string::npos) << text;
  };
  has(complaint([] { subset("s", {"a", "a"}, 1, 1); }), "'a' twice");
  has(complaint([] { subset("s", {"a", "b"}, 3, 3); }), "size 3 of 2 items");
  has(complaint([] { subset("s", {}, 0, 0); }), "no items");
  has(complaint([] { permutation("p", {"a", "b", "a"}); }), "'a' twice");
  has(complaint([] { assignment("t", {"a", "b"}, {"x"}, {.capacity = {1}}); }), "room for 1 of 2");
  has(complaint([] { assignment("t", {"a"}, {"x"}, {.forbidden = {{"a", "z"}}}); }), "there is no 'z'");
  has(complaint([] { mixture("m", {}); }), "no parts");
  has(complaint([] { mixture("m", {"a"}, {.step = 0.3}); }), "multiple of the step 0.3");
  has(complaint([] { mixture("m", {"a"}, {.at_most = 2}); }), "at_most 2");
  const auto encode = [](const Variable& v, const Value& value) {
    return complaint([&] { (void)v.type->encode(v.name, value); });
  };
  const Variable s = subset("s", {"anna", "ben", "carl"}, 2, 2), p = permutation("p", {"a", "b"});
  has(encode(s, Value::List{"anna", "anna"}), "'anna' twice");
  has(encode(s, Value::List{"anna"}), "found 1 items; allowed: 2");
  has(encode(s, Value::List{"ana", "ben"}), "did you mean 'anna'");
  has(encode(s, "anna"), "a list of items");
  has(encode(p, Value::List{"a"}), "'b' is missing");
  has(encode(p, Value::List{"a", "b", "a"}), "'a' twice");
  const Variable t = assignment("t", {"a"}, {"x"}), m = mixture("m", {"u", "v"}, {.step = 0.5});
  has(encode(t, Value::Map{{"a", "y"}}), "there is no 'y'");
  has(encode(t, Value::Map{}), "'a' has no place");
  has(encode(m, Value::Map{{"u", 0.5}}), "add up to 0.5; allowed: 1");
  has(encode(m, Value::Map{{"u", 0.7}, {"v", 0.3}}), "a multiple of 0.5");
  has(complaint([] { variable_from("v", Value::Map{{"kind", "order"}}); }), "there is no kind of variable 'order'");
  has(complaint([] {
        variable_from("v", Value::Map{{"kind", "subset"}, {"item", Value::List{"a"}}});
      }),
      "did you mean 'items'");
}

TEST(Condition, DecidesWhatExistsAndCountsExactly) {
  const Space space({categorical("kernel", {"rbf", "linear", "poly"}), when("kernel == poly", integer("degree", 2, 4)),
                     when("degree >= 3", binary("trick")),
                     when("kernel in {rbf, poly}", real("gamma", 0, 1, {.steps = 2}))});
  const Constraints constraints(space, {});
  // rbf: gamma 3; linear: 1; poly: gamma 3 * (degree 2: 1, degrees 3 and 4: 2 each)
  EXPECT_EQ(constraints.feasible().count(), 3 + 1 + 3 * 5);
  std::set<Point> all;
  constraints.feasible().for_each([&](const Point& x) {
    EXPECT_TRUE(all.insert(x).second);
    EXPECT_EQ(space.is_absent(x, 1), space.text(x, 0) != "poly");
    EXPECT_EQ(space.is_absent(x, 2), space.text(x, 1) != "3" && space.text(x, 1) != "4");
  });
  std::set<Point> met{*all.begin()};
  std::vector<Point> open{*all.begin()};
  while (!open.empty()) {
    const Point x = open.back();
    open.pop_back();
    for_each_neighbour(space, constraints, x, [&](const Point& y) {
      EXPECT_TRUE(all.contains(y)) << space.format(y);
      if (met.insert(y).second) open.push_back(y);
    });
  }
  EXPECT_EQ(met, all);
  Rng rng(5, "conditions");
  for (int k = 0; k < 200; ++k) EXPECT_TRUE(all.contains(random_neighbour(space, constraints, *all.begin(), rng)));
}

TEST(Condition, ABranchWithManySettingsIsNotDrawnMoreOften) {
  const Space space({categorical("kind", {"few", "many"}), when("kind == many", integer("a", 1, 20)),
                     when("kind == many", integer("b", 1, 10)), binary("c")});
  const Constraints constraints(space, {});
  EXPECT_EQ(constraints.feasible().count(), 2 + 2 * 20 * 10);
  Rng rng(7, "draws");
  int many = 0, on = 0;
  std::map<int, int> values;
  constexpr int kDraws = 20000;
  for (int k = 0; k < kDraws; ++k) {
    const Point x = constraints.feasible().random(rng);
    many += x[0];
    on += x[3];
    if (x[0] == 1) ++values[x[1]];
  }
  EXPECT_NEAR(many, kDraws / 2, 5 * std::sqrt(kDraws / 4.0));
  EXPECT_NEAR(on, kDraws / 2, 5 * std::sqrt(kDraws / 4.0));
  ASSERT_EQ(values.size(), 20U);
  for (const auto& [level, count] : values) EXPECT_NEAR(count, many / 20, 5 * std::sqrt(many / 20.0)) << level;
}

/// Relations, commas and words of the language inside quotes are a part of the value, or of the name.
TEST(Condition, QuotedTextsAreTexts) {
  const std::vector<std::string> levels{"a == b", "x} y", "not in {z}", "<= 3", "it's"};
  for (std::size_t chosen = 0; chosen < levels.size(); ++chosen) {
    std::string value = levels[chosen] == "it's" ? "it''s" : levels[chosen];
    for (const std::string& condition :
         {"`on == off` == '" + value + "'", "`on == off` in {'" + value + "'}", std::string("not `flag in use`")}) {
      const Space space({categorical("on == off", levels), binary("flag in use"), when(condition, binary("child"))});
      const Constraints constraints(space, {});
      for (std::int32_t level = 0; level < 5; ++level) {
        const bool exists = condition.starts_with("not") || level == static_cast<std::int32_t>(chosen);
        EXPECT_EQ(constraints.satisfied({level, 0, 1}), exists) << condition << ", level " << level;
        EXPECT_EQ(constraints.satisfied({level, 0, 0}), !exists) << condition << ", level " << level;
      }
    }
  }
}

TEST(Condition, MistakesAreNamed) {
  const auto with = [](const std::string& condition) {
    return complaint([&] {
      Space({categorical("kernel", {"rbf", "poly"}), when(condition, integer("degree", 2, 4)), integer("n", 1, 3),
             permutation("p", {"a", "b"})});
    });
  };
  EXPECT_EQ(with("kernel == poly"), "");
  EXPECT_NE(with("kernl == poly").find("did you mean 'kernel'"), std::string::npos);
  EXPECT_NE(with("kernel == sigmoid").find("not one of its levels"), std::string::npos);
  EXPECT_NE(with("kernel >= rbf").find("has no order"), std::string::npos);
  EXPECT_NE(with("n >= 1").find("it always holds"), std::string::npos);
  EXPECT_NE(with("n > 3").find("it never holds"), std::string::npos);
  EXPECT_NE(with("degree == 2").find("when it has a value itself"), std::string::npos);
  EXPECT_NE(with("p[a] == 1").find("a variable of one value"), std::string::npos);
  EXPECT_NE(with("").find("empty condition"), std::string::npos);
  EXPECT_NE(with("kernel ==").find("allowed: NAME == VALUE"), std::string::npos);
  EXPECT_NE(with("kernel == rbf poly").find("column 15: found 'poly'"), std::string::npos);
  EXPECT_NE(with("kernel == rbf and n == 1").find("allowed: NAME == VALUE"), std::string::npos);
  EXPECT_NE(with("1 <= n <= 2").find("allowed: NAME == VALUE"), std::string::npos);
  EXPECT_EQ(with("n not in {1, 3}"), "");
  EXPECT_NE(complaint([] {
              Space({when("b", binary("a")), when("a", binary("b"))});
            }).find("a, b go in a circle"),
            std::string::npos);
  EXPECT_NE(complaint([] { when("a", permutation("p", {"x"})); }).find("variables of one value"), std::string::npos);
}

}  // namespace
}  // namespace bocs
