#include "bocs/trial/goal.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/numeric/rng.hpp"
#include "bocs/trial/hypervolume.hpp"
#include "bocs/trial/trial.hpp"

namespace bocs {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Outcome reported(std::map<std::string, double> metrics, double y = kUnknown) {
  Outcome outcome = Outcome::metrics_alone("there is no value");
  outcome.y = y;
  outcome.metrics = std::move(metrics);
  return outcome;
}

Task two_goals() {
  Task task{Space::binary(3)};
  task.goals = {{"error", Sense::minimize}, {"gain", Sense::maximize}};
  task.outcomes = {{"heat", -kInfinity, 5}};
  return task;
}

/// A history of these errors and gains, all within the limit.
History history_of(const Task& task, const std::vector<std::pair<double, double>>& values) {
  History history;
  for (const auto& [error, gain] : values) {
    Trial trial;
    trial.number = history.size();
    trial.x = {0, 0, 0};
    history.add(trial);
    history.finish(trial.number,
                   judged(task, Sense::minimize, reported({{"error", error}, {"gain", gain}, {"heat", 1}})));
  }
  return history;
}

TEST(OutcomeLimit, IsReadAsPeopleWriteIt) {
  EXPECT_EQ(parse_outcome_limit("growth >= 0.1"), (OutcomeLimit{"growth", 0.1, kInfinity}));
  EXPECT_EQ(parse_outcome_limit("memory<=2e9"), (OutcomeLimit{"memory", -kInfinity, 2e9}));
  EXPECT_EQ(parse_outcome_limit("0.1 <= growth <= 0.5"), (OutcomeLimit{"growth", 0.1, 0.5}));
  EXPECT_EQ(parse_outcome_limit("0.5 >= growth >= 0.1"), (OutcomeLimit{"growth", 0.1, 0.5}));
  EXPECT_EQ(parse_outcome_limit("3 <= mean error"), (OutcomeLimit{"mean error", 3, kInfinity}));
  for (const char* text : {"growth >= 0.1", "memory <= 2000000000", "0.1 <= growth <= 0.5"}) {
    EXPECT_EQ(parse_outcome_limit(to_string(parse_outcome_limit(text))), parse_outcome_limit(text)) << text;
  }
  for (const char* text : {"", "growth", "growth > 0.1", "growth >= ", ">= 0.1", "1 <= 2", "a <= b", "growth >= nan",
                           "0.5 <= growth <= 0.1", "growth >= 0.1 <= 2", "1 <= growth >= 2", "1 <= g <= 2 <= 3"}) {
    EXPECT_THROW(parse_outcome_limit(text), InvalidArgument) << text;
  }
}

TEST(OutcomeLimit, MarginsAreNegativeOutside) {
  const OutcomeLimit limit{"growth", 0.1, 0.5};
  EXPECT_TRUE(limit.allows(0.1) && limit.allows(0.5) && !limit.allows(0.09) && !limit.allows(kUnknown));
  EXPECT_DOUBLE_EQ(limit.margin(0.2), 0.1);
  EXPECT_DOUBLE_EQ(limit.margin(0.7), -0.2);
}

TEST(Judged, TakesTheFirstGoalAsTheValueAndNamesWhatIsMissing) {
  const Task task = two_goals();
  const Outcome complete = judged(task, Sense::minimize, reported({{"error", 0.25}, {"gain", 3}, {"heat", 9}}));
  EXPECT_EQ(complete.state, State::complete);
  EXPECT_EQ(complete.y, 0.25);
  EXPECT_TRUE(complete.error.empty());
  const Outcome missing = judged(task, Sense::minimize, reported({{"error", 0.25}}, 7));
  EXPECT_EQ(missing.state, State::failed);
  EXPECT_NE(missing.error.find("'gain' and 'heat'"), std::string::npos) << missing.error;
  EXPECT_EQ(judged(task, Sense::minimize, Outcome::failure("broken")).error, "broken");
  Task plain{task.space};
  EXPECT_EQ(judged(plain, Sense::maximize, Outcome::value(2)).y, -2);
  EXPECT_EQ(judged(plain, Sense::minimize, reported({{"error", 1}})).error, "there is no value");
}

TEST(Judged, TrialsBeyondALimitAreNoAnswers) {
  const Task task = two_goals();
  History history = history_of(task, {{0.5, 1}});
  Trial hot;
  hot.number = 1;
  hot.x = {1, 0, 0};
  history.add(hot);
  history.finish(1, judged(task, Sense::minimize, reported({{"error", 0.1}, {"gain", 9}, {"heat", 6}})));
  EXPECT_FALSE(is_allowed(task, *history.find(1)));
  EXPECT_EQ(history.best(task)->number, 0);
  ASSERT_EQ(history.front(task).size(), 1);
  EXPECT_EQ(history.front(task).front()->number, 0);
}

TEST(Front, IsWhatABruteForceComparisonLeaves) {
  const Task task = two_goals();
  Rng rng(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::pair<double, double>> values;
    for (int i = 0; i < 12; ++i) values.emplace_back(rng.below(5), rng.below(5));
    const History history = history_of(task, values);
    std::vector<int> wanted;
    for (int i = 0; i < 12; ++i) {
      bool beaten = false;
      for (int j = 0; j < 12; ++j) {
        const bool no_worse = values[j].first <= values[i].first && values[j].second >= values[i].second;
        beaten |= j != i && no_worse && (values[j] != values[i] || j < i);
      }
      if (!beaten) wanted.push_back(i);
    }
    std::vector<int> found;
    for (const Trial* trial : history.front(task)) found.push_back(trial->number);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), [&](int a, int b) { return values[a] < values[b]; }));
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, wanted);
  }
}

TEST(Goals, KnownOnesAreSumsOverThePoint) {
  const Space space(
      {binary("a"), integer("n", 2, 5), categorical("c", {"u", "v"}), subset("s", {"p", "q", "r"}, 0, 3)});
  const Goal goal = known_goal(space, "price", "3*a + n/2 + 4*(c == v) + size(s) + 1");
  EXPECT_DOUBLE_EQ((*goal.known)({1, 1, 1, 1, 0, 1}), 3 + 1.5 + 4 + 2 + 1);
  EXPECT_DOUBLE_EQ((*goal.known)({0, 0, 0, 0, 0, 0}), 1 + 1);
  EXPECT_THROW(known_goal(space, "price", "a*n"), InvalidArgument);
  EXPECT_THROW(known_goal(space, "price", "b + 1"), InvalidArgument);
  Task task{space};
  task.goals = {goal, {"error"}};
  EXPECT_THROW(task.check(), InvalidArgument);  // the first one must be measured
  task.goals = {{"error"}, goal};
  EXPECT_NO_THROW(task.check());
  task.goals = {{"error"}, {"error"}};
  EXPECT_THROW(task.check(), InvalidArgument);
}

TEST(Hypervolume, IsTheShareOfAGridThatIsDominated) {
  EXPECT_EQ(hypervolume({{1, 3}, {2, 1}}, {4, 4}), 3 * 1 + 2 * 3 - 2 * 1 + 0.0);
  EXPECT_EQ(hypervolume({}, {4, 4}), 0);
  EXPECT_EQ(hypervolume({{5, 1}}, {4, 4}), 0);
  Rng rng(3);
  for (int goals = 1; goals <= 4; ++goals) {
    std::vector<std::vector<double>> points(6);
    for (auto& point : points) {
      for (int k = 0; k < goals; ++k) point.push_back(rng.below(7));
    }
    int cells = 0;  // unit cells of [0, 6]^goals
    int all = 1;
    for (int k = 0; k < goals; ++k) all *= 6;
    for (int cell = 0; cell < all; ++cell) {
      cells += std::any_of(points.begin(), points.end(), [&](const auto& point) {
        int rest = cell;
        for (const double value : point) {
          if (rest % 6 < value) return false;
          rest /= 6;
        }
        return true;
      });
    }
    EXPECT_EQ(hypervolume(points, std::vector<double>(goals, 6)), cells) << goals;
  }
}

}  // namespace
}  // namespace bocs
