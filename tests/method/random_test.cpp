#include "bocs/method/baseline/random.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

TEST(RandomSearch, StartsWithTheInitialDesignOfTheOtherMethods) {
  const Task task{Space::binary(20), 0, 0, 3};
  const auto random = make_method("random", task.space);
  const auto bocs = make_method("bocs:initial=20", task.space);
  for (int n = 0; n < 5; ++n) EXPECT_EQ(random->propose(task, {}, n).x, bocs->propose(task, {}, n).x);
}

TEST(RandomSearch, RepeatsOnlyWhenAllowed) {
  const Task task{Space::binary(1), 0, 0, 3};
  History history;
  for (const Point& x : {Point{0}, Point{1}}) {
    Trial trial;
    trial.number = history.size();
    trial.x = x;
    history.add(trial);
  }
  EXPECT_THROW((void)make_method("random", task.space)->propose(task, history, 2), SpaceExhausted);
  EXPECT_TRUE(task.space.contains(make_method("random:repeats=true", task.space)->propose(task, history, 2).x));
}

}  // namespace
}  // namespace bocs
