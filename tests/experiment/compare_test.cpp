#include "bocs/experiment/compare.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "bocs/study/store.hpp"
#include "temporary_folder.hpp"

namespace bocs {
namespace {

TEST(Compare, AStudyForEachMethodAndRepetitionAndWhatCameOfIt) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "own.toml")
      << "[study]\nseed = 5\ntrials = 6\ndirection = \"maximize\"\n[[variables]]\nname = "
         "\"x\"\ntype = \"binary\"\ncount = 4\n";
  const StudyFile file = load_study_file(folder.path() / "own.toml");
  const std::string url = "sqlite:" + (folder.path() / "all.db").string();
  const StudyFile one = comparison_study(file, url, "random", 2);
  EXPECT_EQ(one.spec.name, "own, random, 3");
  EXPECT_EQ(one.spec.method, "random");
  EXPECT_EQ(one.spec.task.seed, 7U);
  EXPECT_EQ(one.store, url);
  EXPECT_THROW(comparison_study(file, url, "no such method", 0), InvalidArgument);

  Store store(url, {.create = true});
  Study study = store.create(one.spec);
  const double values[] = {1, 3, 0, 2, 7};
  for (const double value : values) {
    const int number = study.ask().number;
    if (value == 0) {
      study.tell(number, Outcome::failure("no"));
    } else {
      study.tell(number, value);
    }
  }
  (void)study.ask();  // still running
  const CellResult result = comparison_result(file, study, "random", 2);
  EXPECT_EQ(result.cell.problem, "own");
  EXPECT_EQ(result.cell.repeat, 2);
  EXPECT_EQ(result.evaluations, 5);
  EXPECT_EQ(result.failures, 1);
  ASSERT_EQ(result.best.size(), 3U);
  EXPECT_EQ(result.value_at(1), 1);
  EXPECT_EQ(result.value_at(4), 3);
  EXPECT_EQ(result.value_at(5), 7);
}

}  // namespace
}  // namespace bocs
