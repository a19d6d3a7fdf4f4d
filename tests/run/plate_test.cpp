#include "bocs/run/plate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/run/optimizer.hpp"

namespace bocs {
namespace {

/// The rules of a plate, read off its points one by one: written down again, without the library.
bool keeps(const Space& space, const Plate& plate, const std::vector<Point>& batch) {
  const auto level = [&](const Point& x, const std::string& name) {
    return x[static_cast<std::size_t>(space.index(name))];
  };
  for (std::size_t k = 0; k < batch.size(); ++k) {
    const std::size_t first = plate.block == 0 ? 0 : k - k % static_cast<std::size_t>(plate.block);
    for (const auto& name : plate.same) {
      if (level(batch[k], name) != level(batch[first], name)) return false;
    }
    for (std::size_t other = 0; other < k; ++other) {
      int differing = 0;
      for (std::size_t i = 0; i < batch[k].size(); ++i) differing += batch[k][i] != batch[other][i] ? 1 : 0;
      if (differing < std::max(1, plate.distance)) return false;
    }
  }
  for (const auto& [name, most] : plate.at_most) {
    std::set<std::int32_t> used;
    for (const Point& x : batch) used.insert(level(x, name));
    if (static_cast<int>(used.size()) > most) return false;
  }
  return true;
}

std::vector<Point> points_of(const std::vector<Trial>& trials) {
  std::vector<Point> points;
  for (const Trial& trial : trials) points.push_back(trial.x);
  return points;
}

struct Random {
  Space space;
  std::vector<Point> all;  // the points there are
  Constraints constraints;
  Plate plate;
  int count;
};

/// A small space with a constraint or a table of candidates, or neither, and a random plate.
Random random_case(Rng& rng) {
  const auto number = [&](std::uint32_t most) { return 1 + static_cast<int>(rng.below(most)); };
  const std::vector<Variable> variables{categorical("solvent", {"a", "b", "c"}), integer("celsius", 1, number(4)),
                                        binary("dry"), ordinal("parts", {0.5, 1, 4})};
  Random made{Space(variables), {}, {}, {}, number(8)};
  const bool is_table = rng.below(3) == 0, is_ruled = rng.below(3) == 0;
  const auto allowed = [&](const Point& x) { return !is_ruled || x[1] <= 1 || x[2] == 1; };
  std::vector<Point> rows;
  for (int a = 0; a < 3; ++a) {
    for (int t = 0; t < made.space[1].levels; ++t) {
      for (int b = 0; b < 2; ++b) {
        for (int p = 0; p < 3; ++p) {
          const Point x{a, t, b, p};
          if (is_table && !rows.empty() && rng.below(2) == 0) continue;
          rows.push_back(x);
          if (allowed(x)) made.all.push_back(x);
        }
      }
    }
  }
  if (made.all.empty()) return random_case(rng);
  std::vector<Constraint> rules;
  if (is_ruled) rules.push_back(constraint::rule("if celsius >= 3 then dry"));
  made.constraints =
      Constraints(made.space, rules, is_table ? std::make_shared<const Candidates>(made.space, rows) : nullptr);
  if (rng.below(2) == 0) made.plate.same.push_back("celsius");
  if (rng.below(4) == 0) made.plate.same.push_back("solvent");
  if (!made.plate.same.empty() && rng.below(2) == 0) made.plate.block = number(4);
  if (rng.below(2) == 0) made.plate.at_most["parts"] = number(3);
  if (rng.below(3) == 0) made.plate.at_most["solvent"] = number(2);
  made.plate.distance = static_cast<int>(rng.below(4));
  return made;
}

TEST(Plate, AThousandRandomRuleSetsAreKeptExactly) {
  Rng rng(1);
  int full = 0, cut = 0;
  for (int round = 0; round < 1000; ++round) {
    const Random made = random_case(rng);
    Task task{made.space, 0, 0, static_cast<std::uint64_t>(round)};
    task.constraints = made.constraints;
    Optimizer optimizer(task, "random");
    std::string why;
    std::vector<Point> batch = points_of(ask_plate(optimizer, made.count, made.plate, &why));
    ASSERT_TRUE(keeps(made.space, made.plate, batch)) << round;
    for (const Point& x : batch) ASSERT_NE(std::find(made.all.begin(), made.all.end(), x), made.all.end()) << round;
    const bool is_full = static_cast<int>(batch.size()) == made.count;
    (is_full ? full : cut) += 1;
    ASSERT_EQ(why.empty(), is_full) << round;
    if (is_full) continue;
    for (const Point& x : made.all) {  // by enumeration: nothing could have been added
      batch.push_back(x);
      EXPECT_FALSE(keeps(made.space, made.plate, batch)) << round;
      batch.pop_back();
    }
  }
  EXPECT_GT(full, 300);
  EXPECT_GT(cut, 100);
}

TEST(Plate, TheNextRulesAllowExactlyWhatKeepsThem) {
  Rng rng(2);
  for (int round = 0; round < 300; ++round) {
    const Random made = random_case(rng);
    std::vector<Point> batch;
    for (int k = 0; k < made.count; ++k) {
      const std::vector<Constraint> rules = next_rules(made.space, made.plate, batch);
      std::vector<Point> fitting;
      for (const Point& x : made.all) {
        bool fits = true;
        for (const Constraint& rule : rules) {
          double sum = 0;
          for (const Term& term : rule.terms) {
            const int i = made.space.index(term.variable);
            sum += format_level(made.space[i], x[static_cast<std::size_t>(i)]) == term.is ? term.weight : 0;
          }
          fits = fits && sum >= rule.low && sum <= rule.high;
        }
        const bool is_new = std::find(batch.begin(), batch.end(), x) == batch.end();
        batch.push_back(x);
        EXPECT_EQ(fits && is_new, keeps(made.space, made.plate, batch)) << round;
        batch.pop_back();
        if (fits && is_new) fitting.push_back(x);
      }
      if (fitting.empty()) break;
      batch.push_back(fitting[rng.below(static_cast<std::uint32_t>(fitting.size()))]);
    }
  }
}

TEST(Plate, EveryMethodKeepsTheRulesAndKnowsTheBatch) {
  const Space space({categorical("solvent", {"a", "b", "c", "d"}), integer("celsius", 20, 29), binary("dry")});
  const Plate plate{.same = {"celsius"}, .block = 3, .at_most = {{"solvent", 2}}, .distance = 1};
  for (const char* method : {"bocs", "ei", "smac"}) {
    Optimizer optimizer({space, 0, 0, 5}, method);
    for (int week = 0; week < 4; ++week) {
      const std::vector<Trial> trials = ask_plate(optimizer, 9, plate);
      EXPECT_TRUE(keeps(space, plate, points_of(trials))) << method;
      for (const Trial& trial : trials) {
        EXPECT_EQ(trial.info.rules.empty(), &trial == &trials.front()) << method;
        optimizer.tell(trial.number, std::abs(trial.x[1] - 6) + trial.x[0] + 0.5 * trial.x[2]);
      }
    }
  }
}

TEST(Plate, WaitingTrialsBelongToTheBatchOrAreRefused) {
  const Space space({integer("celsius", 1, 5), integer("n", 1, 5)});
  Optimizer optimizer({space, 0, 0, 1}, "random");
  optimizer.enqueue({2, 3});
  const std::vector<Trial> fitting = ask_plate(optimizer, 4, {.same = {"celsius"}});
  EXPECT_EQ(fitting.front().x, (Point{2, 3}));
  for (const Trial& trial : fitting) EXPECT_EQ(trial.x[0], 2);
  optimizer.enqueue({0, 0});
  optimizer.enqueue({1, 1});
  EXPECT_THROW(ask_plate(optimizer, 4, {.same = {"celsius"}}), InvalidArgument);
  EXPECT_EQ(optimizer.ask().x, (Point{0, 0}));  // both were given back
  EXPECT_EQ(optimizer.ask().x, (Point{1, 1}));
}

TEST(Plate, RefusesWhatIsNoRule) {
  const Space space({real("x", 0, 1), integer("n", 1, 5), subset("s", {"a", "b"}, 0, 2)});
  EXPECT_THROW((Plate{.same = {"m"}}.check(space)), InvalidArgument);
  EXPECT_THROW((Plate{.same = {"x"}}.check(space)), InvalidArgument);
  EXPECT_THROW((Plate{.same = {"s"}}.check(space)), InvalidArgument);
  EXPECT_THROW((Plate{.block = 2}.check(space)), InvalidArgument);
  EXPECT_THROW((Plate{.at_most = {{"n", 0}}}.check(space)), InvalidArgument);
  EXPECT_THROW((Plate{.distance = 2}.check(space)), InvalidArgument);
  EXPECT_NO_THROW((Plate{.same = {"n"}, .block = 2, .at_most = {{"n", 2}}, .distance = 1}.check(space)));
}

}  // namespace
}  // namespace bocs
