#include "bocs/method/method.hpp"

#include <gtest/gtest.h>

#include "bocs/core/error.hpp"

namespace bocs {
namespace {

TEST(MethodRecommend, IsTheBestObservedUnlessTheMethodKnowsBetter) {
  const Task task{Space::binary(2), 1.0, 0, 0};
  const auto method = make_method("random", task.space);
  History history;
  EXPECT_THROW(method->recommend(task, history), InvalidArgument);
  for (const auto& [x, y] : {std::pair{Point{1, 1}, 0.0}, std::pair{Point{0, 1}, 0.5}, std::pair{Point{0, 0}, 3.0}}) {
    Trial trial;
    trial.number = history.size();
    trial.state = State::complete;
    trial.x = x;
    trial.y = y;
    history.add(trial);
  }
  const Proposal proposal = method->recommend(task, history);
  EXPECT_EQ(proposal.x, (Point{0, 1}));
  EXPECT_DOUBLE_EQ(proposal.info.predicted, 1.5);  // 0.5 + |x|_1
}

}  // namespace
}  // namespace bocs
