#include "bocs/method/options.hpp"

#include <gtest/gtest.h>

#include <set>

#include "bocs/acquire/thompson.hpp"
#include "bocs/base/error.hpp"
#include "bocs/method/model_based.hpp"
#include "bocs/run/optimizer.hpp"

namespace bocs {

using namespace constraint;

namespace {

/// What the parts were given, so that a test can look.
struct Log {
  std::vector<Vector> y;  // of every regression
  int draws = 0;
  PointSet excluded;
  double at_all_ones = 0;
};

struct FixedRegression : Regression {
  FixedRegression(Log& l, double value) : log(l), coefficient(value) {}
  std::vector<Draw> sample(const Design& X, const Vector& y, int draws, Rng&) const override {
    EXPECT_EQ(X.rows(), y.size());
    log.y.push_back(y);
    log.draws = draws;
    return std::vector<Draw>(static_cast<std::size_t>(draws), Draw{1.0, Vector::Constant(X.cols(), coefficient), 1, 0});
  }
  Log& log;
  double coefficient;
};

struct FixedMinimizer : Minimizer {
  explicit FixedMinimizer(Log& l) : log(l) {}
  void check(const Space&, const Constraints&, int) const override {}
  Minimum minimize(const Polynomial& f, const Allowed& allowed, Rng&) const override {
    log.excluded = allowed.excluded;
    const Point ones(static_cast<std::size_t>(f.space().dimension()), 1);
    log.at_all_ones = f(ones);
    return {ones, f(ones), -7, Status::limit, {}};
  }
  Log& log;
};

/// Two initial points, then orders 2 and 3 with these parts.
std::unique_ptr<Method> fixed_bocs(Log& log, const Space& space, double coefficient, bool repeats = false) {
  std::vector<Member> members;
  for (const int order : {2, 3}) {
    const auto model = std::make_shared<PolynomialModel>(space, BasisOptions{.order = order},
                                                         std::make_shared<FixedRegression>(log, coefficient));
    members.push_back(
        {"order " + std::to_string(order), std::make_shared<Thompson>(model, std::make_shared<FixedMinimizer>(log))});
  }
  return std::make_unique<ModelBased>(ModelBasedOptions{{.points = 2, .repeats = repeats}},
                                      Portfolio(std::move(members)));
}

void add(History& history, State state, Point x, double y = kUnknown) {
  Trial trial;
  trial.number = history.size();
  trial.state = state;
  trial.x = std::move(x);
  trial.y = y;
  history.add(trial);
}

TEST(Bocs, DrawsTheInitialDesignFirstAndWhileNothingIsComplete) {
  Log log;
  const Task task{Space::binary(8), 0, 0, 4};
  const auto method = fixed_bocs(log, task.space, 0);
  History history;
  for (int n = 0; n < 2; ++n) {
    EXPECT_EQ(method->propose(task, history, n).x, design_point(task, history, n, {.points = 2}));
  }
  add(history, State::failed, {0, 0, 0, 0, 0, 0, 0, 0});
  add(history, State::running, {1, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(method->propose(task, history, 2).info.how, "initial design");
  EXPECT_EQ(log.draws, 0);
  EXPECT_THROW((void)method->recommend(task, history), InvalidArgument);
}

TEST(Bocs, LearnsFromCompleteTrialsAndExcludesAllOthersToo) {
  Log log;
  const Task task{Space::binary(3), 0, 0, 4};
  History history;
  add(history, State::complete, {0, 0, 1}, 5);
  add(history, State::failed, {0, 1, 0});
  add(history, State::running, {1, 0, 0});
  add(history, State::complete, {1, 1, 0}, -2);
  (void)fixed_bocs(log, task.space, 0)->propose(task, history, 4);
  EXPECT_EQ(log.draws, 1);
  ASSERT_EQ(log.y.size(), 2u);
  EXPECT_EQ(log.y[0], (Vector(2) << 5, -2).finished());
  EXPECT_EQ(log.y[1], (Vector(3) << 0, 1, 0).finished());  // which of the finished trials failed
  EXPECT_EQ(log.excluded.size(), 4u);
  (void)fixed_bocs(log, task.space, 0, true)->propose(task, history, 4);
  EXPECT_TRUE(log.excluded.empty());
}

TEST(Bocs, AddsThePenaltyAnalytically) {
  Log log;
  History history;
  add(history, State::complete, {0, 0, 0}, 1);
  const Task task{Space::binary(3), 0.5, 0.25, 4};
  const Proposal proposal = fixed_bocs(log, task.space, 0)->propose(task, history, 2);
  EXPECT_DOUBLE_EQ(log.at_all_ones, 1.0 + 3 * 0.75);
  EXPECT_DOUBLE_EQ(proposal.info.predicted, 1.0 + 3 * 0.75);
  EXPECT_EQ(proposal.info.lower_bound, -7);
  EXPECT_EQ(proposal.info.status, Status::limit);
}

TEST(Bocs, OrdersCompete) {
  Log log;
  const Task task{Space::binary(4), 0, 0, 4};
  const auto method = fixed_bocs(log, task.space, 0);
  History history;
  add(history, State::complete, {0, 0, 0, 0}, 1);
  int low = 0;
  for (int number = 6; number < 46; ++number)
    low += method->propose(task, history, number).info.member == "order 2" ? 1 : 0;
  EXPECT_GT(low, 5);  // a fair coin while there is nothing to compare
  EXPECT_LT(low, 35);
}

TEST(Bocs, ProposesARandomPointAndSaysSoWhenADrawIsNotFinite) {
  Log log;
  const Task task{Space::binary(4), 0, 0, 4};
  History history;
  add(history, State::complete, {0, 0, 0, 0}, 1);
  const auto method = fixed_bocs(log, task.space, kUnknown);
  const Proposal proposal = method->propose(task, history, 6);
  EXPECT_TRUE(task.space.contains(proposal.x));
  EXPECT_FALSE(history.seen().contains(proposal.x));
  EXPECT_EQ(proposal.info.status, Status::repaired);
  EXPECT_EQ(proposal.info.repairs, 1);
  EXPECT_EQ(method->recommend(task, history).x, (Point{0, 0, 0, 0}));
}

TEST(Bocs, RecommendsTheBestObservedUnlessMeasurementsDisagree) {
  const Task task{Space::binary(6), 0.1, 0, 2};
  History history;
  Rng rng(3, "test");
  for (int n = 0; n < 30; ++n) {
    const Point x = task.space.random(rng);
    add(history, State::complete, x, x[0] + 2.0 * x[1] - x[2]);
  }
  const auto method = make_method("bocs", task.space);
  EXPECT_EQ(method->recommend(task, history).x, history.best(task)->x);

  // The same point measured by luck at -5, then three times at 4: it is not the best any more.
  const Point lucky{1, 1, 0, 0, 0, 0};
  add(history, State::complete, lucky, -5);
  for (int n = 0; n < 3; ++n) add(history, State::complete, lucky, 4);
  const Recommendation answer = method->recommend(task, history);
  EXPECT_EQ(history.best(task)->x, lucky);
  EXPECT_NE(answer.x, lucky);
  EXPECT_EQ(answer.x[2], 1);
  EXPECT_GT(answer.error, 0);
}

/// Every point has a value of its own that no model can know: only measuring again tells the good from the lucky.
TEST(Bocs, UnderNoiseSomeTrialsMeasureAPromisingPointAgain) {
  const Task task{Space::binary(8), 0, 0, 5};
  Optimizer optimizer(task, "bocs:noise=true,initial=10");
  const auto f = [](const Point& x) {
    std::uint64_t code = 0;
    for (const auto bit : x) code = 2 * code + static_cast<std::uint64_t>(bit);
    return 2 * Rng(3, "own value", code).normal();
  };
  Rng noise(1, "noise");
  std::vector<double> again;
  std::vector<double> fresh;
  for (int t = 0; t < 98; ++t) {
    const PointSet seen = optimizer.history().seen();
    const Trial trial = optimizer.ask();
    const bool repeated = seen.contains(trial.x);
    EXPECT_TRUE(!repeated || t % 4 == 0) << trial.info.how;
    if (t >= 10) (repeated ? again : fresh).push_back(f(trial.x));
    optimizer.tell(t, f(trial.x) + noise.normal());
  }
  const auto mean = [](const std::vector<double>& v) {
    return Eigen::Map<const Vector>(v.data(), static_cast<Eigen::Index>(v.size())).mean();
  };
  ASSERT_GE(again.size(), 6u);  // of 22 occasions
  EXPECT_LT(mean(again), mean(fresh) - 1);
  EXPECT_LT(f(optimizer.recommend().x), mean(fresh) - 2);
}

/// Eight points, two of them nearly equally good: where the trials go when every point has been measured.
TEST(Bocs, UnderNoiseASmallSpaceIsMeasuredOnAndOn) {
  const std::vector<double> truth{0, 3, 0.8, 5, 4, 6, 7, 3};
  const auto code = [](const Point& x) { return static_cast<std::size_t>(x[0] + 2 * x[1] + 4 * x[2]); };
  for (const char* method : {"bocs:noise=true,initial=4", "bocs:noise=true,initial=20", "bocs:noise=true,order=1"}) {
    Optimizer optimizer({Space::binary(3), 0, 0, 2}, method);
    Rng noise(1, "noise");
    std::vector<int> count(8, 0);
    for (int t = 0; t < 100; ++t) {
      const Trial trial = optimizer.ask();
      ++count[code(trial.x)];
      optimizer.tell(t, truth[code(trial.x)] + noise.normal());
    }
    EXPECT_GT(count[0] + count[2], 75) << method;
    EXPECT_GT(count[0], 25) << method;
    EXPECT_GT(count[2], 4) << method;  // as long as there is doubt
    const Recommendation answer = optimizer.recommend();
    EXPECT_EQ(code(answer.x), 0U) << method;
    EXPECT_EQ(answer.measurements, count[0]) << method;
    EXPECT_NEAR(answer.error, 1 / std::sqrt(count[0]), 0.4 / std::sqrt(count[0]))
        << method;  // the noise has variance 1
    EXPECT_NEAR(answer.value, truth[0], 4 * answer.error) << method;
  }
  Optimizer exact({Space::binary(2), 0, 0, 2}, "bocs:noise=true");  // nothing is in doubt: the best is measured again
  for (int t = 0; t < 12; ++t) exact.tell(t, exact.ask().x == Point{0, 1} ? -5 : 1);
  EXPECT_EQ(exact.ask().x, (Point{0, 1}));
}

TEST(Bocs, FailuresBesideHugeValuesStillGiveAProposal) {
  Optimizer optimizer({Space::binary(4), 0, 0, 1}, "bocs:initial=4");
  for (int t = 0; t < 12; ++t) {
    const Trial trial = optimizer.ask();
    optimizer.tell(t, t % 3 == 0 ? Outcome::failure("crashed") : Outcome::value(t % 2 == 0 ? 1.7e308 : -1.7e308));
  }
  EXPECT_EQ(optimizer.history().size(), 12);
}

/// Fails wherever x0 = x1 = 1, which is also where the values would be best.
TEST(Bocs, KeepsAwayFromRegionsThatFailWithoutForbiddingThem) {
  const Task task{Space::binary(12), 0, 0, 3};
  const auto fails = [](const Point& x) { return x[0] == 1 && x[1] == 1; };
  int failures = 0;
  int late = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Task seeded = task;
    seeded.seed = seed;
    Optimizer optimizer(seeded, "bocs:initial=15,order=2");
    for (int t = 0; t < 65; ++t) {
      const Trial trial = optimizer.ask();
      double y = -2.0 * trial.x[0] - 2.0 * trial.x[1];
      for (std::size_t i = 2; i < 12; ++i) y += (i % 2 == 0 ? 0.5 : -0.5) * trial.x[i] * (1 + trial.x[(i + 5) % 12]);
      optimizer.tell(t, fails(trial.x) ? Outcome::failure("crashed") : Outcome::value(y));
      if (t >= 15) failures += fails(trial.x) ? 1 : 0;
      if (t >= 40) late += fails(trial.x) ? 1 : 0;
    }
  }
  // Blind to failures, nearly all 150 proposals fail: they are where the model extrapolates to the best values.
  EXPECT_LT(failures, 45);
  EXPECT_LT(late, 15);
}

TEST(BocsOptions, PublishedIsOrderTwoWithRepeatsAndExplicitSettingsWin) {
  const Task task{Space::binary(4), 0, 0, 1};
  History history;
  for (int code = 0; code < 16; ++code) {
    add(history, State::complete, {code & 1, (code >> 1) & 1, (code >> 2) & 1, (code >> 3) & 1}, code);
  }
  // The whole space is seen: only with repeats is there a proposal.
  const std::string quick = "bocs:published=true,model.sweeps=20";
  for (const int number : {16, 17}) {
    EXPECT_EQ(make_method(quick, task.space)->propose(task, history, number).info.how, "order 2");
    EXPECT_EQ(make_method(quick + ",minimizer=annealing", task.space)->propose(task, history, number).info.how,
              "order 2");
  }
  EXPECT_THROW((void)make_method(quick + ",repeats=false", task.space)->propose(task, history, 16), SpaceExhausted);
  EXPECT_EQ(make_method(quick + ",order=1", task.space)->propose(task, history, 16).info.how, "order 1");
}

TEST(Bocs, SaysWhatTheSemidefiniteRelaxationDidAboutConstraints) {
  const Space space = Space::binary(12);
  const Task task{.space = space, .seed = 3, .constraints = Constraints(space, {exactly(3, switched_on(space))})};
  History history;
  for (int n = 0; n < 20; ++n) {
    const Point x = design_point(task, history, n, {.points = 20});
    add(history, State::complete, x, x[0] + 2 * x[1] - x[2] * x[3]);
  }
  const Proposal proposal = make_method("bocs-sdp", space)->propose(task, history, 20);
  EXPECT_TRUE(task.constraints.satisfied(proposal.x));
  EXPECT_NE(proposal.info.how.find("repaired"), std::string::npos) << proposal.info.how;
  EXPECT_NE(proposal.info.how.find("tabu"), std::string::npos) << proposal.info.how;
  EXPECT_LE(proposal.info.lower_bound, proposal.info.predicted);
}

TEST(Bocs, EveryMinimumOfADrawHasABound) {
  const std::vector<std::pair<std::string, Space>> cases = {
      {"bocs:polish=0", Space::binary(14)},  // too many points to look at all of them
      {"bocs-sa", Space::binary(14)},
      {"bocs:order=3,minimizer=tabu", Space::binary(14)},
      {"bocs:order=2,minimizer=tabu", Space({integer("n", -2, 5), categorical("c", {"a", "b", "c"}), binary("x")})},
  };
  for (const auto& [spec, space] : cases) {
    const Task task{.space = space, .l1 = 0.1, .seed = 5};
    History history;
    for (int n = 0; n < 20; ++n) {
      const Point x = design_point(task, history, n, {.points = 20});
      add(history, State::complete, x, 3.0 * x[0] * x[1] - 2.0 * x[1] * x[2] + x[2]);
    }
    const Info info = make_method(spec, space)->propose(task, history, 20).info;
    EXPECT_TRUE(std::isfinite(info.lower_bound)) << spec;
    EXPECT_LE(info.lower_bound, info.predicted) << spec;
  }
}

TEST(BocsOptions, AutomaticOrder) {
  const auto orders = [](const std::string& spec, const Space& space) {
    History history;
    add(history, State::complete, Point(static_cast<std::size_t>(space.dimension()), 0), 1);
    const auto method = make_method(spec, space);
    std::set<std::string> seen;
    for (int number = 2; number < 20; ++number) {
      seen.insert(method->propose(Task{space, 0, 0, 1}, history, number).info.member);
    }
    return seen;
  };
  const std::set<std::string> two{"order 2"};
  const std::set<std::string> two_and_three{"order 2", "order 3"};
  const std::set<std::string> two_and_four{"order 2", "order 4"};
  EXPECT_EQ(orders("bocs:initial=1,polish=0", Space::binary(5)), two_and_four);
  EXPECT_EQ(orders("bocs:initial=1,polish=0", Space::binary(26)), two_and_four);
  EXPECT_EQ(orders("bocs:initial=1,polish=0", Space::binary(27)), two);
  EXPECT_EQ(orders("bocs:initial=1,polish=0", Space({integer("n", 0, 30), binary("b")})), two_and_three);
  EXPECT_EQ(orders("bocs-sdp:initial=1", Space::binary(5)), two);
  EXPECT_EQ(orders("bocs-sa:initial=1", Space::binary(5)), two);
  EXPECT_EQ(orders("mle-sa:initial=1", Space::binary(5)), two);
  EXPECT_EQ(orders("bocs:initial=1,order=4", Space::binary(5)), std::set<std::string>{"order 4"});
}

TEST(Bocs, AfterManyEvaluationsOrderFourIsTooExpensive) {
  const Space space = Space::binary(12);
  const Task task{space, 0, 0, 1};
  History history;
  for (int code = 0; code < 1001; ++code) {
    Point x(12);
    for (int i = 0; i < 12; ++i) x[static_cast<std::size_t>(i)] = code >> i & 1;
    add(history, State::complete, x, x[0] - x[1] * x[2]);
  }
  const auto method = make_method("bocs:initial=1", space);
  for (int number = 1001; number < 1009; ++number) {
    EXPECT_EQ(method->propose(task, history, number).info.member, number % 4 == 3 ? "ei" : "order 2");
  }
}

TEST(BocsOptions, RepeatsGoOnWhenEveryPointIsKnown) {
  const Space space = Space::binary(2);
  History history;
  for (const Point& x : {Point{0, 0}, Point{0, 1}, Point{1, 0}, Point{1, 1}}) {
    add(history, State::complete, x, x[0] - x[1]);
  }
  const auto method = make_method("bocs:initial=1,repeats=true", space);
  for (int number = 4; number < 12; ++number) {
    EXPECT_NO_THROW(static_cast<void>(method->propose(Task{space, 0, 0, 1}, history, number))) << number;
  }
}

TEST(BocsOptions, WhichTrialsExpectedImprovementTakes) {
  const auto taken = [](const std::string& spec, const Space& space) {
    History history;
    add(history, State::complete, Point(static_cast<std::size_t>(space.dimension()), 0), 1);
    const auto method = make_method(spec, space);
    std::vector<int> numbers;
    for (int number = 1; number < 9; ++number) {
      const Info info = method->propose(Task{space, 0, 0, 1}, history, number).info;
      EXPECT_EQ(info.member == "ei", info.how == "expected improvement");
      if (info.member == "ei") numbers.push_back(number);
    }
    return numbers;
  };
  using Numbers = std::vector<int>;
  const Numbers all{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(taken("bocs:initial=1", Space::binary(6)), (Numbers{3, 7}));
  EXPECT_EQ(taken("bocs:initial=5", Space::binary(6)), (Numbers{7}));
  EXPECT_EQ(taken("bocs:initial=1", Space::binary(26)), (Numbers{3, 7}));
  EXPECT_EQ(taken("bocs:initial=1", Space::binary(27)), all);
  EXPECT_EQ(taken("bocs:initial=1,polish=4", Space::binary(27)), (Numbers{3, 7}));
  EXPECT_EQ(taken("bocs:initial=1,polish=3", Space::binary(256)), (Numbers{2, 5, 8}));
  EXPECT_EQ(taken("bocs:initial=1", Space::binary(257)), all);
  EXPECT_EQ(taken("bocs:initial=1", Space::binary(2001)), all);  // the polynomial that explains has order 1
  // Levels are features of the polynomial; to the Gaussian process their variable is one.
  std::vector<Variable> settings;
  for (int i = 0; i < 20; ++i) {
    settings.push_back(categorical("s" + std::to_string(i), {"a", "b", "c", "d", "e", "f", "g", "h"}));
  }
  EXPECT_EQ(taken("bocs:initial=1", Space(settings)), all);  // 140 features
  for (const char* spec : {"bocs:polish=0", "bocs:order=2", "bocs-sdp", "bocs-sa", "mle", "bocs:published=true"}) {
    EXPECT_EQ(taken(spec, Space::binary(6)), Numbers{}) << spec;
  }
}

}  // namespace
}  // namespace bocs
