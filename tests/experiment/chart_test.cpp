#include "bocs/experiment/chart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace bocs {
namespace {

/// The numbers of the first attribute points="..." after a text.
std::vector<std::pair<double, double>> places(const std::string& svg, const std::string& after) {
  const auto begin = svg.find("points=\"", svg.find(after)) + 8;
  std::istringstream text(svg.substr(begin, svg.find('"', begin) - begin));
  std::vector<std::pair<double, double>> result;
  double x = 0, y = 0;
  char comma = 0;
  while (text >> x >> comma >> y) result.emplace_back(x, y);
  return result;
}

/// Upper and lower edge of the frame that everything is cut off at.
std::pair<double, double> frame(const std::string& svg) {
  const auto rect = svg.find("<rect", svg.find("<clipPath"));
  const auto number = [&](const std::string& name) {
    return std::stod(svg.substr(svg.find(name, rect) + name.size()));
  };
  return {number(" y=\""), number(" y=\"") + number(" height=\"")};
}

TEST(Chart, LinesGoThroughTheirPointsOnBothKindsOfAxis) {
  Chart chart{"t", "x", "y", {{"a", ChartStyle::line, {{0, 1, 1, 1}, {1, 10, 10, 10}, {2, 100, 100, 100}}}}};
  for (const bool log : {false, true}) {
    chart.log = log;
    const auto at = places(to_svg(chart), "<polyline");
    ASSERT_EQ(at.size(), 3U);
    const double share = (at[0].second - at[1].second) / (at[0].second - at[2].second);
    EXPECT_NEAR(share, log ? 0.5 : 9.0 / 99, 1e-3);  // a decade is half of two; 9 of 99
    EXPECT_NEAR(at[1].first - at[0].first, at[2].first - at[1].first, 0.11);
  }
}

/// On a logarithmic axis an interval of 0.043 +- 0.041 ends at 0.002, and one that reaches zero at the frame.
TEST(Chart, BandsEndWhereTheyEndOnALogarithmicAxis) {
  const std::vector<ChartPoint> points = {{0, 0.043, 0.002, 0.084}, {1, 0.043, -0.01, 0.096}, {2, 0.1, 0.01, 1}};
  const std::string svg = to_svg(Chart{"", "x", "y", {{"a", ChartStyle::band, points}}, true});
  const auto at = places(svg, "<polygon");
  ASSERT_EQ(at.size(), 6U);
  const auto line = places(svg, "<polyline");
  const auto [top, bottom] = frame(svg);
  EXPECT_GE(at[1].second, bottom);  // below zero: out of the frame, where it is cut off
  EXPECT_LT(at[0].second, bottom);
  const double decade = at[2].second - places(svg, "<polygon")[3].second;  // 0.01 to 1: two of them
  EXPECT_NEAR((at[0].second - line[0].second) / (decade / 2), std::log10(0.043 / 0.002), 0.01);
  EXPECT_GT(at[3].second, top);
}

TEST(Chart, ZeroIsDrawnNowhereOnALogarithmicAxis) {
  const std::vector<ChartPoint> points = {{0, 1, 1, 1}, {1, 0, 0, 0}, {2, 0, 0, 0}};
  const std::string svg = to_svg(Chart{"", "x", "y", {{"a", ChartStyle::line, points}}, true});
  const auto at = places(svg, "<polyline");
  EXPECT_LT(at[0].second, frame(svg).second);
  EXPECT_GT(at[1].second, frame(svg).second);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Chart, TicksAreRoundAndWithin) {
  EXPECT_EQ(ticks({0, 10}, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(ticks({20, 170}, 4), (std::vector<double>{50, 100, 150}));
  EXPECT_EQ(ticks({3, 3}, 5), (std::vector<double>{3}));
  EXPECT_EQ(log_ticks({0.9, 11}), (std::vector<double>{1, 2, 5, 10}));
  EXPECT_EQ(log_ticks({1e-3, 10}).size(), 5U);
}

TEST(Chart, SurvivesNothingAndOnePoint) {
  for (const bool log : {false, true}) {
    for (const std::vector<ChartPoint>& points :
         {std::vector<ChartPoint>{}, {{1, 0, 0, 0}}, {{1, 5, NAN, NAN}}, {{1, -2, -3, 4}}}) {
      const std::string svg = to_svg(Chart{"", "", "", {{"a", ChartStyle::bars, points}}, log});
      EXPECT_EQ(svg.find("inf"), std::string::npos);
      EXPECT_EQ(svg.compare(0, 4, "<svg"), 0);
    }
  }
}

TEST(Chart, TextIsNeverMarkup) {
  EXPECT_EQ(xml_text("a<b>&\"'\n\x1b"), "a&lt;b&gt;&amp;&quot;&#39;  ");
  EXPECT_EQ(xml_text("\xff"), "\xef\xbf\xbd");
}

}  // namespace
}  // namespace bocs
