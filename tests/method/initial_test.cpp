#include "bocs/method/initial.hpp"

#include <gtest/gtest.h>

#include "bocs/core/error.hpp"

namespace bocs {
namespace {

Trial complete_trial(int number, Point x, double y) {
  Trial trial;
  trial.number = number;
  trial.state = State::complete;
  trial.x = std::move(x);
  trial.y = y;
  return trial;
}

TEST(DefaultInitial, IsTwentyForTheSizesOfThePaperAndStaysModest) {
  EXPECT_EQ(default_initial(Space::binary(10)), 20);
  EXPECT_EQ(default_initial(Space::binary(25)), 20);
  EXPECT_EQ(default_initial(Space::binary(4)), 8);
  EXPECT_EQ(default_initial(Space::binary(50)), 40);
  EXPECT_EQ(default_initial(Space::binary(1000)), 100);
}

TEST(InitialPoint, IsAFunctionOfSeedAndNumber) {
  const Task task{Space::binary(30), 0, 0, 5};
  EXPECT_EQ(initial_point(task, {}, 3, false), initial_point(task, {}, 3, false));
  EXPECT_NE(initial_point(task, {}, 3, false), initial_point(task, {}, 4, false));
  EXPECT_NE(initial_point(task, {}, 3, false), initial_point({Space::binary(30), 0, 0, 6}, {}, 3, false));
}

TEST(InitialPoint, IsRedrawnWhenSeen) {
  const Task task{Space::binary(2), 0, 0, 1};
  History history;
  for (int n = 0; n < 4; ++n) {
    const Point x = initial_point(task, history, n, false);
    EXPECT_FALSE(history.seen().contains(x)) << n;
    history.add(complete_trial(n, x, 0));
  }
  EXPECT_EQ(history.seen().size(), 4u);
  EXPECT_THROW(initial_point(task, history, 4, false), SpaceExhausted);
  EXPECT_TRUE(task.space.contains(initial_point(task, history, 4, true)));
}

TEST(InitialPoint, CoversTheSpaceEvenly) {
  const Task task{Space::binary(3), 0, 0, 9};
  std::vector<int> ones(3, 0);
  for (int n = 0; n < 2000; ++n) {
    const Point x = initial_point(task, {}, n, true);
    for (std::size_t i = 0; i < 3; ++i) ones[i] += x[i];
  }
  for (const int count : ones) EXPECT_NEAR(count, 1000, 4.5 * std::sqrt(2000 * 0.25));
}

}  // namespace
}  // namespace bocs
