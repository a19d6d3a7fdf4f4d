#include "bocs/acquire/outcome_models.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bocs/acquire/outcome_draws.hpp"
#include "bocs/minimize/exact.hpp"

namespace bocs {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(ChanceBetween, IsTheIntegralOfTheDensity) {
  for (const double mean : {-3.0, -0.4, 0.0, 1.3, 4.0}) {
    for (const double sd : {0.3, 1.0, 2.5}) {
      double sum = 0;  // of the density from -1 to 2, by the midpoint rule
      for (int k = 0; k < 30000; ++k) {
        const double z = (-1 + (k + 0.5) * 1e-4 - mean) / sd;
        sum += std::exp(-0.5 * z * z) / (sd * std::sqrt(2 * M_PI)) * 1e-4;
      }
      EXPECT_NEAR(log_chance_between(-1, 2, mean, sd * sd), std::log(sum), 1e-6) << mean << " " << sd;
      const double upper = log_chance_between(-kInfinity, 2, mean, sd * sd);
      EXPECT_NEAR(upper, std::log(0.5 * std::erfc((mean - 2) / sd / std::sqrt(2))), 1e-9);
    }
  }
  // Far outside no double holds the chance, but its logarithm orders points; with certainty there is nothing to weigh.
  EXPECT_NEAR(log_chance_between(0, kInfinity, -40, 1), -804.608442, 1e-4);
  EXPECT_GT(log_chance_between(0, kInfinity, -40, 1), log_chance_between(0, kInfinity, -41, 1));
  EXPECT_EQ(log_chance_between(0, 1, 0.5, 0), 0);
  EXPECT_EQ(log_chance_between(0, 1, 1.5, 0), -kInfinity);
}

TEST(Scalarization, OfNormalNumbersHasTheMomentsOfManyDraws) {
  Task task{Space::binary(2)};
  task.goals = {{"a"}, {"b"}, {"c"}};
  History history;
  for (int i = 0; i < 4; ++i) {
    Trial trial;
    trial.number = i;
    trial.x = {i % 2, i / 2};
    history.add(trial);
    Outcome outcome = Outcome::value(i);
    outcome.metrics = {{"a", i}, {"b", 3 - i}, {"c", i % 2}};
    history.finish(i, judged(task, Sense::minimize, outcome));
  }
  Rng rng(1);
  for (int number = 0; number < 5; ++number) {
    const Scalarization direction(task, history, number);
    std::vector<Prediction> goals;
    for (int k = 0; k < 3; ++k) goals.push_back({Vector::Constant(1, 0.5 * k), Vector::Constant(1, 0.5 + 0.2 * k)});
    const Prediction moments = direction(goals);
    double sum = 0, squares = 0;
    constexpr int kDraws = 200000;
    for (int i = 0; i < kDraws; ++i) {
      std::vector<double> drawn;
      for (const Prediction& goal : goals) drawn.push_back(goal.mean[0] + std::sqrt(goal.variance[0]) * rng.normal());
      const double value = direction(drawn);
      sum += value;
      squares += value * value;
    }
    const double mean = sum / kDraws, sd = std::sqrt(squares / kDraws - mean * mean);
    EXPECT_NEAR(moments.mean[0], mean, 0.02 * sd);  // the third goal makes it an approximation
    EXPECT_NEAR(std::sqrt(moments.variance[0]), sd, 0.03 * sd);
  }
}

TEST(Scalarization, PrefersPointsThatBeatOthersInEveryGoal) {
  Task task{Space::binary(2)};
  task.goals = {{"a"}, {"b", Sense::minimize, 10.0, {}, {}}};
  History history;
  Trial trial;
  trial.x = {0, 0};
  history.add(trial);
  Outcome outcome = Outcome::value(1);
  outcome.metrics = {{"a", 1}, {"b", 1}};
  history.finish(0, judged(task, Sense::minimize, outcome));
  for (int number = 0; number < 20; ++number) {
    const Scalarization direction(task, history, number);
    EXPECT_LT(direction(std::vector<double>{0.5, 0.5}), direction(std::vector<double>{1, 1}));
    EXPECT_GT(direction(std::vector<double>{-5, 11}), 0);  // beyond the reference nothing counts
  }
}

TEST(MinimizeWithin, FindsTheBestPointThatTheDrawAllows) {
  const Space space = Space::binary(8);
  const auto basis = std::make_shared<const Basis>(space, BasisOptions{.order = 2});
  const auto minimizer = make_minimizer(Spec::parse("exact"));
  int found = 0;
  for (int seed = 0; seed < 20; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    const auto drawn = [&] {
      Vector alpha(basis->size());
      for (double& a : alpha) a = rng.normal();
      return Polynomial(basis, alpha);
    };
    const Polynomial f = drawn(), g = drawn();
    const std::vector<DrawnLimit> limits{{g, 0.5, kInfinity, 2.0}};
    double best = kInfinity;
    for (int k = 0; k < 256; ++k) {
      Point x(8);
      for (int i = 0; i < 8; ++i) x[static_cast<std::size_t>(i)] = k >> i & 1;
      if (g(x) >= 0.5) best = std::min(best, f(x));
    }
    const Minimum minimum = minimize_within(f, limits, 3.0, *minimizer, {}, rng);
    ASSERT_GE(g(minimum.x), 0.5) << seed;
    EXPECT_DOUBLE_EQ(minimum.value, f(minimum.x));
    EXPECT_GE(minimum.value, best - 1e-9);
    found += minimum.value < best + 1e-9 ? 1 : 0;
  }
  EXPECT_GE(found, 12);  // a weighted sum does not reach every point that is best under a limit
}

}  // namespace
}  // namespace bocs
