// The competitors and the settings of the paper's program.

#include "bocs/method/baseline/published.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "bocs/method/method.hpp"

namespace bocs {
namespace {

/// Trials of a method on a function of the points, one after the other.
History run(const std::string& spec, const Task& task, int trials, const std::function<double(const Point&)>& f) {
  const auto method = make_method(spec, task.space);
  History history;
  for (int n = 0; n < trials; ++n) {
    Trial trial;
    trial.number = n;
    trial.state = State::complete;
    Proposal proposal = method->propose(task, history, n);
    trial.x = std::move(proposal.x);
    trial.info = std::move(proposal.info);
    trial.y = f(trial.x);
    history.add(std::move(trial));
  }
  return history;
}

int distance(const Point& a, const Point& b) {
  int count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i] ? 1 : 0;
  return count;
}

double ones(const Point& x) { return std::accumulate(x.begin(), x.end(), 0.0); }

TEST(PublishedAnnealing, WalksByNeighboursAndPaysForEveryStep) {
  const Task task{Space::binary(4), 0, 0, 3};
  for (const char* spec : {"annealing:published=authors", "annealing:published=spears"}) {
    const History history = run(spec, task, 60, ones);  // 16 points: it has to come back
    EXPECT_LE(history.seen().size(), 16U);
    int moves = 0;
    for (const Trial& trial : history.trials()) {
      if (trial.number == 0) continue;
      ASSERT_EQ(distance(trial.x, history.find(std::stoi(trial.info.how.substr(19)))->x), 1) << trial.info.how;
      if (trial.info.how != "neighbour of trial 0") ++moves;
    }
    EXPECT_GT(moves, 0);
  }
}

/// After t steps the authors' temperature is 0.8^t: an increase of 1 is taken early and never late.
TEST(PublishedAnnealing, CoolsAsTheAuthorsDo) {
  int early = 0, late = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Task task{Space::binary(6), 0, 0, seed};
    double next = 0;  // every step is uphill by 1
    const History history = run("annealing:published=authors", task, 40, [&](const Point&) { return next++; });
    const auto taken = [&](int step) {  // did the step become the point that the next trial starts from?
      return history.trials()[static_cast<std::size_t>(step) + 1].info.how ==
             "neighbour of trial " + std::to_string(step);
    };
    early += taken(1) ? 1 : 0;
    for (int step = 20; step < 39; ++step) late += taken(step) ? 1 : 0;
  }
  EXPECT_NEAR(early / 300.0, std::exp(-1 / 0.8), 0.08);  // 3.1 standard deviations
  EXPECT_EQ(late, 0);
}

TEST(PublishedLocalSearch, StaysAtTheFirstLocalOptimum) {
  const Task task{Space::binary(6), 0, 0, 5};
  const History history = run("local:restarts=false", task, 60, ones);
  EXPECT_EQ(history.trials().back().x, Point(6, 0));
  EXPECT_EQ(history.trials().back().info.how, "local optimum");
  EXPECT_LE(history.seen().size(), 1U + 6 * 6);
  // All neighbours of a point before it moves.
  const Point start = history.trials()[0].x;
  for (int n = 1; n <= 6; ++n) EXPECT_EQ(distance(start, history.trials()[static_cast<std::size_t>(n)].x), 1);
}

TEST(Published, BeginsWithThePointsOfTheOthers) {
  // 20 of 32 points at random: some would be drawn twice.
  const Task task{Space::binary(5), 0, 0, 9};
  const History ours = run("bocs:polish=0,initial=20,order=2", task, 20, ones);
  for (const char* spec : {"bocs-sdp:published=true,initial=20", "mle-sa:published=true,initial=20",
                           "ei:repeats=true,initial=20", "smac:repeats=true,initial=20", "random"}) {
    const History other = run(spec, task, 20, ones);
    for (std::size_t n = 0; n < 20; ++n) EXPECT_EQ(other.trials()[n].x, ours.trials()[n].x) << spec << " " << n;
  }
}

TEST(Published, MayRepeatPointsOnceTheDesignIsOver) {
  const Task task{Space::binary(4), 0, 0, 9};
  for (const char* spec : {"ei:repeats=true,initial=6", "mle-sa:repeats=true,initial=6"}) {
    const History history = run(spec, task, 30, ones);  // more than the 16 points there are
    EXPECT_LT(history.seen().size(), 30U) << spec;
  }
}

/// Of two measurements of a point the authors keep the first: a second one changes nothing.
TEST(Published, KeepsTheFirstOfSeveralMeasurements) {
  const Task task{Space::binary(8), 0, 0, 4};
  const std::string settings = ",model.sweeps=30,initial=12";
  const History history = run("bocs-sa:initial=12", task, 12, ones);
  const auto next = [&](const History& given, const std::string& spec) {
    return make_method(spec + settings, task.space)->propose(task, given, 20).x;
  };
  History repeated = history;
  for (int n = 12; n < 18; ++n) {
    Trial again = history.trials()[static_cast<std::size_t>(n - 12)];
    again.number = n;
    again.y = 1000;  // wrong
    repeated.add(again);
  }
  const std::string published = "bocs-sa:published=true", ours = "bocs-sa:repeats=true";
  EXPECT_EQ(next(history, published), next(repeated, published));
  EXPECT_NE(next(history, ours), next(repeated, ours));
}

}  // namespace
}  // namespace bocs
