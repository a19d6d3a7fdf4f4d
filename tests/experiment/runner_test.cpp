#include "bocs/experiment/runner.hpp"

#include <atomic>

#include "bocs/base/error.hpp"
#include "bocs/experiment/grid.hpp"
#include "bocs/experiment/measure.hpp"
#include "bocs/problem/problem.hpp"
#include "results.hpp"

namespace bocs {
namespace {

Grid small_grid() {
  Grid grid;
  grid.problems = {"bqp:d=8"};
  grid.methods = {"bocs:order=2", "rs"};
  grid.lambdas = {0, 0.1};
  grid.trials = {20};
  grid.initial = 8;
  grid.instances = 3;
  grid.repeats = 2;
  return grid;
}

/// Everything but the seconds.
std::string numbers(const std::vector<CellResult>& results) {
  std::string text;
  for (auto result : results) {
    result.seconds = result.suggest_seconds_mean = 0;
    for (auto& step : result.best) step.suggest_seconds = 0;
    text += to_line(result) + "\n";
  }
  return text;
}

std::vector<CellResult> run_all(const std::filesystem::path& folder, const std::vector<Cell>& list, int threads) {
  ResultsFile file(folder);
  RunnerOptions options;
  options.threads = threads;
  const auto outcome = run_cells(unfinished(list, file.results()), file, options);
  EXPECT_TRUE(outcome.errors.empty());
  return select(read_results(folder), list);
}

TEST(Runner, TheNumbersDoNotDependOnTheThreads) {
  const TemporaryFolder folder;
  const auto list = cells(small_grid());
  const auto one = run_all(folder.path() / "1", list, 1);
  ASSERT_EQ(one.size(), list.size());
  EXPECT_EQ(numbers(one), numbers(run_all(folder.path() / "2", list, 2)));
  EXPECT_EQ(numbers(one), numbers(run_all(folder.path() / "7", list, 7)));
}

// Large enough that the models use every dense kernel: up to 0.1 these numbers did depend on the threads.
TEST(Runner, TheNumbersOfLargeSpacesDoNotDependOnTheThreads) {
  const TemporaryFolder folder;
  Grid grid;
  grid.problems = {"labs:n=50,flip=5"};
  grid.methods = {"bocs", "ei"};
  grid.trials = {75};
  grid.instances = 1;
  grid.repeats = 2;
  const auto list = cells(grid);
  const auto one = run_all(folder.path() / "1", list, 1);
  ASSERT_EQ(one.size(), list.size());
  EXPECT_EQ(numbers(one), numbers(run_all(folder.path() / "2", list, 2)));
  EXPECT_EQ(numbers(one), numbers(run_all(folder.path() / "8", list, 8)));
}

TEST(Runner, GoesOnWhereItWasStoppedAndRepeatsNothing) {
  const TemporaryFolder folder;
  const auto list = cells(small_grid());
  const auto whole = numbers(run_all(folder.path() / "whole", list, 1));
  int calls = 0;
  for (int rounds = 0; rounds < 100; ++rounds) {
    ResultsFile file(folder.path() / "parts");
    const auto todo = unfinished(list, file.results());
    if (todo.empty()) break;
    std::atomic<bool> stop = false;
    RunnerOptions options;
    options.threads = 2;
    options.stop = [&] { return stop.load(); };
    options.on_result = [&](const CellResult&) {
      ++calls;
      stop = true;  // other cells are half done now
    };
    const auto outcome = run_cells(todo, file, options);
    EXPECT_TRUE(outcome.stopped);
    EXPECT_GE(outcome.finished, 1);
  }
  EXPECT_EQ(calls, static_cast<int>(list.size()));
  EXPECT_EQ(read_results(folder.path() / "parts").size(), list.size());
  EXPECT_EQ(numbers(select(read_results(folder.path() / "parts"), list)), whole);
}

TEST(Runner, MethodsMeetTheSameInitialDataAndTheTruth) {
  const TemporaryFolder folder;
  const auto list = cells(small_grid());
  const auto results = run_all(folder.path(), list, 2);
  for (std::size_t i = 0; i + 1 < results.size(); i += 2) {  // bocs, then rs, of one replication
    EXPECT_EQ(results[i].value_at(8), results[i + 1].value_at(8));
  }
  for (const auto& result : results) {
    const Problem problem = make_problem(result.cell.problem, result.cell.instance);
    // The optimum by enumeration of all 256 points.
    double best = -std::numeric_limits<double>::infinity();
    for (int mask = 0; mask < 256; ++mask) {
      Point x(8);
      int ones = 0;
      for (int i = 0; i < 8; ++i) ones += x[static_cast<std::size_t>(i)] = (mask >> i) & 1;
      best = std::max(best, problem.f(x) - result.cell.lambda * ones);
    }
    EXPECT_NEAR(result.optimum.value(), best, 1e-9);
    EXPECT_GE(result.regret_at(20).value(), -1e-9);
    EXPECT_EQ(result.evaluations, 20);
    for (std::size_t k = 1; k < result.best.size(); ++k) {
      EXPECT_GT(result.best[k].value, result.best[k - 1].value);  // maximized
      EXPECT_GT(result.best[k].trial, result.best[k - 1].trial);
      EXPECT_GE(result.best[k].suggest_seconds, result.best[k - 1].suggest_seconds);
    }
  }
}

// With many in flight a method knows less when it is asked: other points, as many evaluations.
TEST(Runner, KeepsSoManyTrialsInFlight) {
  const TemporaryFolder folder;
  Grid grid = small_grid();
  grid.methods = {"ei", "rs"};
  std::vector<std::vector<CellResult>> results;
  for (const int in_flight : {1, 4}) {
    grid.in_flight = in_flight;
    results.push_back(run_all(folder.path(), cells(grid), 2));
  }
  int different = 0;
  for (std::size_t i = 0; i < results[0].size(); ++i) {
    EXPECT_EQ(results[1][i].cell.in_flight, 4);
    EXPECT_EQ(results[1][i].evaluations, 20);
    const bool is_random = results[0][i].cell.method == "rs";
    const bool is_same = results[0][i].value_at(20) == results[1][i].value_at(20);
    EXPECT_TRUE(is_same || !is_random);
    different += is_same ? 0 : 1;
  }
  EXPECT_GT(different, 0);
}

TEST(Runner, BadSpecsAreRefusedBeforeAnythingRuns) {
  Grid grid = small_grid();
  grid.methods.emplace_back("bogus");
  EXPECT_THROW(check(cells(grid)), InvalidArgument);
  grid = small_grid();
  grid.problems.emplace_back("bqp:d=none");
  EXPECT_THROW(check(cells(grid)), InvalidArgument);
  grid = small_grid();
  grid.kind = CellKind::validation;
  EXPECT_THROW(check(cells(grid)), InvalidArgument);  // bocs is no regression
  grid.methods = {"horseshoe:order=9"};
  EXPECT_THROW(check(cells(grid)), InvalidArgument);
}

TEST(Runner, ACellThatFailsDoesNotHoldUpTheOthers) {
  const TemporaryFolder folder;
  auto list = cells(small_grid());
  list[3].problem = "bqp:instance=none.json";
  ResultsFile file(folder.path());
  const auto outcome = run_cells(list, file, {.threads = 2});
  ASSERT_EQ(outcome.errors.size(), 1U);
  EXPECT_NE(outcome.errors[0].find("none.json"), std::string::npos);
  EXPECT_EQ(outcome.finished, static_cast<int>(list.size()) - 1);
}

TEST(Runner, AnExhaustedSpaceEndsTheRunEarly) {
  const TemporaryFolder folder;
  Grid grid = small_grid();
  grid.problems = {"bqp:d=3"};
  grid.initial = 2;
  for (const auto& result : run_all(folder.path(), cells(grid), 1)) {
    EXPECT_EQ(result.evaluations, 8);
    EXPECT_NEAR(result.regret_at(20).value(), 0, 1e-12);
  }
}

}  // namespace
}  // namespace bocs
