#include "bocs/experiment/cell.hpp"

#include <set>

#include "bocs/base/error.hpp"
#include "results.hpp"

namespace bocs {
namespace {

TEST(Cell, EveryInputChangesTheKey) {
  std::vector<Cell> variants(1, ended_at(1, "bocs", 3).cell);
  const auto vary = [&](auto change) {
    Cell cell = variants.front();
    change(cell);
    variants.push_back(cell);
  };
  vary([](Cell& c) { c.kind = CellKind::validation; });
  vary([](Cell& c) { c.problem = "ising"; });
  vary([](Cell& c) { c.method = "rs"; });
  vary([](Cell& c) { c.lambda = 1e-4; });
  vary([](Cell& c) { c.lambda = 0.00010000000000000002; });
  vary([](Cell& c) { c.instance = 4; });
  vary([](Cell& c) { c.repeat = 1; });
  vary([](Cell& c) { c.seed = 2; });
  vary([](Cell& c) { c.trials = 11; });
  vary([](Cell& c) { c.initial = 1; });
  vary([](Cell& c) { c.in_flight = 8; });
  std::set<std::string> keys;
  for (const auto& cell : variants) keys.insert(cell.key());
  EXPECT_EQ(keys.size(), variants.size());
}

TEST(Cell, MethodsShareTheTaskSeedOfAReplication) {
  const Cell base = ended_at(1, "bocs", 3).cell;
  Cell other = base;
  other.method = "rs";
  other.lambda = 1;
  other.trials = 99;
  EXPECT_EQ(base.task_seed(), other.task_seed());
  std::set<std::uint64_t> seeds;
  for (other.instance = 0; other.instance < 20; ++other.instance) {
    for (other.repeat = 0; other.repeat < 20; ++other.repeat) seeds.insert(other.task_seed());
  }
  EXPECT_EQ(seeds.size(), 400U);
  other = base;
  other.seed = 2;
  EXPECT_NE(base.task_seed(), other.task_seed());
}

TEST(CellResult, TheAreaIsTheMeanOfTheBestValueSinceTheFirstSuccess) {
  CellResult result = ended_at(3, "bocs", 0);  // 8 from trial 0 on, 3 from trial 6 on
  EXPECT_EQ(result.area_at(10), (6 * 8 + 4 * 3) / 10.0);
  EXPECT_EQ(result.area_at(6), 8);
  EXPECT_EQ(result.area_at(7), (6 * 8 + 3) / 7.0);
  result.best.front().trial = 2;  // the first two failed
  EXPECT_EQ(result.area_at(10), (4 * 8 + 4 * 3) / 8.0);
  EXPECT_FALSE(result.area_at(2));
}

TEST(CellResult, ReadsTheTrajectory) {
  CellResult result = ended_at(3, "bocs", 0);  // 8 from trial 0 on, 3 from trial 6 on
  EXPECT_FALSE(result.value_at(0));
  EXPECT_EQ(result.value_at(1), 8);
  EXPECT_EQ(result.value_at(6), 8);
  EXPECT_EQ(result.value_at(7), 3);
  EXPECT_EQ(result.value_at(1000), 3);
  EXPECT_EQ(result.regret_at(7), 3);
  EXPECT_EQ(result.seconds_until(8), 0.25);
  EXPECT_EQ(result.seconds_until(3.5), 1.5);
  EXPECT_FALSE(result.seconds_until(2.9));
  result.sense = Sense::maximize;
  result.optimum = 10;
  EXPECT_EQ(result.regret_at(7), 7);
  EXPECT_EQ(result.seconds_until(2.9), 0.25);
  result.optimum.reset();
  EXPECT_FALSE(result.regret_at(7));
}

TEST(CellResult, SurvivesTheLine) {
  CellResult run = ended_at(1.0 / 3, "bocs:order=2", 7, 2);
  run.cell.lambda = 1e-4;
  run.cell.seed = ~std::uint64_t{0};
  run.sense = Sense::maximize;
  run.version = "1.2.3";
  const CellResult back = parse_line(to_line(run));
  EXPECT_EQ(back.cell.key(), run.cell.key());
  EXPECT_EQ(back.best[1].value, 1.0 / 3);
  EXPECT_EQ(back.best[1].trial, 6);
  EXPECT_EQ(back.sense, Sense::maximize);
  EXPECT_EQ(back.optimum, 0.0);
  EXPECT_EQ(back.version, "1.2.3");

  CellResult validation;
  validation.cell.kind = CellKind::validation;
  validation.cell.test_points = 2;
  validation.truth = {0.1, 0.2};
  validation.predicted = {0.3, 0.4};
  validation.deviation = {0, 1};
  const CellResult read = parse_line(to_line(validation));
  EXPECT_EQ(read.cell.key(), validation.cell.key());
  EXPECT_EQ(read.predicted, validation.predicted);
}

TEST(CellResult, OtherTextIsRefused) {
  for (const char* text : {"", "{}", "[1]", R"({"kind":"bogus"})", R"({"kind":"optimization","problem":3})"}) {
    EXPECT_THROW(parse_line(text), InvalidArgument) << text;
  }
}

TEST(CellResult, ControlCharactersInNamesAreRefused) {
  for (const char* bad : {"random\n!touch pwned #", "a\rb", "tab\t", "\x7f"}) {
    CellResult result = ended_at(1, bad, 0);
    EXPECT_THROW(parse_line(to_line(result)), InvalidArgument) << "method " << bad;
    std::swap(result.cell.method, result.cell.problem);
    EXPECT_THROW(parse_line(to_line(result)), InvalidArgument) << "problem " << bad;
  }
  EXPECT_EQ(parse_line(to_line(ended_at(1, "it's größer", 0))).cell.method, "it's größer");
}

}  // namespace
}  // namespace bocs
