#include "bocs/experiment/plot.hpp"

#include "results.hpp"

namespace bocs {
namespace {

TEST(Figures, ShowMeanAndBandFromTheInitialPointsOn) {
  std::vector<CellResult> results = {ended_at(1, "it's", 0), ended_at(3, "it's", 1), ended_at(8, "rs", 0),
                                     ended_at(8, "rs", 1)};
  for (auto& result : results) result.cell.initial = 5;
  const auto figures = make_figures(results, {});
  ASSERT_EQ(figures.size(), 1U);
  EXPECT_EQ(figures[0].name, "bqp_lambda=0_trials=10");
  // 8 until the sixth evaluation, from the seventh on 1 and 3: mean 2, standard error 1, 12.7 for 95 %.
  EXPECT_NE(figures[0].csv.find("\"it's\",5,8,8,8\n\"it's\",6,8,8,8\n"), std::string::npos) << figures[0].csv;
  EXPECT_NE(figures[0].csv.find("\"it's\",10,2,0,14.706"), std::string::npos) << figures[0].csv;
  EXPECT_EQ(figures[0].csv.find("\"it's\",4,"), std::string::npos);
  EXPECT_NE(figures[0].svg.find(">it&#39;s</text>"), std::string::npos);
}

TEST(Figures, BandsOfRegretEndAtZero) {
  const std::vector<CellResult> results = {ended_at(0, "rs", 0), ended_at(3, "rs", 1)};  // mean and standard error 1.5
  EXPECT_NE(make_figures(results, {})[0].csv.find("\"rs\",10,1.5,0,20.55"), std::string::npos);
}

TEST(Figures, LogarithmicAxesChangeNoNumber) {
  const std::vector<CellResult> results = {ended_at(0, "bocs", 0), ended_at(0, "bocs", 1), ended_at(2, "rs", 0)};
  EXPECT_EQ(make_figures(results, {.log = true})[0].csv, make_figures(results, {})[0].csv);
}

TEST(Figures, ValidationIsErrorAgainstSizeOrPredictionsOfOneSize) {
  CellResult result;
  result.cell.kind = CellKind::validation;
  result.cell.problem = "bqp";
  result.cell.method = "mle";
  result.cell.trials = 20;
  result.truth = {5, 4};
  result.predicted = {6, 4.5};
  result.deviation = {2, 0};
  const auto predictions = make_figures(std::vector{result}, {});
  ASSERT_EQ(predictions.size(), 1U);
  // In order of the true value.
  EXPECT_EQ(predictions[0].csv,
            "curve,x,mean,low,high\n\"truth\",1,4,4,4\n\"truth\",2,5,5,5\n\"mle\",1,4.5,4.5,4.5\n\"mle\",2,6,4,8\n");
  CellResult larger = result;
  larger.cell.trials = 40;
  larger.predicted = result.truth;
  const auto errors = make_figures(std::vector{result, larger}, {});
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].csv, "curve,x,mean,low,high\n\"mle\",20,0.75,0.75,0.75\n\"mle\",40,0,0,0\n");
}

TEST(Figures, WhatIsReadFromDataIsNeverMarkupOrAnOption) {
  std::vector<CellResult> results = {ended_at(1, "<script>alert(1)</script>", 0)};
  results[0].cell.problem = "-e]]>\" onload=\"x";
  const auto figures = make_figures(results, {});
  ASSERT_EQ(figures.size(), 1U);
  EXPECT_EQ(figures[0].name.front(), '_') << "a name that begins with - is an option";
  for (const char* markup : {"<script", "]]>", "onload=\""}) {
    EXPECT_EQ(figures[0].svg.find(markup), std::string::npos) << markup;
  }
}

}  // namespace
}  // namespace bocs
