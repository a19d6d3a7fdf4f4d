#include "bocs/method/replay.hpp"

#include <gtest/gtest.h>

#include "bocs/acquire/initial.hpp"
#include "bocs/method/method.hpp"

namespace bocs {
namespace {

TEST(KnownValues, TellsUnseenFromUnfinishedFromKnown) {
  const Task task{Space::binary(3), 0.5, 0, 1};
  History history;
  const auto add = [&history](Point x, State state, double y) {
    history.add({history.size(), state, std::move(x), y, {}, 0, {}, {}});
  };
  add({1, 1, 0}, State::complete, 3);
  add({1, 0, 0}, State::failed, kUnknown);
  add({0, 1, 0}, State::running, kUnknown);
  add({0, 0, 1}, State::running, kUnknown);  // asked twice: one answer is enough
  add({0, 0, 1}, State::complete, 1);
  add({1, 1, 0}, State::complete, 6);
  KnownValues known;
  EXPECT_TRUE(known.extend(task, history));
  EXPECT_EQ(known.find({0, 0, 0}), nullptr);
  EXPECT_DOUBLE_EQ(*known.find({1, 1, 0}), 4.5 + 2 * 0.5);  // mean of two, plus the penalty of two ones
  EXPECT_EQ(*known.find({1, 0, 0}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(*known.find({0, 1, 0}), std::numeric_limits<double>::infinity());
  EXPECT_DOUBLE_EQ(*known.find({0, 0, 1}), 1.5);
}

TEST(RandomStart, IsThatOfRandomSearch) {
  const Task task{Space::binary(20), 0, 0, 9};
  EXPECT_EQ(random_start(task, 0), initial_point(task, {}, 0, false));
  EXPECT_NE(random_start(task, 0), random_start(task, 1));
}

/// Histories as they come: in order, late, failed, measured again, shorter than before, of another task.
class ReplayOf : public testing::TestWithParam<std::string> {
 protected:
  void expect_same(const Task& task, int number) const {
    const auto fresh = make_method(GetParam(), task.space);
    EXPECT_EQ(kept_->propose(task, history_, number).x, fresh->propose(task, history_, number).x) << number;
  }
  static double value(const Point& x) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) sum += x[i] == x[i + 1] ? 1.0 : 0.1 * static_cast<double>(i);
    return sum;
  }
  const Task task_{Space::binary(9), 0.1, 0, 4};
  std::unique_ptr<Method> kept_ = make_method(GetParam(), task_.space);
  History history_;
};

TEST_P(ReplayOf, GoesOnWhereItStoppedAndChangesNoBit) {
  Rng rng(6, "what happens");
  History shorter;
  for (int number = 0; number < 250; ++number) {
    expect_same(task_, number);
    Trial trial{number, State::running, kept_->propose(task_, history_, number).x, kUnknown, {}, 0, {}, {}};
    if (number % 40 == 17) trial.x = history_.trials()[number / 2].x;  // measured again
    history_.add(trial);
    if (number == 100) shorter = history_;
    if (number % 10 == 3) continue;  // told late
    const auto outcome =
        number % 25 == 8 ? Outcome::failure("no") : Outcome::value(value(trial.x) + 0.01 * rng.normal());
    history_.finish(number, outcome);
    if (number % 10 == 7) history_.finish(number - 4, Outcome::value(value(history_.trials()[number - 4].x)));
    if (number % 50 == 30) expect_same(Task{Space::binary(9), 0.1, 0, 5}, number + 1);
  }
  history_ = shorter;
  expect_same(task_, 101);
}

INSTANTIATE_TEST_SUITE_P(Searches, ReplayOf, testing::Values("annealing", "local", "particle"),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace bocs
