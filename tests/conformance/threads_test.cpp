// A proposal is the same bits on whatever thread it is made, beside whatever other proposals: every method, in a space
// and with a history large enough that its model uses every dense kernel (small ones hid a BLAS that was not safe to
// call from several threads).

#include <gtest/gtest.h>

#include <cmath>

#include "bocs/method/method.hpp"
#include "bocs/numeric/parallel.hpp"
#include "bocs/numeric/rng.hpp"
#include "bocs/problem/problem.hpp"
#include "bocs/run/optimizer.hpp"
#include "bocs/run/work.hpp"

namespace bocs {
namespace {

constexpr int kDimension = 50;
constexpr int kTrials = 200;

/// Random points and their values of LABS, with one trial failed and one still running.
History large_history(const Problem& problem) {
  History history;
  Rng rng(7, "history");
  while (history.size() < kTrials) {
    Trial trial;
    trial.number = history.size();
    trial.x = problem.space.random(rng);
    if (history.seen().contains(trial.x)) continue;
    trial.state = trial.number == 30 ? State::failed : trial.number == 190 ? State::running : State::complete;
    if (trial.state == State::complete) trial.y = oriented(problem.sense, problem.f(trial.x));
    history.add(trial);
  }
  return history;
}

std::vector<std::string> all_specs() {
  std::vector<std::string> specs{"bocs-sdp", "bocs-sa", "mle-sa", "bocs:model=bayes,order=2", "bocs:noise=true"};
  for (const auto& method : list_methods()) specs.push_back(method.name);
  return specs;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

class OnThreads : public testing::TestWithParam<std::string> {};

TEST_P(OnThreads, ProposalsHaveTheSameBitsOnAnyNumberOfThreads) {
  const Problem problem = make_problem("labs:n=50,flip=5", 0);
  const Task task{.space = problem.space, .seed = 3};
  const History history = large_history(problem);
  const auto method = make_method(GetParam(), task.space);
  constexpr int kProposals = 4;
  const auto propose = [&](int threads) {
    std::vector<Proposal> proposals(kProposals);
    parallel_for(kProposals, threads,
                 [&](int i) { proposals[static_cast<std::size_t>(i)] = method->propose(task, history, kTrials + i); });
    return proposals;
  };
  const auto serial = propose(1);
  for (const int threads : {2, 8}) {
    const auto parallel = propose(threads);
    for (std::size_t i = 0; i < kProposals; ++i) {
      EXPECT_EQ(parallel[i].x, serial[i].x) << threads << " threads";
      EXPECT_TRUE(same(parallel[i].info.predicted, serial[i].info.predicted)) << threads << " threads";
      EXPECT_TRUE(same(parallel[i].info.lower_bound, serial[i].info.lower_bound)) << threads << " threads";
    }
  }
}

TEST_P(OnThreads, BatchesHaveTheSameTrialsForAnyNumberOfThreads) {
  const Problem problem = make_problem("labs:n=50,flip=5", 0);
  const Task task{.space = problem.space, .seed = 3};
  std::vector<std::vector<Point>> runs;
  for (const int threads : {1, 2, 8}) {
    Optimizer session(task, GetParam(), problem.sense, large_history(problem));
    Limits limits;
    limits.trials = kTrials + 8;
    limits.batch = 4;
    limits.threads = threads;
    work(session, callback(problem.f), limits);
    std::vector<Point> points;
    for (const auto& trial : session.history().trials()) points.push_back(trial.x);
    runs.push_back(points);
  }
  EXPECT_EQ(runs[0], runs[1]);
  EXPECT_EQ(runs[0], runs[2]);
}

INSTANTIATE_TEST_SUITE_P(Methods, OnThreads, testing::ValuesIn(all_specs()), [](const auto& test) {
  std::string name = test.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

}  // namespace
}  // namespace bocs
