#include "bocs/run/optimizer.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"

namespace bocs {

using namespace constraint;

namespace {

Task small_task(double l1 = 0, double l2 = 0) { return {Space::binary(6), l1, l2, 11}; }

TEST(Optimizer, TakesResultsInAnyOrder) {
  Optimizer optimizer(small_task(), "random");
  const Trial a = optimizer.ask(), b = optimizer.ask(), c = optimizer.ask();
  EXPECT_EQ(c.info.pending, (std::vector<int>{0, 1}));
  optimizer.tell(c.number, 3.0);
  optimizer.tell(a.number, 1.0);
  EXPECT_EQ(optimizer.ask().info.pending, (std::vector<int>{b.number}));
  optimizer.tell(b.number, 2.0);
  ASSERT_NE(optimizer.best(), nullptr);
  EXPECT_EQ(optimizer.best()->number, a.number);
}

TEST(Optimizer, RefusesATellTwiceAndUnknownNumbers) {
  Optimizer optimizer(small_task(), "random");
  const Trial trial = optimizer.ask();
  optimizer.tell(trial.number, 1.0);
  EXPECT_THROW(optimizer.tell(trial.number, 2.0), InvalidArgument);
  EXPECT_THROW(optimizer.tell(99, 2.0), InvalidArgument);
  EXPECT_THROW(optimizer.tell(-1, 2.0), InvalidArgument);
  EXPECT_EQ(optimizer.history().size(), 1);
  EXPECT_EQ(optimizer.best()->y, 1.0);
}

TEST(Optimizer, RefusesAValueByHandThatIsNotFiniteAndLosesNothing) {
  Optimizer optimizer(small_task(), "random");
  const Trial trial = optimizer.ask();
  try {
    optimizer.tell(trial.number, std::nan(""));
    FAIL() << "accepted";
  } catch (const InvalidArgument& e) {
    EXPECT_NE(std::string(e.what()).find("nan"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("finite"), std::string::npos) << e.what();
  }
  EXPECT_EQ(optimizer.history().find(trial.number)->state, State::running);
  optimizer.tell(trial.number, 4.0);
  EXPECT_EQ(optimizer.best()->y, 4.0);
}

TEST(Optimizer, RecordsANonFiniteOutcomeAsAFailure) {
  Optimizer optimizer(small_task(), "random", Sense::maximize);
  Outcome raw;
  raw.state = State::complete;
  raw.y = std::numeric_limits<double>::infinity();
  for (const Outcome& outcome : {Outcome::value(std::nan("")), Outcome::failure("no disk"), raw}) {
    const Trial trial = optimizer.ask();
    optimizer.tell(trial.number, outcome);
    const Trial* told = optimizer.history().find(trial.number);
    EXPECT_EQ(told->state, State::failed);
    EXPECT_FALSE(told->error.empty());
  }
  EXPECT_EQ(optimizer.best(), nullptr);
}

TEST(Optimizer, AcceptsPointsNobodyAskedFor) {
  Optimizer optimizer(small_task(), "random");
  const Trial first = optimizer.ask();
  const Point x{1, 0, 1, 0, 1, 0};
  EXPECT_EQ(optimizer.tell(x, -5.0), 1);
  EXPECT_EQ(optimizer.ask().number, 2);
  EXPECT_EQ(optimizer.best()->x, x);
  EXPECT_EQ(optimizer.history().find(first.number)->state, State::running);
  EXPECT_THROW(optimizer.tell({1, 0}, 1.0), InvalidArgument);
  EXPECT_THROW(optimizer.tell({1, 0, 1, 0, 1, 2}, 1.0), InvalidArgument);
  EXPECT_THROW(optimizer.tell(x, std::nan("")), InvalidArgument);
  EXPECT_EQ(optimizer.history().size(), 3);
}

TEST(Optimizer, RefusesBadTasksAndHistories) {
  EXPECT_THROW(Optimizer(small_task(-1), "random"), InvalidArgument);
  EXPECT_THROW(Optimizer(small_task(0, std::nan("")), "random"), InvalidArgument);
  EXPECT_THROW(Optimizer(small_task(), "bogus"), InvalidArgument);
  History foreign;
  Trial trial;
  trial.x = {0, 1};
  foreign.add(trial);
  EXPECT_THROW(Optimizer(small_task(), "random", Sense::minimize, foreign), InvalidArgument);
}

TEST(Optimizer, RefusesPointsAgainstTheConstraintsAndNamesThem) {
  Task task = small_task();
  task.constraints = Constraints(task.space, {at_most(2, switched_on(task.space))});
  Optimizer optimizer(task, "random");
  EXPECT_NO_THROW(optimizer.tell({1, 1, 0, 0, 0, 0}, 1.0));
  try {
    optimizer.tell({1, 1, 1, 0, 0, 0}, 1.0);
    FAIL();
  } catch (const InvalidArgument& e) {
    EXPECT_NE(std::string(e.what()).find("at most 2 of x0=1"), std::string::npos);
  }
  Optimizer free(small_task(), "random");
  free.tell({1, 1, 1, 1, 0, 0}, 2.0);
  EXPECT_THROW(Optimizer(task, "random", Sense::minimize, free.history()), InvalidArgument);
}

TEST(Optimizer, ShowsThePenalizedValueInTheUsersSense) {
  const Space space({integer("n", -3, 4), binary("b")});
  const Point x{0, 1};  // n = -3, b = 1: |x|_1 = 4, |x|_2^2 = 10
  const auto value = [&](double l1, double l2, Sense sense) {
    Optimizer optimizer({space, l1, l2, 1}, "random", sense);
    optimizer.tell(x, 7.0);
    return optimizer.value(*optimizer.best());
  };
  EXPECT_DOUBLE_EQ(value(0.5, 0, Sense::minimize), 9);
  EXPECT_DOUBLE_EQ(value(0.5, 0, Sense::maximize), 5);
  EXPECT_DOUBLE_EQ(value(0, 0.5, Sense::minimize), 12);
  EXPECT_DOUBLE_EQ(value(0, 0.5, Sense::maximize), 2);
}

TEST(Optimizer, ThePenaltyDecidesWhatIsBest) {
  Optimizer plain(small_task(), "random"), penalized(small_task(1.0), "random");
  for (Optimizer* optimizer : {&plain, &penalized}) {
    optimizer->tell({1, 1, 1, 1, 1, 1}, 0.0);
    optimizer->tell({0, 0, 0, 0, 0, 1}, 2.0);
  }
  EXPECT_EQ(plain.best()->number, 0);
  EXPECT_EQ(penalized.best()->number, 1);
}

}  // namespace
}  // namespace bocs
