#include "bocs/method/replay.hpp"

#include <gtest/gtest.h>

#include "bocs/acquire/initial.hpp"

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
  const KnownValues known(task, history);
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

}  // namespace
}  // namespace bocs
