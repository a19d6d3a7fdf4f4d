#include "bocs/method/method.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"

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
  const Recommendation answer = method->recommend(task, history);
  EXPECT_EQ(answer.x, (Point{0, 1}));
  EXPECT_DOUBLE_EQ(answer.value, 1.5);  // 0.5 + |x|_1
  EXPECT_EQ(answer.measurements, 1);
  EXPECT_TRUE(std::isnan(answer.error));
}

TEST(Method, SaysHowManyInitialPointsItHas) {
  for (const char* spec : {"bocs:initial=3", "ei", "random"}) {
    const Task task{Space::binary(4), 0, 0, 1};
    const auto method = make_method(spec, task.space);
    History history;
    int initial = 0;
    for (int number = 0; number < 12; ++number) {
      const Proposal proposal = method->propose(task, history, number);
      initial += proposal.info.origin == Origin::initial ? 1 : 0;
      Trial trial;
      trial.number = number;
      trial.state = State::complete;
      trial.x = proposal.x;
      trial.y = proposal.x[0] - proposal.x[1];
      history.add(trial);
    }
    EXPECT_EQ(method->initial_points({Space::binary(10)}), initial) << spec;
  }
}

}  // namespace
}  // namespace bocs
