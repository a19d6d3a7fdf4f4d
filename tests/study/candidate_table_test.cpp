#include "bocs/study/candidate_table.hpp"

#include <fstream>

#include "bocs/study/open_study.hpp"
#include "store/store_fixture.hpp"
#include "temporary_folder.hpp"

namespace bocs {
namespace {

CsvTable table(std::vector<std::string> columns, std::vector<std::vector<std::string>> rows) {
  return {std::move(columns), std::move(rows)};
}

void refused(const CsvTable& given, const CandidateOptions& options, const std::string& words) {
  try {
    (void)candidate_table(given, options);
    ADD_FAILURE() << "accepted; expected: " << words;
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(CandidateTable, InfersTheVariables) {
  const CandidateTable made = candidate_table(
      table({"name", "base", "dry", "celsius", "lab"},
            {{"r1", "K3PO4", "0", "60", "x"}, {"r2", "NaOH, aq", "1", "80", "x"}, {"r3", "K3PO4", "1", "60.5", "x"}}));
  ASSERT_EQ(made.space.variables().size(), 3);
  EXPECT_EQ(kind_of(made.space.variables()[0]), "categorical");
  EXPECT_EQ(kind_of(made.space.variables()[1]), "binary");
  EXPECT_EQ(made.space[2].levels, 3);
  EXPECT_EQ(made.rows->size(), 3);
  EXPECT_EQ(made.rows->point(1), (Point{1, 1, 2}));
  ASSERT_EQ(made.rows->carried().size(), 2);  // a name of the row, and what never changes
  EXPECT_EQ(made.rows->carried()[0].texts[2], "r3");
}

TEST(CandidateTable, ManyNumbersAreARange) {
  std::vector<std::vector<std::string>> rows;
  for (int k = 0; k < 300; ++k) rows.push_back({std::to_string(0.001 * k * k), k % 2 == 0 ? "a" : "b"});
  const CandidateTable made = candidate_table(table({"x", "kind"}, rows));
  EXPECT_EQ(kind_of(made.space.variables()[0]), "real");
  for (std::size_t k = 0; k < 300; ++k) {
    EXPECT_NEAR(made.space[0].value(made.rows->levels(k)[0]), std::stod(rows[k][0]), 1e-7);
  }
}

TEST(CandidateTable, SaysWhatIsWrongAndWhere) {
  refused(table({"a", "b"}, {{"1", "x"}, {"", "y"}}), {}, "row 2: the column 'a' is empty");
  refused(table({"a", "b"}, {{"1", "x"}, {"2", "x"}, {"1", "x"}}), {}, "rows 1 and 3 are the same point");
  refused(table({"a", "value"}, {{"1", "2"}, {"2", "3"}}), {}, "the column 'value' would be a variable");
  refused(table({"a", "b"}, {{"1", "x"}, {"2", "y"}}), {.carried = {"c"}}, "there is no column 'c' to carry");
  refused(table({"a"}, {}), {}, "found no rows");
  refused(table({"a"}, {{"7"}}), {.space = Space({integer("a", 1, 5)}), .where = "library.csv"},
          "library.csv, row 1: a");
  refused(table({"b"}, {{"7"}}), {.space = Space({integer("a", 1, 5)})}, "the column 'a' is missing");
}

TEST(CandidateTable, TheTextOfTheStoreReadsBack) {
  const CandidateTable made = candidate_table(
      table({"name", "a", "n"}, {{"tab\there", "x", "1"}, {"back\\slash\nline", "y", "2"}, {"", "x", "3"}}),
      {.carried = {"name"}});
  const auto back = candidates_from_text(made.space, candidates_to_text(*made.rows));
  EXPECT_EQ(back->hash(), made.rows->hash());
  EXPECT_EQ(back->carried()[0].texts[1], "back\\slash\nline");
  EXPECT_THROW((void)candidates_from_text(made.space, "9\n1\n"), StoreError);
  EXPECT_THROW((void)candidates_from_text(made.space, "2\tname\n0\t7\tx\n"), StoreError);
}

class StudyOfCandidates : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
    return folder_.path() / name;
  }
  TemporaryFolder folder_;
};

TEST_F(StudyOfCandidates, IsKeptOnceAndReplays) {
  std::string library = "id,ligand,celsius\n";
  for (int k = 0; k < 60; ++k) {
    library += "r" + std::to_string(k) + "," + std::string(1, static_cast<char>('a' + k % 6)) + "," +
               std::to_string(20 + 10 * (k / 6)) + "\n";
  }
  write("library.csv", library);
  const std::string text =
      "candidates = \"library.csv\"\n[study]\ntrials = 30\ninitial = 6\n[store]\nurl = \"sqlite:s.db\"\n";
  const auto first = write("first.toml", text), second = write("second.toml", text);
  Study study = open_study(load_study_file(first));
  for (int k = 0; k < 25; ++k) {
    const Trial trial = study.ask();
    const auto carried = carried_of(study.task().constraints.candidates(), trial.x);
    ASSERT_EQ(carried.size(), 1);
    EXPECT_EQ(carried[0].first, "id");
    if (k % 5 != 4) static_cast<Session&>(study).tell(trial.number, std::abs(trial.x[1] - 4) + 0.1 * trial.x[0]);
  }
  (void)open_study(load_study_file(second));
  Store store("sqlite:" + (folder_.path() / "s.db").string());
  Study again = store.open("first");
  for (const Trial& trial : again.history().trials()) EXPECT_EQ(again.replay(trial).x, trial.x) << trial.number;
  const auto tables = [&] {
    return connect("sqlite:" + (folder_.path() / "s.db").string())
        ->execute("SELECT COUNT(*) FROM bocs_candidates")
        .front()
        .integer(0);
  };
  EXPECT_EQ(tables(), 1);
  store.remove("first");
  EXPECT_EQ(tables(), 1);
  store.remove("second");
  EXPECT_EQ(tables(), 0);
  write("library.csv", library + "r60,a,200\n");
  (void)open_study(load_study_file(first));
  write("library.csv", library);
  EXPECT_THROW((void)open_study(load_study_file(first)), InvalidArgument);  // other candidates
}

TEST_F(StudyOfCandidates, ExportsWhatIsCarried) {
  write("library.csv", "id;base;parts\nr1;A;0,5\nr2;B;0,7\nr3;A;0,9\n");
  const auto file = write("s.toml", "[study]\ncandidates = \"library.csv\"\ntrials = 3\n");
  Study study = open_study(load_study_file(file));
  const Trial trial = study.ask();
  static_cast<Session&>(study).tell(trial.number, 1.0);
  const std::string csv = to_csv(study);
  EXPECT_TRUE(csv.starts_with("number,state,base,parts,id,value")) << csv;
  EXPECT_NE(csv.find(",r"), std::string::npos) << csv;
  EXPECT_THROW(
      (void)load_study_file(write("t.toml", "carry = [\"id\"]\n[[variables]]\nname = \"a\"\ntype = \"binary\"\n")),
      InvalidArgument);
}

}  // namespace
}  // namespace bocs
