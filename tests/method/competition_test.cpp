#include "bocs/method/competition.hpp"

#include <gtest/gtest.h>

#include "bocs/run/optimizer.hpp"

namespace bocs {
namespace {

const Task kTask{Space::binary(12), 0, 0, 1};
constexpr Orders kOrders{2, 3};

/// Proposals of orders 2 and 3 in turn, with these values.
History proposals(const std::vector<double>& low, const std::vector<double>& high) {
  History history;
  for (std::size_t i = 0; i < low.size(); ++i) {
    for (const int order : {2, 3}) {
      Trial trial;
      trial.number = history.size();
      trial.info.order = order;
      Rng rng(1, "x", static_cast<std::uint64_t>(trial.number));
      trial.x = kTask.space.random(rng);
      history.add(trial);
      history.finish(trial.number, Outcome::value(order == 2 ? low[i] : high[i]));
    }
  }
  return history;
}

TEST(Competition, WithoutAComparisonBothGetHalf) {
  EXPECT_EQ(share_of_low(kTask, {}, kOrders), 0.5);
  EXPECT_EQ(share_of_low(kTask, proposals({1, 2}, {5, 6}), kOrders), 0.5);
}

TEST(Competition, TheWinnerGetsNearlyAllAndTheLoserIsNeverShutOut) {
  const std::vector<double> good(10, 1.0);
  const std::vector<double> bad(10, 2.0);
  EXPECT_DOUBLE_EQ(share_of_low(kTask, proposals(good, bad), kOrders), 0.95);
  EXPECT_DOUBLE_EQ(share_of_low(kTask, proposals(bad, good), kOrders), 0.05);
  EXPECT_DOUBLE_EQ(share_of_low(kTask, proposals(good, good), kOrders), 0.2);
}

TEST(Competition, OldProposalsAreForgotten) {
  std::vector<double> low(60, 1.0);
  std::vector<double> high(60, 2.0);
  std::fill(low.begin() + 30, low.end(), 2.0);
  std::fill(high.begin() + 30, high.end(), 1.0);
  EXPECT_DOUBLE_EQ(share_of_low(kTask, proposals(low, high), kOrders), 0.05);
}

TEST(Competition, FailuresLoseAndOtherTrialsDoNotCount) {
  History history = proposals(std::vector<double>(5, 1.0), std::vector<double>(5, 1.0));
  const double level = share_of_low(kTask, history, kOrders);
  Trial other;
  other.number = history.size();
  history.add(other);  // running, and of no order
  EXPECT_EQ(share_of_low(kTask, history, kOrders), level);
  Trial failed;
  failed.number = history.size();
  failed.info.order = 3;
  history.add(failed);
  history.finish(failed.number, Outcome::failure("crashed"));
  EXPECT_GT(share_of_low(kTask, history, kOrders), level);
}

TEST(Competition, SharesAreTheFrequenciesOfTheCoin) {
  const History history = proposals(std::vector<double>(10, 1.0), std::vector<double>(10, 1.0));
  int low = 0;
  for (int number = 0; number < 3000; ++number) low += next_order(kTask, history, kOrders, number) == 2 ? 1 : 0;
  EXPECT_NEAR(low / 3000.0, 0.2, 4 * std::sqrt(0.2 * 0.8 / 3000));
}

/// An easy chain, quadratic: the further monomials of a higher order only disturb. Truth by enumeration.
TEST(Competition, TheDefaultSolvesAnEasyChain) {
  const auto f = [](const Point& x) {
    double y = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) y += (i % 2 == 0 ? 1.0 : -0.7) * x[i] * x[i + 1] - 0.4 * x[i];
    return y;
  };
  double least = 0;
  for (int code = 0; code < 1 << 12; ++code) {
    Point x(12);
    for (int i = 0; i < 12; ++i) x[static_cast<std::size_t>(i)] = code >> i & 1;
    least = std::min(least, f(x));
  }
  int solved = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Optimizer optimizer(Task{kTask.space, 0, 0, seed}, "bocs:initial=15");
    for (int t = 0; t < 60; ++t) {
      const Trial trial = optimizer.ask();
      EXPECT_EQ(trial.info.order == 0, t < 15 || t % 4 == 3);  // the initial design, the polish
      optimizer.tell(trial.number, f(trial.x));
    }
    solved += optimizer.best()->y < least + 1e-9 ? 1 : 0;
  }
  EXPECT_GE(solved, 4);
}

}  // namespace
}  // namespace bocs
