#include "bocs/method/bocs.hpp"

#include <gtest/gtest.h>

#include "bocs/core/error.hpp"
#include "bocs/method/initial.hpp"

namespace bocs {
namespace {

/// What the parts were given, so that a test can look.
struct Log {
  int rows = 0;
  Vector y;
  int draws = 0;
  PointSet excluded;
  double at_all_ones = 0;
};

struct FixedRegression : Regression {
  FixedRegression(Log& l, double value) : log(l), coefficient(value) {}
  std::vector<Draw> sample(const Design& X, const Vector& y, int draws, Rng&) const override {
    log.rows = X.rows();
    log.y = y;
    log.draws = draws;
    return std::vector<Draw>(static_cast<std::size_t>(draws), Draw{1.0, Vector::Constant(X.cols(), coefficient), 1, 0});
  }
  Log& log;
  double coefficient;
};

struct FixedMinimizer : Minimizer {
  explicit FixedMinimizer(Log& l) : log(l) {}
  void check(const Space&, int) const override {}
  Minimum minimize(const Polynomial& f, const Allowed& allowed, Rng&) const override {
    log.excluded = allowed.excluded;
    const Point ones(static_cast<std::size_t>(f.space().dimension()), 1);
    log.at_all_ones = f(ones);
    return {ones, f(ones), -7, Status::limit, {}};
  }
  Log& log;
};

std::unique_ptr<Method> fixed_bocs(Log& log, const Space& space, double coefficient, bool repeats = false) {
  BocsOptions options;
  options.initial = 2;
  options.repeats = repeats;
  std::vector<Surrogate> surrogates;
  for (const int order : {3, 2}) {
    surrogates.push_back({std::make_shared<Basis>(space, order), std::make_unique<FixedRegression>(log, coefficient)});
  }
  return std::make_unique<Bocs>(options, std::move(surrogates), std::make_unique<FixedMinimizer>(log));
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
  for (int n = 0; n < 2; ++n) EXPECT_EQ(method->propose(task, history, n).x, initial_point(task, history, n, false));
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
  EXPECT_EQ(log.rows, 2);
  EXPECT_EQ(log.draws, 1);
  EXPECT_EQ(log.y, (Vector(2) << 5, -2).finished());
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

TEST(Bocs, TakesItsSurrogatesInTurn) {
  Log log;
  const Task task{Space::binary(4), 0, 0, 4};
  const auto method = fixed_bocs(log, task.space, 0);
  History history;
  add(history, State::complete, {0, 0, 0, 0}, 1);
  EXPECT_EQ(method->propose(task, history, 6).info.how, "order 3");
  EXPECT_EQ(method->propose(task, history, 7).info.how, "order 2");
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

/// Truth by enumeration: x' Q x over the space, all points but the best five evaluated.
TEST(Bocs, RecommendsTheModelsOptimumNotJustTheBestObserved) {
  const Task task{Space::binary(6), 0.1, 0, 2};
  Rng rng(3, "test");
  Matrix Q(6, 6);
  for (Eigen::Index k = 0; k < Q.size(); ++k) Q.data()[k] = rng.normal();
  std::vector<std::pair<double, Point>> all;
  for (int code = 0; code < 64; ++code) {
    Vector x(6);
    Point point(6);
    for (int i = 0; i < 6; ++i) x[i] = point[static_cast<std::size_t>(i)] = (code >> i) & 1;
    all.emplace_back(x.dot(Q * x), point);
  }
  const auto penalized = [&](const auto& entry) { return entry.first + penalty(task, entry.second); };
  std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return penalized(a) < penalized(b); });
  History history;
  for (std::size_t k = 5; k < all.size(); ++k) add(history, State::complete, all[k].second, all[k].first);
  for (const char* spec : {"bocs", "bocs:model=mle", "bocs-sdp"}) {
    const Proposal proposal = make_method(spec, task.space)->recommend(task, history);
    EXPECT_EQ(proposal.x, all[0].second) << spec;
    EXPECT_NEAR(proposal.info.predicted, penalized(all[0]), 0.05) << spec;
  }
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

TEST(BocsOptions, AutomaticOrder) {
  const auto order = [](const std::string& spec, const Space& space, int number) {
    History history;
    add(history, State::complete, Point(static_cast<std::size_t>(space.dimension()), 0), 1);
    return make_method(spec, space)->propose(Task{space, 0, 0, 1}, history, number).info.how;
  };
  EXPECT_EQ(order("bocs:initial=1", Space::binary(5), 2), "order 3");
  EXPECT_EQ(order("bocs:initial=1", Space::binary(5), 3), "order 2");
  EXPECT_EQ(order("bocs-sdp:initial=1", Space::binary(5), 2), "order 2");
  EXPECT_EQ(order("mle-sa:initial=1", Space::binary(5), 2), "order 2");
  EXPECT_EQ(order("bocs:initial=1", Space::binary(31), 2), "order 2");
  EXPECT_EQ(order("bocs:initial=1", Space({integer("n", 0, 3), binary("b")}), 2), "order 2");
  EXPECT_EQ(order("bocs:initial=1,order=4", Space::binary(5), 3), "order 4");
}

}  // namespace
}  // namespace bocs
