#pragma once
// Charts for documents, written as SVG. Text from data is escaped: it cannot become markup.

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bocs {

struct ChartPoint {
  double x = 0;
  double y = 0;
  double low = 0;  // ends of the interval around y; bands and bars show it
  double high = 0;
};

enum class ChartStyle {
  line,
  dashed,
  band,    // a line, and the interval as an area
  bars,    // points on a line, and the intervals as bars
  points,  // black points on a line: what the others are compared with
};

struct ChartSeries {
  std::string name;
  ChartStyle style = ChartStyle::line;
  std::vector<ChartPoint> points;
};

struct ChartRange {
  double low = 0;
  double high = 0;
};

struct Chart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<ChartSeries> series;
  /// Logarithmic y axis. What lies below its lower end, zero included, leaves the picture there and is drawn nowhere
  /// else.
  bool log = false;
  bool legend = true;
  std::optional<ChartRange> x_range = {};  // otherwise what the data need
  std::optional<ChartRange> y_range = {};
};

/// A chart that fills the picture.
std::string to_svg(const Chart& chart, double width = 760, double height = 540);

struct PlacedChart {
  Chart chart;
  double x = 0;  // of its upper left corner
  double y = 0;
  double width = 0;
  double height = 0;
};
/// Several charts in one picture, and a note in its upper right corner, with the names of the first chart's series.
std::string to_svg(std::span<const PlacedChart> charts, double width, double height, const std::string& note);

/// For the text and the attributes of XML: & < > and quotes become entities, control characters spaces.
std::string xml_text(const std::string& text);

/// Round numbers that cover the range, at most about `count` of them; of a logarithmic axis powers of ten, and between
/// them 2 and 5 times these where there are few.
std::vector<double> ticks(const ChartRange& range, int count);
std::vector<double> log_ticks(const ChartRange& range);

}  // namespace bocs
