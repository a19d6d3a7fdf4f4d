// What every method must do, run over every registered one.

#include "bocs/method/method.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "bocs/numeric/linalg.hpp"
#include "bocs/rule/feasible.hpp"
#include "bocs/run/optimizer.hpp"
#include "bocs/run/work.hpp"

namespace bocs {

using namespace constraint;

namespace {

/// Every registered method and shorthand, and combinations of parts worth their own run.
std::vector<std::string> all_specs() {
  std::vector<std::string> specs;
  for (const auto& method : list_methods()) {
    specs.push_back(method.name);
    for (const auto& shorthand : method.shorthands) specs.push_back(shorthand.substr(0, shorthand.find(' ')));
  }
  for (const char* spec :
       {"bocs:model=bayes", "bocs:minimizer=tabu,order=4", "bocs:minimizer=exact", "bocs:polish=1"}) {
    specs.emplace_back(spec);
  }
  return specs;
}

/// x' Q x with a random Q, symmetric in nothing: an easy quadratic program.
std::function<double(const Point&)> quadratic_program(int d, std::uint64_t instance) {
  Rng rng(instance, "quadratic program");
  Matrix Q(d, d);
  for (Eigen::Index k = 0; k < Q.size(); ++k) Q.data()[k] = rng.normal();
  return [Q](const Point& x) {
    Vector z(Q.rows());
    for (Eigen::Index i = 0; i < z.size(); ++i) z[i] = x[static_cast<std::size_t>(i)];
    return z.dot(Q * z);
  };
}

bool fails(const Point& x) { return PointHash()(x) % 10 < 3; }

Limits trials(int count) {
  Limits limits;
  limits.trials = count;
  return limits;
}

class EveryMethod : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] Optimizer optimizer(const Task& task, Sense sense = Sense::minimize, History history = {}) const {
    return Optimizer(task, GetParam(), sense, std::move(history));
  }
};

std::vector<Point> points(const Optimizer& optimizer) {
  std::vector<Point> result;
  for (const auto& trial : optimizer.history().trials()) result.push_back(trial.x);
  return result;
}

/// The first `count` trials, as a history of their own.
History prefix(const History& history, int count) {
  History result;
  for (const auto& trial : history.trials().first(static_cast<std::size_t>(count))) result.add(trial);
  return result;
}

TEST_P(EveryMethod, ProposesFeasiblePointsAndNeverOneTwice) {
  const Task task{Space::binary(7), 0.1, 0, 3};
  Optimizer session = optimizer(task);
  work(session, callback(quadratic_program(7, 1)), trials(40));
  EXPECT_EQ(session.history().size(), 40);
  EXPECT_EQ(session.history().seen().size(), 40u);
  for (const Point& x : points(session)) EXPECT_TRUE(task.space.contains(x));
}

TEST_P(EveryMethod, TreatsIntegersAndCategoriesOrRefusesThemAtOnce) {
  const Task task{Space({integer("n", -2, 3), categorical("kind", {"red", "green", "blue"}), binary("b")}), 0, 0.1, 3};
  std::unique_ptr<Method> method;
  try {
    method = make_method(GetParam(), task.space);
  } catch (const InvalidArgument& e) {
    EXPECT_STRNE(e.what(), "");
    return;
  }
  Optimizer session = optimizer(task);
  const auto f = [](const Point& x) { return std::pow(x[0] - 3, 2) + (x[1] == 2 ? -2 : 0) + 0.5 * x[2]; };
  const WorkResult result = work(session, callback(f), trials(100));
  EXPECT_EQ(result.reason, Reason::exhausted);
  EXPECT_EQ(session.history().seen().size(), 36u);
}

TEST_P(EveryMethod, ExhaustsASmallSpaceAndThenSaysSo) {
  Optimizer session = optimizer({Space::binary(4), 0, 0, 8});
  EXPECT_EQ(work(session, callback(quadratic_program(4, 2)), trials(50)).reason, Reason::exhausted);
  EXPECT_EQ(session.history().seen().size(), 16u);
  EXPECT_EQ(session.history().size(), 16);
  EXPECT_THROW(session.ask(), SpaceExhausted);
}

TEST_P(EveryMethod, GivesTheSameTrialsForAnyNumberOfThreads) {
  std::vector<std::vector<Point>> runs;
  for (const int threads : {1, 2, 8}) {
    Optimizer session = optimizer({Space::binary(8), 0, 0, 4});
    Limits limits = trials(28);
    limits.batch = 4;
    limits.threads = threads;
    work(session, callback(quadratic_program(8, 3)), limits);
    runs.push_back(points(session));
  }
  EXPECT_EQ(runs[0], runs[1]);
  EXPECT_EQ(runs[0], runs[2]);
}

TEST_P(EveryMethod, ResumedIsTheSameAsNeverInterrupted) {
  const Task task{Space::binary(6), 0, 0, 5};
  Optimizer whole = optimizer(task);
  const auto f = [](const Point& x) { return fails(x) ? kUnknown : quadratic_program(6, 4)(x); };
  work(whole, callback(f), trials(20));
  for (int done = 0; done < 20; ++done) {
    Optimizer resumed = optimizer(task, Sense::minimize, prefix(whole.history(), done));
    const Trial next = resumed.ask();
    const Trial& expected = whole.history().trials()[static_cast<std::size_t>(done)];
    EXPECT_EQ(next.number, expected.number);
    EXPECT_EQ(next.x, expected.x) << "after " << done;
    if (!std::isnan(expected.info.predicted)) {
      EXPECT_EQ(next.info.predicted, expected.info.predicted);
    }
  }
}

TEST_P(EveryMethod, ProposesDifferentPointsWhileOthersArePending) {
  Optimizer session = optimizer({Space::binary(5), 0, 0, 6});
  work(session, callback(quadratic_program(5, 5)), trials(14));
  PointSet asked;
  for (int i = 0; i < 18; ++i) asked.insert(session.ask().x);
  EXPECT_EQ(asked.size(), 18u);
  EXPECT_EQ(session.history().seen().size(), 32u);
  EXPECT_THROW(session.ask(), SpaceExhausted);
}

TEST_P(EveryMethod, ToleratesFailures) {
  Optimizer session = optimizer({Space::binary(7), 0, 0, 7});
  const auto f = [](const Point& x) {
    if (fails(x)) throw std::runtime_error("no convergence");
    return quadratic_program(7, 6)(x);
  };
  const WorkResult result = work(session, callback(f), trials(40));
  EXPECT_EQ(result.reason, Reason::trials);
  EXPECT_GT(result.failures, 0);
  EXPECT_LT(result.failures, 40);
  EXPECT_EQ(session.history().seen().size(), 40u);
  EXPECT_FALSE(fails(session.best()->x));
}

TEST_P(EveryMethod, SurvivesConstantAndExtremeValues) {
  for (const double scale : {0.0, 1e-300, 1e300}) {
    Optimizer session = optimizer({Space::binary(5), 0, 0, 9});
    const auto f = [scale](const Point& x) { return scale * (x[0] - x[1]); };
    EXPECT_EQ(work(session, callback(f), trials(32)).trials, 32) << scale;
    EXPECT_EQ(session.history().seen().size(), 32u) << scale;
    EXPECT_TRUE(session.task().space.contains(session.recommend().x));
  }
}

TEST_P(EveryMethod, MaximizesLikeItMinimizesTheNegative) {
  const Task task{Space::binary(7), 0.2, 0, 10};
  const auto f = quadratic_program(7, 7);
  Optimizer up = optimizer(task, Sense::maximize), down = optimizer(task);
  work(up, callback(f), trials(24));
  work(down, callback([f](const Point& x) { return -f(x); }), trials(24));
  EXPECT_EQ(points(up), points(down));
  EXPECT_EQ(up.value(*up.best()), -down.value(*down.best()));
  EXPECT_EQ(up.recommend().x, down.recommend().x);
}

TEST_P(EveryMethod, RecommendsAPointOfTheSpaceRepeatably) {
  Optimizer session = optimizer({Space::binary(6), 0.1, 0, 12});
  EXPECT_THROW((void)session.recommend(), InvalidArgument);
  work(session, callback(quadratic_program(6, 8)), trials(20));
  const Recommendation first = session.recommend(), second = session.recommend();
  EXPECT_TRUE(session.task().space.contains(first.x));
  EXPECT_EQ(first.x, second.x);
  EXPECT_EQ(first.value, second.value);
}

/// Cardinality, exclusion and implication over bits; points that satisfy them are few among all.
Task constrained_task(std::uint64_t seed) {
  const Space space = Space::binary(12);
  return {
      .space = space,
      .l1 = 0.1,
      .seed = seed,
      .constraints = Constraints(space, {exactly(4, switched_on(space)), mutually_exclusive({{"x0"}, {"x1"}, {"x2"}}),
                                         required({{"x3"}}, {{"x4"}})})};
}

TEST_P(EveryMethod, NeverProposesWhatTheConstraintsForbid) {
  const Task task = constrained_task(4);
  Optimizer session = optimizer(task);
  const auto f = quadratic_program(12, 9);
  work(session, callback(f), trials(40));
  PointSet different;
  for (const Point& x : points(session)) {
    EXPECT_NO_THROW(task.constraints.check(x));
    different.insert(x);
  }
  EXPECT_EQ(different.size(), 40u);
  EXPECT_NO_THROW(task.constraints.check(session.recommend().x));
}

TEST_P(EveryMethod, SolvesMixedSpacesUnderConstraints) {
  const Space space({real("n", -1, 1.5, {.step = 0.5}), categorical("kind", {"red", "green", "blue"}), binary("b"),
                     ordinal("m", {0, 0.5, 1, 1.5, 2})});
  // The sum of two numbers is fixed: neither can move alone.
  const Task task{
      .space = space,
      .seed = 2,
      .constraints = Constraints(space, {linear({{"n"}, {"m"}}, "==", 1.5), forbidden({{"kind", "red"}, {"b"}})})};
  std::unique_ptr<Method> method;
  try {
    method = make_method(GetParam(), space);
  } catch (const InvalidArgument&) {
    return;  // binary spaces only
  }
  const double all = *task.constraints.feasible().count();
  EXPECT_EQ(all, 25);  // 5 pairs (n, m) and 5 pairs (kind, b)
  Optimizer session = optimizer(task);
  Limits limits = trials(1000);
  const auto worked = work(session, callback([](const Point& x) { return x[0] * x[1] - 2.0 * x[2] + x[3]; }), limits);
  for (const Point& x : points(session)) EXPECT_TRUE(task.constraints.satisfied(x));
  if (GetParam() != "bocs-sdp" && worked.reason == Reason::exhausted) {
    EXPECT_EQ(worked.trials, 25);  // every one, none twice
  }
}

TEST_P(EveryMethod, SolvesStructuresAndConditions) {
  const Space space({permutation("route", {"a", "b", "c"}), subset("panel", {"x", "y", "z"}, 1, 2),
                     assignment("plan", {"i", "j"}, {"p", "q"}, {.capacity = {1, 2}}),
                     mixture("blend", {"u", "v", "w"}, {.step = 0.5, .at_most = 2}), multiset("slots", {"m", "n"}, 2),
                     categorical("tool", {"saw", "laser"}), when("tool == laser", integer("speed", 1, 3))});
  const Task task{
      .space = space, .seed = 4, .constraints = Constraints(space, {rule("before(a, c)"), rule("x or speed >= 2")})};
  try {
    (void)make_method(GetParam(), space, task.constraints);
  } catch (const InvalidArgument&) {
    return;  // binary spaces only
  }
  PointSet all;
  task.constraints.feasible().for_each([&](const Point& x) { all.insert(x); });
  EXPECT_EQ(*task.constraints.feasible().count(), static_cast<double>(all.size()));
  const auto f = callback([](const Point& x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (i % 3 == 0 ? -1.0 : 0.7) * x[i];
    return sum;
  });
  Optimizer whole = optimizer(task), resumed = optimizer(task);
  work(whole, f, trials(40));
  PointSet different;
  for (const Point& x : points(whole)) {
    EXPECT_TRUE(all.contains(x)) << space.format(x);
    different.insert(x);
  }
  EXPECT_EQ(different.size(), 40U);
  EXPECT_TRUE(all.contains(whole.recommend().x));
  resumed = optimizer(task, Sense::minimize, prefix(whole.history(), 25));
  work(resumed, f, trials(15));
  EXPECT_EQ(points(whole), points(resumed));
}

TEST_P(EveryMethod, UnderConstraintsResumedEqualsUninterruptedForAnyThreads) {
  const Task task = constrained_task(6);
  const auto f = callback(quadratic_program(12, 11));
  Optimizer whole = optimizer(task), threads = optimizer(task);
  Limits limits = trials(36);
  limits.batch = 3;
  work(whole, f, limits);
  limits.threads = 4;
  work(threads, f, limits);
  EXPECT_EQ(points(whole), points(threads));
  Optimizer resumed = optimizer(task, Sense::minimize, prefix(whole.history(), 18));
  limits.trials = 18;
  work(resumed, f, limits);
  EXPECT_EQ(points(whole), points(resumed));
}

TEST_P(EveryMethod, IsNotWorseThanRandomSearchOnAnEasyProgram) {
  double difference = 0;  // of the best values, summed; both start from the same points
  for (std::uint64_t instance = 0; instance < 5; ++instance) {
    const Task task{Space::binary(10), 0, 0, instance};
    const auto f = quadratic_program(10, 100 + instance);
    Optimizer session = optimizer(task), random(task, "random");
    work(session, callback(f), trials(50));
    work(random, callback(f), trials(50));
    difference += session.value(*session.best()) - random.value(*random.best());
  }
  EXPECT_LE(difference, 0);
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(all_specs()), [](const auto& test) {
  std::string name = test.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

}  // namespace
}  // namespace bocs
