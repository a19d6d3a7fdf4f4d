#include "bocs/experiment/statistics.hpp"

#include "bocs/base/error.hpp"
#include "results.hpp"

namespace bocs {
namespace {

// Two runs on each of three instances: (1, 3), (2, 6), (6, 12). Instance means 2, 4, 9: mean 5, deviations -3, -1, 4,
// variance 26 / 2 = 13, standard error sqrt(13 / 3). Without clustering it would be sqrt(16 / 6).
const std::vector<Observation> kRuns = {{0, 1}, {0, 3}, {1, 2}, {1, 6}, {2, 6}, {2, 12}};

constexpr double kTwoDegrees = 4.3027;  // the quantile of Student's t with 2 degrees of freedom

TEST(Estimate, UsesTheQuantilesOfStudent) {  // from printed tables
  const std::vector<std::pair<int, double>> table = {{1, 12.7062}, {2, 4.3027},  {3, 3.1824},  {4, 2.7764},
                                                     {9, 2.2622},  {10, 2.2281}, {19, 2.0930}, {30, 2.0423},
                                                     {60, 2.0003}, {120, 1.9799}};
  for (const auto& [degrees, quantile] : table) EXPECT_NEAR(student_quantile(degrees), quantile, 5e-5) << degrees;
  EXPECT_NEAR(student_quantile(1'000'000), 1.96, 0.003);
}

TEST(Estimate, ClustersByInstance) {
  const Estimate e = estimate(kRuns);
  EXPECT_EQ(e.runs, 6);
  EXPECT_EQ(e.instances, 3);
  EXPECT_DOUBLE_EQ(e.mean, 5);
  EXPECT_NEAR(e.error, kTwoDegrees * std::sqrt(13.0 / 3), 1e-3);
  EXPECT_DOUBLE_EQ(e.median, 4.5);
}

TEST(Estimate, OfOneInstanceIsThatOfItsRuns) {
  const Estimate e = estimate(std::vector<Observation>{{5, 1}, {5, 2}, {5, 6}});
  EXPECT_DOUBLE_EQ(e.mean, 3);
  EXPECT_NEAR(e.error, kTwoDegrees * std::sqrt(7.0 / 3), 1e-3);  // variance (4 + 1 + 9) / 2
  EXPECT_DOUBLE_EQ(e.median, 2);
}

TEST(Estimate, OfLittle) {
  const Estimate one = estimate(std::vector<Observation>{{5, 1}});
  EXPECT_EQ(one.mean, 1);
  EXPECT_TRUE(std::isnan(one.error));
  EXPECT_EQ(estimate({}).runs, 0);
  EXPECT_TRUE(std::isnan(estimate({}).mean));
}

std::vector<CellResult> runs_of(const std::string& method, const std::vector<Observation>& ends) {
  std::vector<CellResult> results;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    results.push_back(ended_at(ends[i].value, method, ends[i].instance, static_cast<int>(i % 2)));
  }
  return results;
}

std::vector<CellResult> together(std::vector<CellResult> a, const std::vector<CellResult>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Ours minus base, by instance: (0 - 1, 0 - 3), (2 - 2, 7 - 6), (0 - 6, 6 - 12) = means -2, 0.5, -6.
const std::vector<CellResult> kTwo =
    together(runs_of("base", kRuns), runs_of("ours", {{0, 0}, {0, 0}, {1, 2}, {1, 7}, {2, 0}, {2, 6}}));

TEST(Table, MarksTheBestAndCountsTheFound) {
  const auto rows = make_table(kTwo, {});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].method, "base");
  EXPECT_EQ(rows[0].metric, "regret");
  EXPECT_DOUBLE_EQ(rows[0].estimate.mean, 5);
  EXPECT_FALSE(rows[0].best);
  EXPECT_EQ(rows[0].found, 0);
  EXPECT_TRUE(rows[1].best);
  EXPECT_DOUBLE_EQ(rows[1].estimate.mean, 2.5);
  EXPECT_EQ(rows[1].found, 0.5);
}

TEST(Table, ComparesPairByPair) {
  TableOptions options;
  options.against = "base";
  const auto rows = make_table(kTwo, options);
  EXPECT_FALSE(rows[0].comparison);
  ASSERT_TRUE(rows[1].comparison);
  // Mean -2.5, deviations 0.5, 3, -3.5: variance 21.5 / 2.
  EXPECT_DOUBLE_EQ(rows[1].comparison->difference.mean, -2.5);
  EXPECT_NEAR(rows[1].comparison->difference.error, kTwoDegrees * std::sqrt(21.5 / 2 / 3), 1e-3);
  EXPECT_EQ(rows[1].comparison->better, 2);
  EXPECT_EQ(rows[1].comparison->worse, 1);
  options.against = "bogus";
  EXPECT_THROW(make_table(kTwo, options), InvalidArgument);
}

TEST(Table, ComparesOnlyWhatBothHaveRun) {
  auto results = kTwo;
  results.erase(results.begin());  // base has no instance 0, repeat 0: the pairs of instance 0 are (0 - 3) alone
  TableOptions options;
  options.against = "base";
  const auto rows = make_table(results, options);
  EXPECT_EQ(rows[1].comparison->difference.runs, 5);
  EXPECT_DOUBLE_EQ(rows[1].comparison->difference.mean, (-3 + 0.5 - 6) / 3);
}

TEST(Table, WhenMaximizingLargerValuesAreBetter) {
  auto results = kTwo;
  for (auto& result : results) {
    result.sense = Sense::maximize;
    result.optimum.reset();
  }
  TableOptions options;
  options.against = "base";
  auto rows = make_table(results, options);
  EXPECT_EQ(rows[0].metric, "value");
  EXPECT_TRUE(rows[0].best);
  EXPECT_FALSE(rows[0].found);
  EXPECT_EQ(rows[1].comparison->better, 1);
  EXPECT_EQ(rows[1].comparison->worse, 2);
  options.metric = "regret";
  EXPECT_THROW(make_table(results, options), InvalidArgument);
}

TEST(Table, AtEarlierEvaluationsScaledOrUntil) {
  TableOptions options;
  options.at = 6;
  options.scale_by = 10;
  EXPECT_DOUBLE_EQ(make_table(kTwo, options)[0].estimate.mean, 80);  // every run is at 8 until its seventh trial
  options = {};
  options.until = 2;  // base: 1, 2 of six runs; all in 1.5 seconds
  const auto rows = make_table(kTwo, options);
  EXPECT_EQ(rows[0].metric, "seconds");
  EXPECT_DOUBLE_EQ(rows[0].reached.value(), 2.0 / 6);
  EXPECT_DOUBLE_EQ(rows[0].estimate.mean, 0.5);  // runs that never got there count with all their time
  EXPECT_DOUBLE_EQ(rows[0].per_success.value(), 1.5);
}

TEST(Table, AnytimeHasTheEndAndTheAreaBesideEarlierEvaluations) {
  std::vector<CellResult> results = kTwo;
  for (CellResult& result : results) result.cell.trials = 50;  // 8 from trial 0 on, the end from trial 6 on
  TableOptions options;
  options.against = "base";
  const auto columns = make_anytime_table(results, options);
  std::vector<std::string> names;
  for (const auto& column : columns) names.push_back(column.name);
  EXPECT_EQ(names, (std::vector<std::string>{"30", "60", "100", "200", "end", "area"}));
  for (const auto& column : columns) {
    ASSERT_EQ(column.rows.size(), 2U) << column.name;
    const Estimate& ours = column.rows[1].estimate;
    const bool is_beyond = column.name == "60" || column.name == "100" || column.name == "200";
    EXPECT_EQ(ours.runs, is_beyond ? 0 : 6) << column.name;
    EXPECT_EQ(column.rows[1].comparison.has_value(), !is_beyond) << column.name;
    if (column.name == "end") {
      EXPECT_DOUBLE_EQ(ours.mean, 2.5);
    }
    if (column.name == "area") {
      EXPECT_DOUBLE_EQ(ours.mean, (6 * 8 + 44 * 2.5) / 50);
      EXPECT_DOUBLE_EQ(column.rows[1].comparison->difference.mean, -2.5 * 44 / 50);
    }
  }
}

TEST(Table, TimeToTargetIsNotThatOfTheSurvivorsAlone) {
  // Quick: 1.5 s when it succeeds, once in four runs, and 10 s of every other run are lost. Sure: 1.5 s each time.
  std::vector<CellResult> results;
  for (int i = 0; i < 4; ++i) {
    results.push_back(ended_at(i == 0 ? 0 : 5, "quick", static_cast<std::uint64_t>(i)));
    results.push_back(ended_at(0, "sure", static_cast<std::uint64_t>(i)));
    results.push_back(ended_at(5, "never", static_cast<std::uint64_t>(i)));
  }
  for (auto& result : results) result.suggest_seconds_mean = 1;
  results[0].best.back().suggest_seconds = 1;
  TableOptions options;
  options.until = 2;
  const auto rows = make_table(results, options);
  EXPECT_DOUBLE_EQ(rows[0].estimate.mean, (1 + 3 * 10) / 4.0);
  EXPECT_DOUBLE_EQ(rows[0].per_success.value(), 31);
  EXPECT_FALSE(rows[0].best);
  EXPECT_DOUBLE_EQ(rows[1].per_success.value(), 1.5);
  EXPECT_TRUE(rows[1].best);
  EXPECT_EQ(rows[2].per_success.value(), INFINITY);
  EXPECT_EQ(rows[2].reached.value(), 0);
}

TEST(Table, SaysWhetherThePaperAgrees) {
  TableOptions options;
  options.scale_by = 10;
  options.paper = {{.problem = "other", .lambda = {}, .method = "base", .mean = 1},
                   {.problem = "bqp", .lambda = 0, .method = "base", .mean = 20, .error = 14},
                   {.problem = "", .lambda = 1, .method = "ours", .mean = 1}};
  const auto rows = make_table(kTwo, options);  // base: 50 +- 90
  ASSERT_TRUE(rows[0].paper);
  EXPECT_EQ(rows[0].paper->mean, 200);
  EXPECT_EQ(rows[0].agrees(), true);  // 150 < sqrt(89.6^2 + 140^2) = 166
  EXPECT_FALSE(rows[1].paper);
  EXPECT_EQ(rows[1].agrees(), std::nullopt);
  options.paper[1].error = 11;  // 142
  EXPECT_EQ(make_table(kTwo, options)[0].agrees(), false);
  const std::vector<CellResult> four(kTwo.begin(), kTwo.begin() + 4);
  EXPECT_EQ(make_table(four, options)[0].agrees(), std::nullopt);  // too few to say
}

TEST(Table, BlocksAreSeparate) {
  auto results = kTwo;
  for (auto result : kTwo) {
    result.cell.lambda = 1;
    results.push_back(result);
  }
  auto rows = make_table(results, {});
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[2].lambda, 1);
  EXPECT_EQ(rows[2].method, "base");
  EXPECT_TRUE(rows[1].best && rows[3].best);
}

TEST(Select, DoesNotDependOnWhatFinishedFirst) {
  std::vector<Cell> cells;
  for (const auto& result : kTwo) cells.push_back(result.cell);
  std::vector<CellResult> reversed(kTwo.rbegin(), kTwo.rend());
  reversed.push_back(ended_at(1, "another", 0));
  const auto selected = select(reversed, cells);
  ASSERT_EQ(selected.size(), kTwo.size());
  for (std::size_t i = 0; i < selected.size(); ++i) EXPECT_EQ(selected[i].cell.key(), cells[i].key());
  const auto forwards = sorted(kTwo);
  reversed.pop_back();
  const auto backwards = sorted(reversed);
  for (std::size_t i = 0; i < forwards.size(); ++i) EXPECT_EQ(forwards[i].cell.key(), backwards[i].cell.key());
}

TEST(Table, ValidationAndCoefficients) {
  CellResult validation;
  validation.cell.kind = CellKind::validation;
  validation.cell.method = "mle";
  validation.truth = {1, 2};
  validation.predicted = {1.5, 4};
  const auto rows = make_table(std::vector{validation}, {});
  EXPECT_EQ(rows[0].metric, "test error");
  EXPECT_DOUBLE_EQ(rows[0].estimate.mean, 1.25);

  CellResult counts;
  counts.cell.kind = CellKind::coefficients;
  counts.cell.method = "horseshoe";
  counts.large = {4, 28};
  const auto by_order = make_table(std::vector{counts}, {});
  ASSERT_EQ(by_order.size(), 2U);
  EXPECT_EQ(by_order[1].method, "horseshoe, terms of order 2");
  EXPECT_EQ(by_order[1].estimate.mean, 28);
  EXPECT_FALSE(by_order[1].best);
}

std::vector<CellResult> on_problem(const std::string& problem, std::vector<CellResult> results) {
  for (auto& result : results) result.cell.problem = problem;
  return results;
}

// On p, three replications: (1, 2, 3), (5, 5, 1), (2, 1, 4) are ranks (1, 2, 3), (2.5, 2.5, 1), (2, 1, 3), of which the
// third method has only the first two, so that only those count: (1.75, 2.25, 2). On q all are equal.
TEST(Ranks, AreAveragesOverReplicationsAndProblems) {
  auto all = on_problem("p", runs_of("a", {{0, 1}, {1, 5}, {2, 2}}));
  all = together(all, on_problem("p", runs_of("b", {{0, 2}, {1, 5}, {2, 1}})));
  all = together(all, on_problem("p", runs_of("c", {{0, 3}, {1, 1}})));
  all = together(all, on_problem("p", runs_of("only here", {{0, 0}, {1, 0}})));
  for (const char* method : {"a", "b", "c"}) all = together(all, on_problem("q", runs_of(method, {{0, 7}})));
  const RankTable table = make_ranks(all, {});
  EXPECT_EQ(table.methods, (std::vector<std::string>{"a", "b", "c"}));
  ASSERT_EQ(table.problems.size(), 2U);
  EXPECT_EQ(table.problems[0].replications, 2);
  EXPECT_EQ(table.problems[0].ranks, (std::vector<double>{1.75, 2.25, 2}));
  EXPECT_EQ(table.problems[1].ranks, (std::vector<double>{2, 2, 2}));
  EXPECT_EQ(table.average, (std::vector<double>{1.875, 2.125, 2}));
}

TEST(Ranks, OfMaximizedValuesBeginWithTheLargest) {
  auto all = together(runs_of("a", {{0, 1}}), runs_of("b", {{0, 2}}));
  for (auto& result : all) {
    result.sense = Sense::maximize;
    result.optimum.reset();
  }
  EXPECT_EQ(make_ranks(all, {}).average, (std::vector<double>{2, 1}));
}

// The best measurement's point is worth 3 and 5, the recommended one 4 and 9, to be maximized.
TEST(Table, ShowsTheValueOfTheRecommendedPoint) {
  auto all = together(runs_of("a", {{0, 3}}), runs_of("b", {{0, 5}}));
  for (auto& result : all) result.sense = Sense::maximize;
  all[0].recommended = 4;
  all[1].recommended = 9;
  TableOptions options;
  options.metric = "recommended";
  const auto rows = make_table(all, options);
  EXPECT_EQ(rows[0].estimate.mean, 4);
  EXPECT_EQ(rows[1].estimate.mean, 9);
  EXPECT_TRUE(rows[1].best);
  EXPECT_FALSE(rows[0].best);
}

// b is worse on two instances of three by little, and better on the third by so much that only the mean's error
// decides.
TEST(Table, TheVerdictIsThatOfTheMeanAndItsError) {
  const auto verdict = [](Sense sense, const std::vector<Observation>& b) {
    std::vector<Observation> zeros;
    for (const auto& [instance, value] : b) zeros.push_back({instance, 0.0});
    auto all = together(runs_of("a", zeros), runs_of("b", b));
    for (auto& result : all) {
      result.sense = sense;
      result.optimum.reset();
    }
    TableOptions options;
    options.against = "a";
    return make_table(all, options).back().comparison->verdict;
  };
  EXPECT_EQ(verdict(Sense::minimize, {{0, -3}, {1, -3.1}, {2, -2.9}}), 1);
  EXPECT_EQ(verdict(Sense::maximize, {{0, -3}, {1, -3.1}, {2, -2.9}}), -1);
  EXPECT_EQ(verdict(Sense::minimize, {{0, 1}, {1, 1}, {2, -9}}), 0);
  EXPECT_EQ(verdict(Sense::minimize, {{0, 1}}), 0);
}

TEST(Ranks, NeedReplicationsThatAllHave) {
  EXPECT_THROW(make_ranks({}, {}), InvalidArgument);
  EXPECT_THROW(make_ranks(together(runs_of("a", {{0, 1}}), runs_of("b", {{1, 2}})), {}), InvalidArgument);
}

}  // namespace
}  // namespace bocs
