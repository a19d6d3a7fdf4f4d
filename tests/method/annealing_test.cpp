#include "bocs/method/baseline/annealing.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "bocs/run/optimizer.hpp"
#include "bocs/run/work.hpp"

namespace bocs {
namespace {

int distance(const Point& a, const Point& b) {
  int count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i] ? 1 : 0;
  return count;
}

std::vector<Point> run(const Task& task, const std::string& spec, const std::function<double(const Point&)>& f,
                       int trials) {
  Optimizer session(task, spec);
  Limits limits;
  limits.trials = trials;
  work(session, callback(f), limits);
  std::vector<Point> points;
  for (const Trial& trial : session.history().trials()) points.push_back(trial.x);
  return points;
}

double ones(const Point& x) { return std::accumulate(x.begin(), x.end(), 0.0); }

TEST(Accepts, WorseStepsAtTheRateOfMetropolis) {
  constexpr int kDraws = 20000;
  for (const double ratio : {0.1, 1.0, 3.0}) {
    Rng rng(1, "accepts");
    int accepted = 0;
    for (int k = 0; k < kDraws; ++k) accepted += accepts(5 * ratio, 5, rng) ? 1 : 0;
    const double rate = std::exp(-ratio);
    EXPECT_NEAR(accepted, kDraws * rate, 4 * std::sqrt(kDraws * rate * (1 - rate))) << ratio;
  }
}

TEST(Accepts, BetterStepsAlwaysAndInfinitelyWorseOnesNever) {
  Rng rng(2, "accepts");
  for (int k = 0; k < 100; ++k) {
    EXPECT_TRUE(accepts(0, 0, rng));
    EXPECT_TRUE(accepts(-1, 1, rng));
    EXPECT_FALSE(accepts(std::numeric_limits<double>::infinity(), 1e6, rng));
    EXPECT_FALSE(accepts(1, 0, rng));
  }
}

// On a slope of equal steps, mean change 1, a walk kept at temperature T leaves a point for a worse one with
// probability exp(-1/T): the chain over the number of ones is a known one, and in 40 dimensions it hardly ever meets a
// known point again. Its mean settles at d / (1 + exp(1/T)).
TEST(AnnealingSearch, HoldsTheEquilibriumOfAConstantTemperature) {
  double sum = 0;
  int count = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto points = run({Space::binary(40), 0, 0, seed}, "annealing:start=1,cooling=1", ones, 400);
    for (std::size_t k = 200; k < points.size(); ++k, ++count) sum += ones(points[k]);
  }
  // Proposals, not positions: one more flip of a random variable, which moves the mean towards d / 2 by 1 - 2 mean / d.
  const double mean = 40 / (1 + std::exp(1.0));
  EXPECT_NEAR(sum / count, mean + 1 - 2 * mean / 40, 0.8);
}

TEST(AnnealingSearch, ProposesOneVariableChangesOfEarlierPoints) {
  const auto points = run({Space::binary(20), 0, 0, 3}, "annealing", ones, 25);  // too few to be stuck
  for (std::size_t k = 1; k < points.size(); ++k) {
    int nearest = 20;
    for (std::size_t j = 0; j < k; ++j) nearest = std::min(nearest, distance(points[j], points[k]));
    EXPECT_EQ(nearest, 1) << k;
  }
}

TEST(AnnealingSearch, ColdDescendsASlope) {
  const auto points = run({Space::binary(20), 0, 0, 3}, "annealing:start=0", ones, 150);
  EXPECT_NE(std::find(points.begin(), points.end(), Point(20, 0)), points.end());
}

TEST(AnnealingSearch, DoesNotDependOnTheUnitsOfTheObjective) {
  const Task task{Space::binary(12), 0, 0, 5};
  const auto f = [](const Point& x) { return ones(x) * (x[0] - x[3]) + 2 * x[5]; };
  EXPECT_EQ(run(task, "annealing", f, 80), run(
                                               task, "annealing", [f](const Point& x) { return 1024 * f(x); }, 80));
}

TEST(AnnealingSearch, UsesPointsThatOthersAdded) {
  const Task task{Space::binary(10), 0, 0, 6};
  const auto alone = run(task, "annealing", ones, 12);
  Optimizer session(task, "annealing");
  session.tell(alone[0], ones(alone[0]));
  session.tell(alone[1], ones(alone[1]));
  EXPECT_EQ(session.ask().x, alone[2]);
}

}  // namespace
}  // namespace bocs
