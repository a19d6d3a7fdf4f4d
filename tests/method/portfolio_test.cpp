#include "bocs/method/portfolio.hpp"

#include <gtest/gtest.h>

#include <map>

#include "bocs/base/error.hpp"
#include "bocs/run/optimizer.hpp"

namespace bocs {
namespace {

const Task kTask{Space::binary(12), 0, 0, 1};

double share(const History& history) {
  return share_of_first(Merit(kTask, history, history.size()), history, "low", "high");
}

/// A member that does nothing: the rule looks at names and trials only.
struct Nobody : Acquisition {
  [[nodiscard]] Proposal choose(const ProposalContext&) const override { return {}; }
  [[nodiscard]] const Model& model() const override { throw std::logic_error("there is none"); }
};

Portfolio two_and_a_third(int every) {
  const auto nobody = std::make_shared<Nobody>();
  return Portfolio({{"low", nobody}, {"high", nobody, 0, 1000}, {"third", nobody, every, 1000}});
}

/// Proposals of two members in turn, with these values.
History proposals(const std::vector<double>& low, const std::vector<double>& high) {
  History history;
  for (std::size_t i = 0; i < low.size(); ++i) {
    for (const char* member : {"low", "high"}) {
      Trial trial;
      trial.number = history.size();
      trial.info.member = member;
      Rng rng(1, "x", static_cast<std::uint64_t>(trial.number));
      trial.x = kTask.space.random(rng);
      history.add(trial);
      history.finish(trial.number, Outcome::value(trial.info.member == "low" ? low[i] : high[i]));
    }
  }
  return history;
}

TEST(Portfolio, WithoutAComparisonBothGetHalf) {
  EXPECT_EQ(share({}), 0.5);
  EXPECT_EQ(share(proposals({1, 2}, {5, 6})), 0.5);
}

TEST(Portfolio, TheWinnerGetsNearlyAllAndTheLoserIsNeverShutOut) {
  const std::vector<double> good(10, 1.0);
  const std::vector<double> bad(10, 2.0);
  EXPECT_DOUBLE_EQ(share(proposals(good, bad)), 0.95);
  EXPECT_DOUBLE_EQ(share(proposals(bad, good)), 0.05);
  EXPECT_DOUBLE_EQ(share(proposals(good, good)), 0.2);
}

TEST(Portfolio, OldProposalsAreForgotten) {
  std::vector<double> low(60, 1.0);
  std::vector<double> high(60, 2.0);
  std::fill(low.begin() + 30, low.end(), 2.0);
  std::fill(high.begin() + 30, high.end(), 1.0);
  EXPECT_DOUBLE_EQ(share(proposals(low, high)), 0.05);
}

TEST(Portfolio, FailuresLoseAndOtherTrialsDoNotCount) {
  History history = proposals(std::vector<double>(5, 1.0), std::vector<double>(5, 1.0));
  const double level = share(history);
  Trial other;
  other.number = history.size();
  history.add(other);  // running, and of no member
  EXPECT_EQ(share(history), level);
  Trial failed;
  failed.number = history.size();
  failed.info.member = "high";
  history.add(failed);
  history.finish(failed.number, Outcome::failure("crashed"));
  EXPECT_GT(share(history), level);
}

TEST(Portfolio, SharesAreTheFrequenciesOfTheCoin) {
  const History history = proposals(std::vector<double>(10, 1.0), std::vector<double>(10, 1.0));
  const Portfolio portfolio = two_and_a_third(4);
  std::map<std::string, int> count;
  for (int number = 0; number < 4000; ++number) ++count[portfolio.next(kTask, history, number).name];
  EXPECT_EQ(count["third"], 1000);
  EXPECT_NEAR(count["low"] / 3000.0, 0.2, 4 * std::sqrt(0.2 * 0.8 / 3000));
  const auto shares = portfolio.shares(kTask, history);
  EXPECT_NEAR(shares[0], 0.75 * 0.2, 1e-12);
  EXPECT_NEAR(shares[1], 0.75 * 0.8, 1e-12);
  EXPECT_NEAR(shares[2], 0.25, 1e-12);
}

TEST(Portfolio, AMemberTakesItsTurnsAndAllThatItsTurnsLeaveNothingOf) {
  EXPECT_EQ(two_and_a_third(4).next(kTask, {}, 3).name, "third");
  EXPECT_NE(two_and_a_third(4).next(kTask, {}, 4).name, "third");
  for (int number = 0; number < 9; ++number) EXPECT_EQ(two_and_a_third(1).next(kTask, {}, number).name, "third");
  EXPECT_EQ(two_and_a_third(1).shares(kTask, {}), (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(two_and_a_third(1).leader(kTask, {}).name, "third");
  EXPECT_EQ(two_and_a_third(4).leader(kTask, {}).name, "low");  // the first of equals
}

TEST(Portfolio, AboveTheirMostEvaluationsMembersLeave) {
  const History history = proposals(std::vector<double>(501, 1.0), std::vector<double>(501, 1.0));
  for (int number = 1000; number < 1020; ++number) {
    EXPECT_EQ(two_and_a_third(2).next(kTask, history, number).name, "low");
  }
  EXPECT_EQ(two_and_a_third(2).shares(kTask, history), (std::vector<double>{1, 0, 0}));
}

TEST(Portfolio, RefusesWhatLeavesATrialWithoutAMember) {
  const auto nobody = std::make_shared<Nobody>();
  EXPECT_THROW(Portfolio({}), InvalidArgument);
  EXPECT_THROW(Portfolio({{"a", nobody, 0, 1000}}), InvalidArgument);
  EXPECT_THROW(Portfolio({{"a", nobody}, {"b", nobody}, {"c", nobody}}), InvalidArgument);
}

/// An easy chain, quadratic: the further monomials of a higher order only disturb. Truth by enumeration.
TEST(Portfolio, TheDefaultSolvesAnEasyChain) {
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
      EXPECT_EQ(trial.info.member.starts_with("order"), t >= 15 && t % 4 != 3);
      EXPECT_EQ(trial.info.member == "ei", t >= 15 && t % 4 == 3);
      EXPECT_EQ(trial.info.origin, t < 15 ? Origin::initial : Origin::proposed);
      optimizer.tell(trial.number, f(trial.x));
    }
    solved += optimizer.best()->y < least + 1e-9 ? 1 : 0;
  }
  EXPECT_GE(solved, 4);
}

}  // namespace
}  // namespace bocs
