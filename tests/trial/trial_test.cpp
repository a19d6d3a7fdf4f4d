#include "bocs/trial/trial.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

Trial running(int number, Point x) {
  Trial trial;
  trial.number = number;
  trial.x = std::move(x);
  return trial;
}

TEST(Penalty, CountsValuesNotLevels) {
  const Space space({binary("b"), integer("i", -3, 3), categorical("c", {"u", "v", "w"})});
  const Point x{1, 1, 2};  // values 1, -2, w
  EXPECT_DOUBLE_EQ(penalty({space, 0.5, 0, 0}, x), 0.5 * (1 + 2));
  EXPECT_DOUBLE_EQ(penalty({space, 0, 0.25, 0}, x), 0.25 * (1 + 4));
  EXPECT_DOUBLE_EQ(penalty({space, 0.5, 0.25, 0}, x), 1.5 + 1.25);
  EXPECT_EQ(penalty({space, 0, 0, 0}, x), 0);
  const Space grids({real("r", -1, 1, {.step = 0.5}), ordinal("o", {16, 32, 64})});
  EXPECT_DOUBLE_EQ(penalty({grids, 0.5, 0.25, 0}, {1, 2}), 0.5 * (0.5 + 64) + 0.25 * (0.25 + 64 * 64));
}

TEST(Outcome, NotFiniteIsAFailureWithAReason) {
  EXPECT_EQ(Outcome::value(2.5).state, State::complete);
  for (const double y : {kUnknown, double(INFINITY), -double(INFINITY)}) {
    const Outcome outcome = Outcome::value(y, 3);
    EXPECT_EQ(outcome.state, State::failed);
    EXPECT_FALSE(outcome.error.empty());
    EXPECT_TRUE(std::isnan(outcome.y));
    EXPECT_EQ(outcome.seconds, 3);
  }
  EXPECT_EQ(Outcome::failure("out of memory").error, "out of memory");
}

TEST(History, SettledIsWhatComesBeforeTheFirstUnfinishedTrial) {
  History history;
  EXPECT_EQ(history.stable_prefix(), 0);
  for (int number = 0; number < 5; ++number) history.add(running(number, {number % 2, number / 2 % 2}));
  history.finish(0, Outcome::value(1));
  history.finish(1, Outcome::failure("crash"));
  history.finish(3, Outcome::value(2));
  EXPECT_EQ(history.stable_prefix(), 1);
  history.finish(2, Outcome::value(3));
  EXPECT_EQ(history.stable_prefix(), 3);
  history.finish(4, Outcome::value(4));
  EXPECT_EQ(history.stable_prefix(), 4);
  Trial later = running(6, {1, 1});  // trial 5 is still without a point
  later.state = State::complete;
  history.put(later);
  EXPECT_EQ(history.stable_prefix(), 4);
}

TEST(History, BestIncludesThePenaltyAndPrefersTheEarliest) {
  const Task task{Space::binary(2), 1.0, 0, 0};
  History history;
  EXPECT_EQ(history.best(task), nullptr);
  history.add(running(0, {1, 1}));
  history.add(running(1, {0, 0}));
  history.add(running(2, {0, 1}));
  history.add(running(3, {1, 0}));
  EXPECT_EQ(history.best(task), nullptr);
  history.finish(0, Outcome::value(-1));  // total 1
  EXPECT_EQ(history.best(task)->number, 0);
  history.finish(3, Outcome::value(-0.5));  // total 0.5
  history.finish(2, Outcome::value(-0.5));  // the same
  history.finish(1, Outcome::failure("crash"));
  EXPECT_EQ(history.best(task)->number, 2);
  EXPECT_DOUBLE_EQ(total(task, *history.best(task)), 0.5);
  EXPECT_EQ(history.complete().size(), 3u);
}

TEST(History, NumbersAscendWithGapsAllowed) {
  History history;
  history.add(running(2, {0}));
  history.add(running(5, {1}));
  EXPECT_THROW(history.add(running(5, {0})), InvalidArgument);
  EXPECT_THROW(history.add(running(1, {0})), InvalidArgument);
  EXPECT_EQ(history.size(), 2);
  EXPECT_EQ(history.find(2)->x, Point{0});
  EXPECT_EQ(history.find(5)->x, Point{1});
  for (const int absent : {-1, 0, 3, 6}) EXPECT_EQ(history.find(absent), nullptr);
}

TEST(History, SeenCountsEveryState) {
  History history;
  history.add(running(0, {0, 1}));
  history.add(running(1, {1, 0}));
  history.add(running(2, {1, 1}));
  history.add(running(3, {}));  // claimed, still without a point
  history.finish(0, Outcome::value(1));
  history.finish(1, Outcome::failure("no"));
  EXPECT_EQ(history.seen().size(), 3u);
  EXPECT_TRUE(history.seen().contains({1, 1}));
  EXPECT_FALSE(history.seen().contains({0, 0}));
}

TEST(History, AFinishedTrialNeverChanges) {
  History history;
  history.add(running(0, {0}));
  history.finish(0, Outcome::value(1, 0.25));
  EXPECT_EQ(history.find(0)->seconds, 0.25);
  EXPECT_THROW(history.finish(0, Outcome::value(2)), InvalidArgument);
  EXPECT_EQ(history.find(0)->y, 1);
  EXPECT_THROW(history.finish(1, Outcome::value(2)), InvalidArgument);
}

TEST(History, TrialsArePutInOrderOfTheirNumber) {
  History history;
  history.put(running(5, {0, 1}));
  history.put(running(2, {1, 1}));
  history.put(running(3, {}));
  ASSERT_EQ(history.size(), 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(history.trials()[static_cast<std::size_t>(i)].number, (std::array{2, 3, 5}[i]));
  history.put(running(3, {1, 0}));  // its point arrives
  EXPECT_TRUE(history.seen().contains({1, 0}));
  EXPECT_THROW(history.put(running(3, {0, 0})), InvalidArgument);  // and stays
  Trial done = running(3, {1, 0});
  done.state = State::complete;
  done.y = 2;
  history.put(done);
  EXPECT_EQ(history.find(3)->y, 2);
  EXPECT_THROW(history.put(done), InvalidArgument);
  EXPECT_THROW(history.put(running(3, {1, 0})), InvalidArgument);
}

TEST(History, OutcomesAreCompleteOrFailed) {
  History history;
  history.add(running(0, {0}));
  EXPECT_THROW(history.finish(0, Outcome{State::waiting, 1, "", 0}), InvalidArgument);
  history.finish(0, Outcome{State::complete, INFINITY, "", 0});  // made by hand, past Outcome::value
  EXPECT_EQ(history.find(0)->state, State::failed);
  EXPECT_TRUE(std::isnan(history.find(0)->y));
  EXPECT_FALSE(history.find(0)->error.empty());
}

}  // namespace
}  // namespace bocs
