#include "bocs/method/baseline/local.hpp"

#include <gtest/gtest.h>

#include "bocs/method/replay.hpp"
#include "bocs/run/optimizer.hpp"
#include "bocs/run/work.hpp"

namespace bocs {
namespace {

Limits trials(int count) {
  Limits limits;
  limits.trials = count;
  return limits;
}

// sum of (i + 1) x_i: from a start with k ones the steepest descent clears the largest one first and ends after k
// steps; each step sees d neighbours, all but the point it came from for the first time.
TEST(LocalSearch, TakesTheSteepestStepWithAllNeighboursEvaluated) {
  const int d = 9;
  const Task task{Space::binary(d), 0, 0, 4};
  const auto f = [](const Point& x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<double>(i + 1) * x[i];
    return sum;
  };
  Optimizer session(task, "local");
  work(session, callback(f), trials(1 + d));
  Point x = session.history().trials()[0].x;
  EXPECT_EQ(x, random_start(task, 0));
  for (std::size_t i = 0; i < static_cast<std::size_t>(d); ++i) {
    Point neighbour = x;
    neighbour[i] = 1 - neighbour[i];
    EXPECT_TRUE(session.history().seen().contains(neighbour)) << i;
  }
  std::size_t largest = d;
  while (largest-- > 0 && x[largest] == 0) {
  }
  ASSERT_LT(largest, static_cast<std::size_t>(d));
  x[largest] = 0;  // the next step: its neighbours, except the known start, are d - 1 new points
  work(session, callback(f), trials(1 + d + d - 1));
  for (std::size_t i = 0; i < static_cast<std::size_t>(d); ++i) {
    Point neighbour = x;
    neighbour[i] = 1 - neighbour[i];
    EXPECT_TRUE(session.history().seen().contains(neighbour)) << i;
  }
}

TEST(LocalSearch, EndsInALocalOptimumAndRestarts) {
  const int d = 8;
  const Task task{Space::binary(d), 0.25, 0, 2};
  const auto f = [](const Point& x) {  // two basins: all zeros and all ones
    int ones = 0;
    for (const auto bit : x) ones += bit;
    return -std::abs(ones - 3.6);
  };
  Optimizer session(task, "local");
  int restarted_at = 0;
  for (int k = 0; restarted_at == 0 && k < 200; ++k) {
    const Trial trial = session.ask();
    if (trial.x == random_start(task, 1)) restarted_at = k;
    session.tell(trial.number, f(trial.x));
  }
  ASSERT_GT(restarted_at, 0);
  const Point best = session.best()->x;
  EXPECT_TRUE(best == Point(d, 0) || best == Point(d, 1));
  for (std::size_t i = 0; i < best.size(); ++i) {
    Point neighbour = best;
    neighbour[i] = 1 - neighbour[i];
    EXPECT_TRUE(session.history().seen().contains(neighbour));
  }
}

TEST(LocalSearch, AsksForAllNeighboursInOneBatch) {
  const int d = 10;
  const Task task{Space::binary(d), 0, 0, 7};
  Optimizer session(task, "local");
  const Trial start = session.ask();
  session.tell(start.number, 1);
  for (int i = 0; i < d; ++i) {
    Point expected = start.x;
    expected[static_cast<std::size_t>(i)] = 1 - expected[static_cast<std::size_t>(i)];
    EXPECT_EQ(session.ask().x, expected);
  }
}

TEST(LocalSearch, MovesIntegersAndCategoriesToEveryOtherLevel) {
  const Task task{Space({integer("n", 0, 4), categorical("kind", {"a", "b", "c"})}), 0, 0, 1};
  Optimizer session(task, "local");
  work(session, callback([](const Point& x) { return x[0] + x[1]; }), trials(1 + 4 + 2));
  const Point start = session.history().trials()[0].x;
  for (const Trial& trial : session.history().trials()) {
    EXPECT_TRUE(trial.x[0] == start[0] || trial.x[1] == start[1]);
  }
}

}  // namespace
}  // namespace bocs
