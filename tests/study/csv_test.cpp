#include "bocs/study/csv.hpp"

#include <fstream>

#include "store/store_fixture.hpp"

namespace bocs {
namespace {

class CsvTest : public testing::Test {
 protected:
  ~CsvTest() override { std::filesystem::remove_all(folder_); }
  PastData read(const std::string& text) {
    std::ofstream(file_, std::ios::binary) << text;
    return read_csv(file_, task_);
  }
  void refused(const std::string& text, const std::vector<std::string>& words) {
    try {
      read(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const InvalidArgument& error) {
      for (const auto& word : words) {
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " is not in: " << error.what();
      }
    }
  }

  std::filesystem::path folder_ = new_folder();
  std::filesystem::path file_ = folder_ / "past.csv";
  Space space_{{binary("a"), categorical("de\"pot", {"no rth", "\"q\""}), integer("crew", -1, 8)}};
  Task task_{space_};
};

TEST_F(CsvTest, ReadsColumnsInAnyOrderAndIgnoresOthers) {
  const PastData data = read(
      "\xEF\xBB\xBFvalue,note,\"de\"\"pot\",crew,a\r\n1.5e-3,\"x,\ny\",no rth,-1,0\r\n\r\n,,no rth,0,1\n"
      "-2,,\"\"\"q\"\"\",8,1");
  ASSERT_EQ(data.evaluations.size(), 2U);
  EXPECT_EQ(data.skipped, 1);
  EXPECT_EQ(data.evaluations[0].x, (Point{0, 0, 0}));
  EXPECT_EQ(data.evaluations[0].y, 1.5e-3);
  EXPECT_EQ(data.evaluations[1].x, (Point{1, 1, 9}));
  EXPECT_EQ(data.evaluations[1].y, -2);
}

TEST_F(CsvTest, MistakesAreNamedWithFileAndLine) {
  const std::string head = "a,\"de\"\"pot\",crew,value\n";
  refused("", {"past.csv", "empty"});
  refused("a,crew,value\n", {"past.csv:1:", "de\"pot", "missing"});
  refused("a,\"de\"\"pot\",crew\n", {"past.csv:1:", "'value'", "missing"});
  refused(head + "0,no rth,1,2\n0,no rth,1\n", {"past.csv:3:", "3 fields", "4"});
  refused(head + "0,south,1,2\n", {"past.csv:2:", "south", "no rth"});
  refused(head + "2,no rth,1,2\n", {"past.csv:2:", "2"});
  refused(head + "0,no rth,9,2\n", {"past.csv:2:", "9"});
  refused(head + "0,no rth,1,inf\n", {"past.csv:2:", "'inf'", "finite"});
  refused(head + "0,no rth,,2\n", {"past.csv:2:", "crew", "''"});
  refused(head + "0,no rth,1.5,2\n", {"past.csv:2:", "crew", "1.5"});
  refused(head + "0,no rth,1,3 apples\n", {"past.csv:2:", "'3 apples'"});
  refused(head + "0,\"no rth,1,3\n", {"past.csv:2:", "quote"});
  EXPECT_THROW(read_csv(folder_ / "none.csv", task_), InvalidArgument);
}

TEST_F(CsvTest, ReadsWhatPandasWrites) {  // DataFrame.to_csv of a bool column, and of integers beside missing values
  const PastData data = read(
      ",a,\"de\"\"pot\",crew,value\n0,True,no rth,3.0,1.5\n1,False,no rth,-1.0,\n2,1.0,no rth,8,NaN\n"
      "3,0.0,no rth,8.0,-2.0\n");
  EXPECT_EQ(data.skipped, 2);
  ASSERT_EQ(data.evaluations.size(), 2U);
  EXPECT_EQ(data.evaluations[0].x, (Point{1, 0, 4}));
  EXPECT_EQ(data.evaluations[1].x, (Point{0, 0, 9}));
  EXPECT_EQ(data.evaluations[1].y, -2);
}

TEST_F(CsvTest, ReadsSemicolonsWithDecimalCommas) {
  space_ = Space({real("rate", 0, 1, {.steps = 4}), categorical("c", {"x", "y;z"})});
  task_ = {space_};
  const PastData data = read("c;rate;value;\"note, or not\"\nx;0,25;1,5;\n\"y;z\";0.75;-2e-3;a,b\n");
  ASSERT_EQ(data.evaluations.size(), 2U);
  EXPECT_EQ(data.evaluations[0].x, (Point{1, 0}));
  EXPECT_EQ(data.evaluations[0].y, 1.5);
  EXPECT_EQ(data.evaluations[1].x, (Point{3, 1}));
  EXPECT_EQ(data.evaluations[1].y, -2e-3);
  refused("c;rate;value\nx;0,3;1\n", {"past.csv:2:", "rate", "0.25 and 0.5"});
}

TEST_F(CsvTest, ReadsLevelsOfAnyTypeAsPandasWritesThem) {
  task_ = {Space({choice("batch", {std::int64_t{16}, std::int64_t{64}}), choice("drop", {LevelValue(), 0.5, true})})};
  const PastData data = read("batch,drop,value\n64,None,1\n64.0,,2\n16,0.5,3\n16,True,4\n16,true,5\n");
  ASSERT_EQ(data.evaluations.size(), 5U);
  const std::vector<Point> expected{{1, 0}, {1, 0}, {0, 1}, {0, 2}, {0, 2}};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(data.evaluations[i].x, expected[i]) << i;
}

TEST_F(CsvTest, ARowThatBreaksAConstraintIsNamedWithItsLine) {
  task_.constraints = Constraints(space_, {constraint::forbidden({{"a"}, {"crew", "8"}})});
  refused("a,\"de\"\"pot\",crew,value\n1,no rth,1,2\n1,no rth,8,2\n", {"past.csv:3:", "forbidden"});
}

TEST_F(CsvTest, ANeededColumnThatIsThereTwiceIsRefused) {
  refused("a,\"de\"\"pot\",crew,a,value\n", {"past.csv:1:", "'a'", "twice"});
  refused("a,value,\"de\"\"pot\",crew,value\n", {"past.csv:1:", "'value'", "twice"});
  EXPECT_EQ(read("note,a,\"de\"\"pot\",crew,value,note\n,0,no rth,1,2,\n").evaluations.size(), 1U);
}

TEST_F(CsvTest, OurColumnsMakeWayForVariablesOfTheirNames) {
  const std::vector<std::string> names = {"number", "state",      "value",           "total", "seconds",
                                          "error",  "bocs:value", "bocs:bocs:error", "mass"};
  std::vector<Variable> variables;
  for (const auto& name : names) variables.push_back(integer(name, 0, 100));
  const Space space(variables);
  Store store("sqlite:" + (folder_ / "a.db").string(), {.create = true});
  StudySpec spec{"csv", {space, 0, 0, 1}};
  spec.method = "random";
  Study study = store.create(spec);
  for (int i = 0; i < 5; ++i) {
    Outcome outcome = Outcome::value(1000 + i);
    outcome.metrics = {{"mass", 7}, {"number", 8}};
    study.tell(study.ask().number, outcome);
  }
  std::ofstream(file_) << to_csv(study);
  const PastData data = read_csv(file_, {space});
  ASSERT_EQ(data.evaluations.size(), 5U);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(data.evaluations[i].x, study.history().find(i)->x);
    EXPECT_EQ(data.evaluations[i].y, 1000 + i);
  }
}

TEST_F(CsvTest, WhatIsWrittenIsReadAgain) {
  const std::string url = "sqlite:" + (folder_ / "a.db").string();
  Store store(url, {.create = true});
  StudySpec spec{"csv", {space_, 0.5, 0, 1}};
  spec.sense = Sense::maximize;
  spec.method = "random";
  Study study = store.create(spec);
  for (int i = 0; i < 5; ++i) {
    const Trial trial = study.ask();
    Outcome outcome = Outcome::value(0.1 * i);
    outcome.metrics["ma,ss"] = i;
    study.tell(trial.number, i == 2 ? Outcome::failure("no \"mesh\",\nat all") : outcome);
  }
  study.ask();  // still running
  std::ofstream(file_) << to_csv(study);
  const PastData data = read_csv(file_, task_);
  EXPECT_EQ(data.skipped, 2);
  ASSERT_EQ(data.evaluations.size(), 4U);
  std::size_t row = 0;
  for (const auto& trial : study.history().trials()) {
    if (trial.state != State::complete) continue;
    EXPECT_EQ(data.evaluations[row].x, trial.x);
    EXPECT_EQ(data.evaluations[row++].y, study.shown(trial.y));
  }
}

// What a spreadsheet would run is marked as text, and read back as it was; numbers stay numbers.
TEST_F(CsvTest, NoCellIsAFormula) {
  const std::vector<std::string> labels = {
      "=cmd|' /C calc'!A0", "@SUM(1+1)", "+1+1", "-2+3",  "\tx", "'=x", "''@x", "it's",
      "'quoted'",           "-5",        "-1e3", "plain", "-"};
  StudySpec spec{"formulas", {Space({categorical("=level", labels), integer("n", -3, 3)})}};
  spec.method = "random";
  Store store("sqlite:" + (folder_ / "s.db").string(), {.create = true});
  Study study = store.create(spec);
  for (int i = 0; i < static_cast<int>(labels.size()); ++i) study.tell(Point{i, i % 7}, -i);
  study.tell(study.ask().number, Outcome::failure("=HYPERLINK(\"evil\")"));
  study.refresh();
  const std::string text = to_csv(study);
  EXPECT_NE(text.find("'=level"), std::string::npos) << text;
  EXPECT_NE(text.find(",-3,"), std::string::npos) << text;  // a number
  bool begins = true;
  for (std::size_t i = 0; i < text.size(); ++i) {  // no cell begins with one of them, unless it is a number
    const bool is_start = begins || (text[i - 1] == '"' && (i < 2 || text[i - 2] == ',' || text[i - 2] == '\n'));
    if (is_start) {
      EXPECT_EQ(std::string("=+@\t").find(text[i]), std::string::npos) << text.substr(i, 20);
      if (text[i] == '-') {
        EXPECT_NE(std::string("0123456789").find(text[i + 1]), std::string::npos) << text.substr(i, 20);
      }
    }
    begins = text[i] == ',' || text[i] == '\n';
  }
  std::ofstream(file_, std::ios::binary) << text;
  const auto rows = read_csv(file_, spec.task).evaluations;
  ASSERT_EQ(rows.size(), labels.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].x, study.history().find(static_cast<int>(i))->x) << labels[i];
    EXPECT_EQ(rows[i].y, -static_cast<double>(i));
  }
}

}  // namespace
}  // namespace bocs
