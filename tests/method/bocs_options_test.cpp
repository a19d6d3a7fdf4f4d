// The options that shape the model: extra, exclude, integers. What the model is made of shows in what it proposes.

#include <gtest/gtest.h>

#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/method/options.hpp"

namespace bocs {

using namespace constraint;

namespace {

/// The proposal after 60 random points other than `left_out`, none of them noisy.
template <class F>
Proposal propose(const std::string& method, const Task& task, const Point& left_out, const F& f) {
  History history;
  Rng rng(5, "points");
  while (history.size() < 60) {
    Trial trial;
    trial.number = history.size();
    trial.state = State::complete;
    trial.x = task.space.random(rng);
    if (trial.x == left_out) continue;
    trial.y = f(trial.x);
    history.add(trial);
  }
  return make_method(method, task.space)->propose(task, history, history.size());
}

std::string refusal(const std::string& method, const Space& space) {
  try {
    (void)make_method(method, space);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(BocsMinimizer, ExactTreatsALargeSpaceOfFewAllowedPoints) {
  std::vector<Variable> variables;
  for (int i = 0; i < 24; ++i) variables.push_back(integer("n" + std::to_string(i), 0, 3));
  const Space space(variables);
  std::vector<Term> sum;
  for (const Variable& v : variables) sum.push_back({v.name});
  const Task task{.space = space, .seed = 1, .constraints = Constraints(space, {linear(sum, "<=", 2)})};
  EXPECT_NE(refusal("bocs:minimizer=exact", space), "accepted");
  const auto method = make_method("bocs:minimizer=exact,order=2,initial=1", space, task.constraints);
  History history;
  Trial trial;
  trial.state = State::complete;
  trial.x = Point(24, 0);
  trial.y = 1;
  history.add(trial);
  EXPECT_TRUE(task.constraints.satisfied(method->propose(task, history, 1).x));
}

TEST(BocsExtra, FindsTheOptimumThatOnlyAnExtraMonomialShows) {
  const Task task{.space = Space::binary(8), .seed = 1};
  const auto f = [](const Point& x) { return x[0] + x[1] + x[2] + x[3] + x[4] + x[5] - 6 * x[0] * x[1] * x[2] * x[3]; };
  const Point optimum{1, 1, 1, 1, 0, 0, 1, 1};  // x6 and x7 do not matter: any of four points
  const auto found = [&](const std::string& method) { return f(propose(method, task, optimum, f).x); };
  EXPECT_GT(found("bocs:order=1"), -2);
  EXPECT_EQ(found("bocs:order=1,extra=x0*x1*x2*x3"), -2);
  EXPECT_EQ(found("bocs:order=1,extra=x2*x4*x6+x3*x1*x0*x2"), -2);
}

TEST(BocsExtra, TheInitialDesignShowsTheMonomials) {
  // Eight of twenty at once: no random design of 20 points would.
  const Task task{.space = Space::binary(20), .seed = 1};
  const auto method = make_method("bocs:initial=20,extra=x0*x1*x2*x3*x4*x5*x6*x7", task.space);
  History history;
  int shown = 0;
  for (int n = 0; n < 20; ++n) {
    Trial trial;
    trial.number = n;
    trial.state = State::complete;
    trial.x = method->propose(task, history, n).x;
    trial.y = 0;
    shown += std::all_of(trial.x.begin(), trial.x.begin() + 8, [](int level) { return level == 1; }) ? 1 : 0;
    history.add(trial);
  }
  EXPECT_EQ(shown, 1);
}

TEST(BocsExtra, OrdersStillCompete) {
  const Task task{.space = Space::binary(8), .seed = 1};
  const auto proposal = propose("bocs:extra=x0*x1*x2*x3*x4", task, {}, [](const Point& x) { return x[0] - x[1]; });
  EXPECT_TRUE(proposal.info.member == "order 2" || proposal.info.member == "order 4") << proposal.info.member;
}

TEST(BocsExclude, LeavesTheEffectOutOfTheModel) {
  // Only the model can outweigh the penalty on x0.
  const Task task{.space = Space::binary(8), .l1 = 0.1, .seed = 1};
  const auto f = [](const Point& x) { return x[1] - 4.0 * x[0]; };
  EXPECT_EQ(propose("bocs:order=1", task, {}, f).x[0], 1);
  EXPECT_EQ(propose("bocs:order=1,exclude=x0+x7", task, {}, f).x[0], 0);
}

TEST(BocsIntegers, ByLevelFindAMinimumInTheMiddle) {
  const Task task{.space = Space({integer("n", -3, 3), binary("a"), binary("b"), integer("m", 1, 9)}), .seed = 1};
  const auto f = [](const Point& x) { return (x[0] == 2 ? -1.0 : 0.0) + x[1] + 0.1 * x[3]; };
  EXPECT_NE(propose("bocs:order=1", task, {2, 0, 0, 0}, f).x[0], 2);
  EXPECT_EQ(propose("bocs:order=1,integers=levels", task, {2, 0, 0, 0}, f).x[0], 2);
  EXPECT_EQ(propose("bocs:order=1,integers=levels,extra=n=-1*m=4*a", task, {2, 0, 0, 0}, f).x[0], 2);
}

TEST(BocsOptions, RefusesNamesAndMinimizersThatDoNotFit) {
  const Space space = Space::binary(6);
  EXPECT_EQ(refusal("bocs:extra=x0*x1*x2+x3*x4*x5,exclude=x0*x1", space), "accepted");
  for (const std::string option : {"extra", "exclude"}) {
    const std::string text = refusal("bocs:" + option + "=x0*x1+x2*y", space);
    EXPECT_NE(text.find("'x2*y'"), std::string::npos) << text;
    EXPECT_NE(text.find("x0, x1, x2, x3, x4, x5"), std::string::npos) << text;
  }
  EXPECT_NE(refusal("bocs:extra=x0*x1*x2+", space), "accepted");
  EXPECT_NE(refusal("bocs:extra=x0*x1*x2,exclude=x2*x1*x0", space), "accepted");
  EXPECT_NE(refusal("bocs:minimizer=sdp,extra=x0*x1*x2", space).find("minimizer=sdp"), std::string::npos);
  EXPECT_NE(refusal("bocs:integers=both", space).find("value, levels"), std::string::npos);
}

}  // namespace
}  // namespace bocs
