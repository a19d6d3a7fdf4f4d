#include "bocs/study/plate_sheet.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "bocs/run/plate.hpp"
#include "bocs/study/csv.hpp"
#include "store/store_fixture.hpp"
#include "temporary_folder.hpp"

namespace bocs {
namespace {

class PlateSheet : public testing::Test {
 protected:
  PlateSheet() {
    StudySpec spec{"lab", {Space({categorical("base", {"A", "B", "C", "D"}), integer("celsius", 20, 40)}), 0, 0, 1}};
    spec.task.outcomes = {parse_outcome_limit("impurity <= 5")};
    spec.sense = Sense::maximize;
    spec.trials = 12;
    study_.emplace(Store("sqlite:" + (folder_.path() / "lab.db").string(), {.create = true}).create(spec));
    trials_ = ask_plate(*study_, 6, {.same = {"celsius"}, .block = 3});
    std::istringstream lines(plate_sheet(study_->task(), trials_));
    for (std::string line; std::getline(lines, line);) lines_.push_back(line);
  }
  /// The row of trial k with its three empty cells filled in.
  [[nodiscard]] std::string filled(int k, const std::string& cells) const {
    const std::string& line = lines_[static_cast<std::size_t>(k) + 1];
    return line.substr(0, line.size() - 2) + cells;
  }
  SheetResult tell(const std::vector<std::string>& rows) {
    const auto file = folder_.path() / "plate.csv";
    std::ofstream stream(file);
    stream << lines_.front() << "\n";
    for (const auto& row : rows) stream << row << "\n";
    stream.close();
    return tell_sheet(*study_, file);
  }
  void refused(const std::vector<std::string>& rows, const std::string& words) {
    const int before = static_cast<int>(study_->history().complete().size());
    try {
      tell(rows);
      ADD_FAILURE() << "accepted; expected: " << words;
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
    EXPECT_EQ(static_cast<int>(study_->history().complete().size()), before);  // nothing was told
  }
  [[nodiscard]] const Trial& trial(int k) const { return *study_->history().find(k); }

  TemporaryFolder folder_;
  std::optional<Study> study_;
  std::vector<Trial> trials_;
  std::vector<std::string> lines_;  // of the sheet
};

TEST_F(PlateSheet, HasARowForEachTrialAndEmptyColumns) {
  ASSERT_EQ(lines_.size(), 7);
  EXPECT_EQ(lines_.front(), "number,base,celsius,value,impurity,remark");
  for (int k = 0; k < 6; ++k) EXPECT_TRUE(lines_[static_cast<std::size_t>(k) + 1].ends_with(",,,")) << lines_[1];
}

TEST_F(PlateSheet, IsReadPartlyFilledInAnyOrderAndNeverTwice) {
  const std::vector<std::string> rows{filled(4, "81.5,2,"), filled(1, ",,"), filled(0, "70,1,\"cloudy, yellow\""),
                                      filled(2, "spilled,,on the floor")};
  const SheetResult first = tell(rows);
  EXPECT_EQ(first.told, (std::vector<int>{4, 0, 2}));
  EXPECT_EQ(std::tuple(first.failed, first.known, first.open, first.added), std::tuple(1, 0, 1, 0));
  EXPECT_EQ(trial(4).y, -81.5);
  EXPECT_EQ(trial(0).remark, "cloudy, yellow");
  EXPECT_EQ(trial(0).metrics.at("impurity"), 1);
  EXPECT_EQ(trial(2).state, State::failed);
  EXPECT_EQ(trial(2).error, "spilled");
  EXPECT_EQ(trial(2).remark, "on the floor");
  EXPECT_EQ(trial(1).state, State::running);

  std::vector<std::string> later = rows;
  later[1] = filled(1, "66,3,");
  std::reverse(later.begin(), later.end());
  const SheetResult second = tell(later);
  EXPECT_EQ(second.told, (std::vector<int>{1}));
  EXPECT_EQ(std::tuple(second.known, second.open), std::tuple(3, 0));
  const Study again = Store("sqlite:" + (folder_.path() / "lab.db").string()).open("lab");
  EXPECT_EQ(again.history().find(0)->remark, "cloudy, yellow");
  EXPECT_NE(to_csv(again).find("\"cloudy, yellow\""), std::string::npos);
}

TEST_F(PlateSheet, RefusesAllOfItIfARowIsWrong) {
  refused({filled(0, "70,1,"), filled(1, "60,,")}, "plate.csv:3: the column 'impurity' is empty");
  refused({filled(0, "70,1,"), "99,A,30,50,1,"}, "there is no trial 99");
  refused({filled(0, "70,1,"), filled(0, "71,1,")}, "trial 0 is there twice");
  std::string other = filled(0, "70,1,");
  other[other.find(',') + 1] = trials_[0].x[0] == 0 ? 'B' : 'A';
  refused({other}, "was asked with other values");
  refused({"x,A,30,50,1,"}, "number: found 'x'");
  refused({filled(0, "70,1,"), "0,A"}, "fields");
  tell({filled(0, "70,1,")});
  refused({filled(0, "75,1,"), filled(1, "60,1,")}, "was told before, with another result");
}

TEST_F(PlateSheet, AddsWhatWasDoneInstead) {
  const Point own = trials_[0].x[0] == 0 ? Point{0, 20 - trials_[0].x[1]} : Point{0, 3};
  const std::string row = "," + study_->task().space.format(own) + ",55,2,own idea";
  EXPECT_EQ(tell({row}).added, 1);
  EXPECT_EQ(tell({row}).added, 0);
  EXPECT_EQ(study_->history().best(study_->task())->remark, "own idea");
}

TEST_F(PlateSheet, TrialsOfABatchReplay) {
  for (const Trial& trial : trials_) {
    EXPECT_EQ(study_->replay(*study_->history().find(trial.number)).x, trial.x) << trial.number;
  }
  Study again = Store("sqlite:" + (folder_.path() / "lab.db").string()).open("lab");
  for (const Trial& trial : again.history().trials()) {
    EXPECT_EQ(again.replay(trial).x, trial.x) << trial.number;
    EXPECT_EQ(trial.info.rules, trials_[static_cast<std::size_t>(trial.number)].info.rules);
  }
}

}  // namespace
}  // namespace bocs
