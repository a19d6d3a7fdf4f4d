#include "bocs/run/work.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "bocs/run/optimizer.hpp"

namespace bocs {
namespace {

double ones(const Point& x) { return static_cast<double>(std::count(x.begin(), x.end(), 1)); }

Optimizer random_search(int dimension, Sense sense = Sense::minimize, double l1 = 0) {
  return Optimizer({Space::binary(dimension), l1, 0, 5}, "random", sense);
}

TEST(Work, BeginsAsManyTrialsAsItIsGiven) {
  Optimizer optimizer = random_search(10);
  optimizer.tell(Point(10, 0), 0.0);
  std::vector<int> told;
  Limits limits;
  limits.trials = 8;
  limits.batch = 3;
  const WorkResult result = work(optimizer, callback(ones), limits, [&](const Trial& t) { told.push_back(t.number); });
  EXPECT_EQ(result.reason, Reason::trials);
  EXPECT_EQ(result.trials, 8);
  EXPECT_EQ(told, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(work(optimizer, callback(ones), limits).trials, 8);
  EXPECT_EQ(optimizer.history().size(), 17);
}

TEST(Work, EndsCleanlyWhenTheSpaceIsExhausted) {
  Optimizer optimizer = random_search(4);
  Limits limits;
  limits.trials = 100;
  limits.batch = 3;  // 16 = 5 * 3 + 1: the last batch is cut short
  const WorkResult result = work(optimizer, callback(ones), limits);
  EXPECT_EQ(result.reason, Reason::exhausted);
  EXPECT_EQ(to_string(result.reason), "the whole space has been evaluated");
  EXPECT_EQ(optimizer.history().complete().size(), 16u);
  EXPECT_EQ(optimizer.history().seen().size(), 16u);
}

TEST(Work, EndsWhenHardlyAnythingIsLeftToGain) {
  const auto cost = [](const Point& x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (1 + 0.1 * static_cast<double>(i)) * x[i];
    return sum;
  };
  Optimizer optimizer({Space::binary(12), 0, 0, 5}, "bocs");
  const Limits limits{.trials = 150, .until = StopRule{0.5}};
  const WorkResult result = work(optimizer, callback(cost), limits);
  EXPECT_EQ(result.reason, Reason::converged);
  EXPECT_LT(result.trials, 150);
  EXPECT_EQ(optimizer.best()->y, 0);
  const Remaining left = remaining_gain(optimizer.method(), optimizer.task(), optimizer.history());
  EXPECT_LT(left.high, 0.5);
  EXPECT_EQ(work(optimizer, callback(cost), limits).trials, 0);  // it still has

  Optimizer early({Space::binary(12), 0, 0, 5}, "bocs");  // nothing is known during the initial design
  EXPECT_EQ(work(early, callback(cost), {.trials = 19, .until = StopRule{1e9}}).reason, Reason::trials);
}

TEST(Work, StopsAtTheTargetInTheUsersSensePenaltyIncluded) {
  Limits limits;
  limits.target = 1;
  Optimizer minimizing = random_search(6);
  EXPECT_EQ(work(minimizing, callback(ones), limits).reason, Reason::target);
  EXPECT_LE(minimizing.value(*minimizing.best()), 1);
  EXPECT_EQ(minimizing.best()->number, minimizing.history().size() - 1);

  limits.target = 5;
  Optimizer maximizing = random_search(6, Sense::maximize);
  EXPECT_EQ(work(maximizing, callback(ones), limits).reason, Reason::target);
  EXPECT_GE(maximizing.value(*maximizing.best()), 5);

  Optimizer penalized = random_search(6, Sense::maximize, 0.5);  // at most 6 - 3: never 5
  EXPECT_EQ(work(penalized, callback(ones), limits).reason, Reason::exhausted);
}

TEST(Work, StopsAfterFailuresAndKeepsTheirText) {
  Optimizer optimizer = random_search(10);
  Limits limits;
  limits.failures = 3;
  const auto failing = callback([](const Point& x) -> double {
    if (x[0] == 1) throw std::runtime_error("broken beam");
    return ones(x);
  });
  const WorkResult result = work(optimizer, failing, limits);
  EXPECT_EQ(result.reason, Reason::failures);
  EXPECT_EQ(result.failures, 3);
  for (const auto& trial : optimizer.history().trials()) {
    EXPECT_EQ(trial.state, trial.x[0] == 1 ? State::failed : State::complete);
    EXPECT_EQ(trial.error, trial.x[0] == 1 ? "broken beam" : "");
  }
}

TEST(Work, StopsWhenTheTimeIsUpOrSomebodySaysSo) {
  Optimizer optimizer = random_search(20);
  Limits limits;
  limits.seconds = 0.02;  // on a busy machine they may be over before the first trial
  const auto slow = callback([](const Point& x) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return ones(x);
  });
  const WorkResult timed = work(optimizer, slow, limits);
  EXPECT_EQ(timed.reason, Reason::seconds);
  EXPECT_LE(timed.trials, 4);
  EXPECT_GE(timed.seconds, 0.02);

  Limits until;
  int calls = 0;
  until.stop = [&calls] { return ++calls > 3; };
  const WorkResult stopped = work(optimizer, slow, until);
  EXPECT_EQ(stopped.reason, Reason::stopped);
  EXPECT_EQ(stopped.trials, 3);
  for (const auto& trial : optimizer.history().trials()) EXPECT_GE(trial.seconds, 0.005);
}

TEST(Work, RefusesLimitsThatMakeNoSense) {
  Optimizer optimizer = random_search(4);
  const auto refused = [&](auto change) {
    Limits limits;
    limits.trials = 5;
    change(limits);
    EXPECT_THROW(work(optimizer, callback(ones), limits), InvalidArgument);
  };
  refused([](Limits& l) { l.trials = 0; });  // then there is none
  refused([](Limits& l) { l.trials = -1; });
  refused([](Limits& l) { l.seconds = -1; });
  refused([](Limits& l) { l.seconds = std::nan(""); });
  refused([](Limits& l) { l.target = std::nan(""); });
  refused([](Limits& l) { l.batch = 0; });
  refused([](Limits& l) { l.threads = 0; });
  EXPECT_EQ(optimizer.history().size(), 0);
}

TEST(Work, WhatWasFinishedWhenTheEndWasAskedForIsTold) {
  // Trial 1 is cancelled after the other two have their values.
  for (const int threads : {1, 3}) {
    Optimizer optimizer = random_search(10);
    std::atomic<int> finished{0};
    const Objective objective = [&](const Space&, const Trial& trial) {
      if (trial.number == 1) {
        while (threads > 1 && finished < 2) std::this_thread::yield();
        throw Cancelled("enough");
      }
      const Outcome outcome = Outcome::value(ones(trial.x));
      ++finished;
      return outcome;
    };
    Limits limits;
    limits.trials = 3;
    limits.batch = 3;
    limits.threads = threads;
    std::vector<int> told;
    EXPECT_THROW(work(optimizer, objective, limits, [&](const Trial& t) { told.push_back(t.number); }), Cancelled);
    EXPECT_EQ(told, threads > 1 ? (std::vector<int>{0, 2}) : std::vector<int>{0});
    for (const Trial& trial : optimizer.history().trials()) {
      const bool is_told = std::count(told.begin(), told.end(), trial.number) == 1;
      EXPECT_EQ(trial.state, is_told ? State::complete : State::waiting) << trial.number;
      EXPECT_EQ(is_told ? trial.y : ones(trial.x), ones(trial.x));
    }
  }
}

}  // namespace
}  // namespace bocs
