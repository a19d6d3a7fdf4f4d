#include "bocs/experiment/grid.hpp"

#include <fstream>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/experiment/runner.hpp"
#include "paths.hpp"
#include "results.hpp"

namespace bocs {
namespace {

using Specs = std::vector<std::string>;

TEST(SplitSpecs, AtCommasThatStartASpec) {
  EXPECT_EQ(split_specs("bocs"), Specs{"bocs"});
  EXPECT_EQ(split_specs("bocs,bocs-sdp,ei"), (Specs{"bocs", "bocs-sdp", "ei"}));
  EXPECT_EQ(split_specs("bocs:order=3,model=bayes"), Specs{"bocs:order=3,model=bayes"});
  EXPECT_EQ(split_specs("rs,bocs:order=3,model=bayes,ei,bqp:d=10,lc=1"),
            (Specs{"rs", "bocs:order=3,model=bayes", "ei", "bqp:d=10,lc=1"}));
  EXPECT_EQ(split_specs("bqp:instance=a:b,case=2,ising"), (Specs{"bqp:instance=a:b,case=2", "ising"}));
  for (const char* list : {"", ",", "bocs,", ",bocs", "a,,b", "order=3"}) {
    EXPECT_THROW(split_specs(list), InvalidArgument) << list;
  }
}

Grid small_grid() {
  Grid grid;
  grid.problems = {"bqp", "ising"};
  grid.methods = {"bocs", "rs", "bocs"};
  grid.lambdas = {0, 1};
  grid.trials = {10, 20};
  grid.instances = 3;
  grid.first_instance = 5;
  grid.repeats = 2;
  grid.initial = 4;
  return grid;
}

TEST(Cells, AreTheProductEachOnce) {
  const auto list = cells(small_grid());
  EXPECT_EQ(list.size(), 2U * 2 * 2 * 2 * 3 * 2);  // "bocs" is there twice and counts once
  std::set<std::string> keys;
  std::set<std::uint64_t> instances;
  for (const auto& cell : list) {
    keys.insert(cell.key());
    instances.insert(cell.instance);
    EXPECT_EQ(cell.initial, 4);
  }
  EXPECT_EQ(keys.size(), list.size());
  EXPECT_EQ(instances, (std::set<std::uint64_t>{5, 6, 7}));
  EXPECT_EQ(list[0].method, "bocs");
  EXPECT_EQ(list[1].method, "rs");
  EXPECT_EQ(list[1].instance, 5U);
}

TEST(Cells, ALargerGridHasAllCellsOfASmaller) {
  Grid large = small_grid();
  large.repeats = 3;
  large.instances = 4;
  large.methods.emplace_back("ei");
  std::set<std::string> keys;
  for (const auto& cell : cells(large)) keys.insert(cell.key());
  for (const auto& cell : cells(small_grid())) EXPECT_TRUE(keys.contains(cell.key()));
}

TEST(Cells, NothingToRunIsRefused) {
  Grid grid = small_grid();
  grid.methods.clear();
  EXPECT_THROW(cells(grid), InvalidArgument);
}

class GridFile : public testing::Test {
 protected:
  Grid load(const std::string& text, GridScale scale = GridScale::full) {
    std::ofstream(file_) << text;
    return load_grid(file_, scale);
  }
  void refused(const std::string& text, const std::vector<std::string>& words) {
    try {
      load(text);
      FAIL() << text;
    } catch (const InvalidArgument& error) {
      for (const auto& word : words) EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "small.toml";
  const std::string required_ = "problems = [\"bqp\"]\nmethods = [\"bocs\", \"rs\"]\ntrials = 120\n";
};

TEST_F(GridFile, ReadsThePenaltyTheMetricAndThePaper) {
  const Grid grid = load(required_ + R"(penalty = "l2"
[table]
metric = "value"
scale_by = 10
[paper]
columns = { "bocs" = "BOCS", "rs" = "RS", "random" = "RS" }
rows = [ { lambda = 0.5, BOCS = [3, 1], RS = [7, 2] }, { problem = "bqp:d=8", trials = 9, RS = [8, 0] } ]
)",
                         GridScale::full);
  EXPECT_EQ(cells(grid).front().penalty, "l2");
  EXPECT_NE(cells(grid).front().key().find("l2"), std::string::npos);
  EXPECT_EQ(grid.table.metric, "value");
  const auto& paper = grid.table.paper;
  ASSERT_EQ(paper.size(), 5U);
  EXPECT_EQ(paper[0].method, "bocs");
  EXPECT_EQ(paper[0].lambda, 0.5);
  EXPECT_DOUBLE_EQ(paper[0].mean, 0.3);  // before it is multiplied
  EXPECT_DOUBLE_EQ(paper[0].error, 0.1);
  EXPECT_EQ(paper[4].problem, "bqp:d=8");
  EXPECT_EQ(paper[4].trials, 9);
  refused(required_ + "[paper]\ncolumns = { bocs = \"B\" }\nrows = [ { C = [1, 2] } ]\n",
          {"small.toml:6:", "C: found", "column"});
  refused(required_ + "[paper]\ncolumns = { bocs = \"B\" }\nrows = [ { B = 1 } ]\n", {"standard error"});
  refused(required_ + "[table]\nmetric = \"speed\"\n", {"metric", "regret"});
  refused(required_ + "penalty = \"l3\"\n", {"penalty", "l2"});
}

TEST_F(GridFile, IsRead) {
  const Grid grid = load(required_ + R"(
lambdas = [0, 1e-4, 1]
instances = 50
first_instance = 3
repeats = 10
initial = 20
seed = 7
[table]
scale_by = 10
until = -0.5
against = "rs"
[quick]
instances = 2
trials = [30, 40]
)");
  EXPECT_EQ(grid.problems, Specs{"bqp"});
  EXPECT_EQ(grid.methods, (Specs{"bocs", "rs"}));
  EXPECT_EQ(grid.lambdas, (std::vector<double>{0, 1e-4, 1}));
  EXPECT_EQ(grid.trials, std::vector<int>{120});
  EXPECT_EQ(grid.instances, 50);
  EXPECT_EQ(grid.first_instance, 3U);
  EXPECT_EQ(grid.repeats, 10);
  EXPECT_EQ(grid.initial, 20);
  EXPECT_EQ(grid.seed, 7U);
  EXPECT_EQ(grid.results, "small");
  EXPECT_EQ(grid.table.scale_by, 10);
  EXPECT_EQ(grid.table.until, -0.5);
  EXPECT_EQ(grid.table.against, "rs");

  const Grid quick = load_grid(file_, GridScale::quick);
  EXPECT_EQ(quick.instances, 2);
  EXPECT_EQ(quick.trials, (std::vector<int>{30, 40}));
  EXPECT_EQ(quick.repeats, 10);
}

TEST_F(GridFile, MistakesAreNamedWithFileAndLine) {
  refused(required_ + "colour = 3\n", {"small.toml:4:", "'colour'", "instances"});
  refused(required_ + "[quick]\ncolour = 3\n", {"small.toml:5:", "'colour'"});
  refused(required_ + "[table]\n\ncolour = 3\n", {"small.toml:6:", "'colour'", "scale_by"});
  refused(required_ + "instances = 0\n", {"small.toml:4:", "instances", "from 1"});
  refused(required_ + "instances = \"3\"\n", {"small.toml:4:", "instances", "whole number"});
  refused(required_ + "lambdas = [0,\n -1]\n", {"small.toml:5:", "lambdas", "not negative"});
  refused(required_ + "lambdas = [nan]\n", {"small.toml:4:", "finite"});
  refused(required_ + "kind = \"bogus\"\n", {"small.toml:4:", "'bogus'", "validation"});
  refused(required_ + "quick = 3\n", {"small.toml:4:", "[quick]"});
  refused(required_ + "seed = = 3\n", {"small.toml:4:"});
  refused("problems = [\"bqp\"]\ntrials = 3\n", {"small.toml", "'methods'", "missing"});
  refused("problems = [3]\n", {"small.toml:1:", "problems", "quotes"});
  EXPECT_THROW(load(required_, GridScale::quick), InvalidArgument);
  EXPECT_THROW(load_grid(folder_.path() / "none.toml", GridScale::full), InvalidArgument);
}

TEST(CommittedGrids, AreReadAtBothScalesAndQuickIsSmaller) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(BOCS_GRIDS)) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    SCOPED_TRACE(entry.path());
    const auto work = [](const Grid& grid) {
      double evaluations = 0;
      for (const auto& cell : cells(grid)) evaluations += cell.trials + cell.draws;
      return evaluations;
    };
    const Grid full = load_grid(entry.path(), GridScale::full);
    const Grid quick = load_grid(entry.path(), GridScale::quick);
    EXPECT_LT(work(quick), work(full));
    EXPECT_NO_THROW(check(cells(full)));  // every problem and method can be made
  }
  EXPECT_GE(files, 18);
}

}  // namespace
}  // namespace bocs
