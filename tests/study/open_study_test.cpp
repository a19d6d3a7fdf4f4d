#include "bocs/study/open_study.hpp"

#include <fstream>

#include "store/store_fixture.hpp"

namespace bocs {
namespace {

class OpenStudyTest : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    folder_ = new_folder();
  }
  void TearDown() override {
    std::filesystem::remove_all(folder_);
    StoreTest::TearDown();
  }
  StudyFile load(const std::string& study, const std::string& rest = "") {
    std::ofstream(folder_ / "study.toml")
        << "[study]\nname = \"s\"\n"
        << study << "\n[[variables]]\nname = \"x\"\ntype = \"binary\"\ncount = 4\n"
        << rest << "\n[method]\nspec = \"random\"\n[store]\nurl = \"" << url() << "\"\n";
    return load_study_file(folder_ / "study.toml");
  }
  void write_past(const std::string& rows) {
    std::ofstream(folder_ / "past.csv") << "x[0],x[1],x[2],x[3],value\n" << rows;
  }

 private:
  std::filesystem::path folder_;
};
INSTANTIATE_TEST_SUITE_P(Store, OpenStudyTest, testing::Values("sqlite", "postgresql"), store_name);

TEST_P(OpenStudyTest, MakesTheStudyWithItsDataAndFindsItAgain) {
  write_past("0,0,1,1,5\n1,0,0,0,6\n");
  const std::string text = "trials = 3\ndata = \"past.csv\"";
  Study study = open_study(load(text));
  EXPECT_EQ(study.history().size(), 2);
  EXPECT_EQ(study.mirror().budget(), 5);
  study.tell(study.ask().number, 1);
  Study again = open_study(load(text));
  EXPECT_EQ(again.table().study(), study.table().study());
  const StudyFile file = load(text);
  EXPECT_EQ(&open_study(file).method(), file.method.get());  // made once, when the file was read
  EXPECT_EQ(again.history().size(), 3);
  write_past("0,0,1,1,5\n1,0,0,0,6\n1,1,1,1,7\n");
  again = open_study(load(text));
  EXPECT_EQ(again.history().trials().back().y, 7);
  EXPECT_EQ(again.history().trials().back().info.origin, Origin::imported);
  EXPECT_EQ(again.mirror().budget(), 6);
}

TEST_P(OpenStudyTest, BudgetAndObjectiveBecomeThoseOfTheFile) {
  open_study(load("trials = 3"));
  const Study study = open_study(load("trials = 8", "[objective]\ncommand = [\"true\"]\nparallel = 2\nattempts = 4"));
  EXPECT_EQ(study.spec().trials, 8);
  EXPECT_EQ(study.spec().parallel, 2);
  EXPECT_EQ(study.spec().attempts, 4);
  EXPECT_EQ(study.spec().objective.command, std::vector<std::string>{"true"});
}

TEST_P(OpenStudyTest, AnotherStudyOfTheNameIsRefused) {
  open_study(load("trials = 3"));
  for (const char* other : {"seed = 4", "direction = \"maximize\"", "lambda = 0.5"}) {
    EXPECT_THROW(open_study(load(other)), InvalidArgument) << other;
  }
  EXPECT_EQ(differences(load("seed = 4").spec, load("lambda = 1").spec),
            "penalty (was 0 |x|, is 1 |x|), seed (was 4, is 1)");
}

TEST(OpenStudy, WaitsForAStoreAsLongAsItShould) {
  StudyFile file{small_study(3), nullptr, "postgresql://nobody@127.0.0.1:1/none", {}, {}};
  EXPECT_THROW(open_study(file), StoreUnavailable);
  int troubles = 0;
  const Patience patience{3600, [&] { return troubles >= 3; }, [&](const std::string&) { ++troubles; }};
  EXPECT_THROW(open_study(file, patience), StoreUnavailable);
  EXPECT_GE(troubles, 3);
}

}  // namespace
}  // namespace bocs
