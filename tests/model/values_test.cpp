#include "bocs/model/values.hpp"

#include <gtest/gtest.h>

#include "bocs/numeric/rng.hpp"
#include "bocs/poly/polynomial.hpp"

namespace bocs {
namespace {

/// Values like those of most objectives.
std::vector<double> ordinary(int n, std::uint64_t seed = 1) {
  Rng rng(seed, "values");
  std::vector<double> y;
  for (int i = 0; i < n; ++i) y.push_back(3 * rng.normal());
  return y;
}

History history_of(const std::vector<double>& y) {
  History history;
  for (const double value : y) {
    Trial trial;
    trial.number = history.size();
    trial.x = {trial.number % 2, trial.number / 2 % 2, trial.number / 4 % 2};
    history.add(trial);
    history.finish(trial.number, Outcome::value(value));
  }
  return history;
}

const Task kTask{Space::binary(3)};

/// The values that models see.
std::vector<double> seen(const std::vector<double>& y) {
  const History history = history_of(y);
  const Values values(kTask, history);
  const Vector& of_models = values.complete().y;
  return {of_models.begin(), of_models.end()};
}

TEST(Values, AreAsToldWhereNothingIsExtreme) {
  std::vector<std::vector<double>> samples{{}, {1}, {2, 2}, {0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 1e6}};
  for (std::uint64_t seed = 0; seed < 200; ++seed) samples.push_back(ordinary(8 + static_cast<int>(seed), seed));
  for (const auto& y : samples) EXPECT_EQ(seen(y), y);
}

TEST(Values, OneOrTwoBeyondAGapOnTheBadSideAreLeftOutAndMoreAreFailures) {
  for (const double extreme : {60.0, 1e3, 1e6, 1e300}) {
    std::vector<double> y = ordinary(30);
    y.insert(y.begin() + 6, extreme);
    for (const int more : {0, 1, 2, 3}) {
      if (more > 0) y.push_back(extreme + more);
      const History history = history_of(y);
      const Values values(kTask, history);
      const auto tells_nothing = [&](const Trial& trial) { return !values.counts(trial) && !values.has_failed(trial); };
      EXPECT_EQ(seen(y), ordinary(30)) << extreme;
      EXPECT_EQ(values.has_failed(history.trials()[6]), more >= 2);
      EXPECT_EQ(tells_nothing(history.trials()[6]), more < 2);
      EXPECT_FALSE(values.counts(history.trials()[6]));
      EXPECT_FALSE(values.has_failed(history.trials()[7]));
      EXPECT_FALSE(tells_nothing(history.trials()[7]));
      EXPECT_TRUE(values.counts(history.trials()[7]));
      EXPECT_EQ(values.stable_prefix(), 30);
      EXPECT_EQ(Values(kTask, history, Values::Extremes::as_told).complete().y[6], extreme);
    }
  }
  std::vector<double> y = ordinary(30);
  y.push_back(-1e6);
  EXPECT_EQ(seen(y), y);  // the good side is not touched
}

TEST(Values, APenaltyOverHalfOrMoreOfTheTrialsIsAFailure) {
  std::vector<double> y = ordinary(10);
  for (int i = 0; i < 10; ++i) y.push_back(1e6 + i);
  EXPECT_EQ(seen(y), ordinary(10));
  for (int i = 0; i < 8; ++i) y.push_back(1e6);
  EXPECT_EQ(seen(y), ordinary(10));
  for (int i = 0; i < 20; ++i) y.push_back(1e6);  // 10 of 48: now 1e6 is what is usual
  EXPECT_EQ(seen(y), y);
  y = ordinary(20);
  for (int i = 0; i < 20; ++i) y.push_back(1e6 * (1 + i % 3));  // counts of broken rules
  EXPECT_EQ(seen(y), ordinary(20));
}

TEST(Values, TheGoodRegionThatAMethodHasFoundDoesNotMakeTheOthersFailures) {
  std::vector<double> y;
  for (int i = 0; i < 60; ++i) y.push_back(-20 + 0.01 * i);
  for (int i = 0; i < 20; ++i) y.push_back(-14 + 2 * i);  // a gap of 5 beside a width of 0.6, but no error
  EXPECT_EQ(seen(y), y);
}

TEST(Values, AreOfTheCompleteTrialsInOrderWithoutThePenalty) {
  Task task = kTask;
  task.l1 = 10;
  History history = history_of({3, 1});
  for (const State state : {State::failed, State::running}) {
    Trial trial;
    trial.number = history.size();
    trial.x = {1, 1, 1};
    history.add(trial);
    if (state == State::failed) history.finish(trial.number, Outcome::failure("no"));
  }
  const Values values(task, history);
  EXPECT_EQ(values.complete().x, (std::vector<Point>{{0, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ(values.complete().y, (Vector{{3, 1}}));
  EXPECT_EQ(values.totals(), (Vector{{3, 11}}));
  EXPECT_TRUE(values.has_failed(history.trials()[2]));
  EXPECT_FALSE(values.has_failed(history.trials()[3]));
  EXPECT_FALSE(values.counts(history.trials()[3]));
}

TEST(Values, AreBroughtIntoTheRangeOfSquares) {
  for (const double size : {1e300, 1.7e308, 1e-300, 1e-310}) {
    std::vector<double> y = ordinary(20);
    for (double& value : y) value *= size / 20;
    const History history = history_of(y);
    const Values values(kTask, history);
    const Vector& z = values.complete().y;
    for (int i = 0; i < 20; ++i) EXPECT_EQ(z[i] / values.unit(), y[i]);
    EXPECT_LT(z.cwiseAbs().maxCoeff(), 2);
    EXPECT_GT(z.cwiseAbs().maxCoeff(), 1e-3);
  }
  const std::vector<double> ends = seen({-1.7e308, 1.7e308, -1.7e308, 1.7e308, 0, 1, -1.7e308, 1.7e308, 1.7e308});
  for (const double value : ends) EXPECT_LE(std::abs(value), 4);
}

TEST(Values, HaveThePenaltyInTheirUnit) {
  Task task{Space::binary(3)};
  task.l1 = 1e299;
  std::vector<double> y = ordinary(20);
  for (double& value : y) value *= 1e299;
  const History history = history_of(y);
  const Values values(task, history);
  const Vector totals = values.totals();
  for (int i = 0; i < 20; ++i) EXPECT_DOUBLE_EQ(totals[i] / values.unit(), total(task, history.trials()[i]));
  Polynomial f(std::make_shared<const Basis>(task.space, BasisOptions{.order = 1}), Vector::Zero(3), 0);
  values.add_penalty(f);
  EXPECT_DOUBLE_EQ(f({1, 0, 1}), values.penalty({1, 0, 1}));
  EXPECT_DOUBLE_EQ(values.penalty({1, 0, 1}) / values.unit(), 2e299);
}

TEST(Outliers, AreNamedWithTheirDistanceOnBothSides) {
  EXPECT_TRUE(outliers({}).empty());
  EXPECT_TRUE(outliers(history_of(ordinary(40))).empty());
  std::vector<double> y{0, 1, 2, 3, 4, 5, 6, 7, 8, 10};
  EXPECT_TRUE(outliers(history_of(y)).empty());
  y.push_back(810);
  y.push_back(-30);
  const auto found = outliers(history_of(y));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].number, 10);
  EXPECT_FALSE(found[0].is_good);
  EXPECT_DOUBLE_EQ(found[0].times, 80);
  EXPECT_EQ(found[1].number, 11);
  EXPECT_TRUE(found[1].is_good);
  EXPECT_DOUBLE_EQ(found[1].times, 3);
}

TEST(Outliers, ATenthAtMostIsExtremeOnTheGoodSide) {
  std::vector<double> y = ordinary(20);
  y.push_back(-1000);
  y.push_back(-1001);
  EXPECT_EQ(outliers(history_of(y)).size(), 2U);
  y.push_back(-1002);  // a method that has found the good region
  EXPECT_TRUE(outliers(history_of(y)).empty());
}

}  // namespace
}  // namespace bocs
