#include "bocs/experiment/chart.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "bocs/base/text.hpp"
#include "bocs/report/page.hpp"

namespace bocs {
namespace {

constexpr double kFont = 13;           // pixels
constexpr double kLetter = 0.56;       // mean width of a letter, of the font's size
constexpr double kDecadesBelow = 1.5;  // of a logarithmic axis, at most so far below the smallest positive y

double text_width(const std::string& text) {
  // Of UTF-8, all bytes but those that continue a letter.
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return kLetter * kFont * static_cast<double>(letters);
}

/// A tenth of a pixel is finer than anybody sees.
std::string pixels(double value) { return shortest(std::round(value * 10) / 10 + 0.0); }

std::string tick_text(double value) {
  const double size = std::abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-4)) {
    const double exponent = std::floor(std::log10(size) + 1e-9);
    const double factor = std::round(value / std::pow(10, exponent) * 1e6) / 1e6;
    return shortest(factor) + "e" + shortest(exponent);
  }
  char buffer[32];
  const double rounded = std::round(value * 1e9) / 1e9 + 0.0;
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, rounded, std::chars_format::fixed).ptr};
}

struct Text {
  double x, y;
  std::string words;
  const char* anchor = "middle";
  const char* more = "";  // attributes
};

std::string text(const Text& t) {
  return "<text x=\"" + pixels(t.x) + "\" y=\"" + pixels(t.y) + "\" text-anchor=\"" + t.anchor + "\"" + t.more + ">" +
         xml_text(t.words) + "</text>\n";
}

/// One axis: from numbers to pixels.
struct Axis {
  ChartRange range;
  double from = 0, to = 0;  // pixels of range.low and range.high
  bool log = false;

  [[nodiscard]] double operator()(double value) const {
    const auto scaled = [this](double v) { return log ? std::log10(v) : v; };
    const double share = log && value <= 0
                             ? -std::numeric_limits<double>::infinity()
                             : (scaled(value) - scaled(range.low)) / (scaled(range.high) - scaled(range.low));
    return from + (to - from) * std::clamp(share, -1.0, 2.0);  // what is outside is cut off at the frame
  }
};

ChartRange widened(ChartRange range, double share) {
  if (!(range.low <= range.high)) return {0, 1};  // no data
  const double size = range.high - range.low;
  const double more = size > 0 ? share * size : std::max(1e-9, 0.05 * std::abs(range.high));
  return {range.low - more, range.high + more};
}

ChartRange x_range(const Chart& chart) {
  if (chart.x_range) return *chart.x_range;
  ChartRange range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  bool bars = false;
  for (const auto& series : chart.series) {
    bars = bars || series.style == ChartStyle::bars;
    for (const auto& p : series.points) range = {std::min(range.low, p.x), std::max(range.high, p.x)};
  }
  return range.low < range.high && !bars ? range : widened(range, 0.03);
}

ChartRange y_range(const Chart& chart) {
  if (chart.y_range) return *chart.y_range;
  double low = std::numeric_limits<double>::infinity(), high = -low, mean = low;
  for (const auto& series : chart.series) {
    for (const auto& p : series.points) {
      for (const double value : {p.y, p.low, p.high}) {
        if (!std::isfinite(value) || (chart.log && value <= 0)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
      if (p.y > 0) mean = std::min(mean, p.y);
    }
  }
  if (!chart.log) return widened({low, high}, 0.04);
  if (!(low <= high)) return {0.1, 1};
  // An interval may come as near to zero as it likes; the axis does not follow it for ever.
  if (std::isfinite(mean)) low = std::max(low, mean * std::pow(10, -kDecadesBelow));
  return {low / 1.15, std::max(high, low * 1.5) * 1.15};
}

/// The polyline through the pixels of one end of the points, in their order or from behind.
template <class End>
std::string path(const std::vector<ChartPoint>& points, const Axis& x, const Axis& y, const End& end) {
  std::string places;
  for (const auto& p : points) places += pixels(x(p.x)) + "," + pixels(y(end(p))) + " ";
  return places;
}

std::string colour_of(const ChartSeries& series, std::size_t i) {
  static const std::vector<std::string> kColours = series_colours();
  return series.style == ChartStyle::points ? "#000000" : kColours[i % kColours.size()];
}

std::string area(const ChartSeries& series, const Axis& x, const Axis& y, const std::string& colour) {
  if (series.style != ChartStyle::band) return "";
  std::vector<ChartPoint> back(series.points.rbegin(), series.points.rend());
  return "<polygon fill=\"" + colour + "\" fill-opacity=\"0.16\" points=\"" +
         path(series.points, x, y, [](const ChartPoint& p) { return p.low; }) +
         path(back, x, y, [](const ChartPoint& p) { return p.high; }) + "\"/>\n";
}

std::string line(const ChartSeries& series, const Axis& x, const Axis& y, const std::string& colour) {
  const bool marked = series.style == ChartStyle::bars || series.style == ChartStyle::points;
  std::string out = "<polyline fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"" + (marked ? "1.4" : "2.2") +
                    "\" stroke-linejoin=\"round\"" +
                    (series.style == ChartStyle::dashed ? " stroke-dasharray=\"7 5\"" : "") + " points=\"" +
                    path(series.points, x, y, [](const ChartPoint& p) { return p.y; }) + "\"/>\n";
  if (!marked) return out;
  for (const auto& p : series.points) {
    const std::string at = pixels(x(p.x));
    out += "<circle cx=\"" + at + "\" cy=\"" + pixels(y(p.y)) + "\" r=\"2.6\" fill=\"" + colour + "\"/>\n";
    if (series.style == ChartStyle::points || p.low == p.high) continue;
    out += "<path stroke=\"" + colour + "\" d=\"M" + at + "," + pixels(y(p.low)) + "V" + pixels(y(p.high)) + "\"/>\n";
  }
  return out;
}

std::string swatch(double x, double y, const ChartSeries& series, std::size_t i) {
  return "<path stroke=\"" + colour_of(series, i) + "\" stroke-width=\"3\"" +
         (series.style == ChartStyle::dashed ? " stroke-dasharray=\"7 5\"" : "") + " d=\"M" + pixels(x) + "," +
         pixels(y - 4) + "h24\"/>\n" + text({x + 31, y, series.name, "start"});
}

/// Names below the chart, as many beside each other as fit; returns the height they need.
double legend(const Chart& chart, const PlacedChart& place, double bottom, std::string& out) {
  double widest = 0;
  for (const auto& series : chart.series) widest = std::max(widest, text_width(series.name) + 50);
  const double room = place.width - 30;
  const int columns = std::max(1, std::min(static_cast<int>(room / widest), static_cast<int>(chart.series.size())));
  const auto rows = (static_cast<int>(chart.series.size()) + columns - 1) / columns;
  for (int i = 0; i < static_cast<int>(chart.series.size()); ++i) {
    const double x = place.x + 20 + room / columns * (i % columns);
    const double y = bottom - 20.0 * (rows - 1 - i / columns);
    out += swatch(x, y, chart.series[static_cast<std::size_t>(i)], static_cast<std::size_t>(i));
  }
  return 20.0 * rows + 6;
}

std::string draw(const PlacedChart& place, int number) {
  const Chart& chart = place.chart;
  std::string out;
  double bottom = place.y + place.height - 10;
  if (chart.legend && !chart.series.empty()) bottom -= legend(chart, place, bottom, out);
  const ChartRange ys = y_range(chart);
  const auto y_ticks = chart.log ? log_ticks(ys) : ticks(ys, static_cast<int>(place.height / 60));
  double widest = 0;
  for (const double tick : y_ticks) widest = std::max(widest, text_width(tick_text(tick)));
  const double left = place.x + 34 + widest, right = place.x + place.width - 18;
  const double top = place.y + (chart.title.empty() ? 14 : 40);
  bottom -= 42;
  const Axis x{x_range(chart), left, right};
  const Axis y{ys, bottom, top, chart.log};

  if (!chart.title.empty())
    out += text({(left + right) / 2, place.y + 24, chart.title, "middle", " font-weight=\"600\""});
  const std::string frame = " x=\"" + pixels(left) + "\" y=\"" + pixels(top) + "\" width=\"" + pixels(right - left) +
                            "\" height=\"" + pixels(bottom - top) + "\"";
  for (const double tick : y_ticks) {
    const double at = y(tick);
    out += "<path stroke=\"#e2e2e2\" d=\"M" + pixels(left) + "," + pixels(at) + "H" + pixels(right) + "\"/>\n" +
           text({left - 7, at + 4.5, tick_text(tick), "end"});
  }
  for (const double tick : ticks(x.range, std::min(10, static_cast<int>(place.width / 75)))) {
    const double at = x(tick);
    out += "<path stroke=\"#e2e2e2\" d=\"M" + pixels(at) + "," + pixels(top) + "V" + pixels(bottom) + "\"/>\n" +
           text({at, bottom + 18, tick_text(tick)});
  }
  out += "<path stroke=\"#555\" fill=\"none\" d=\"M" + pixels(left) + "," + pixels(top) + "V" + pixels(bottom) + "H" +
         pixels(right) + "\"/>\n" + text({(left + right) / 2, bottom + 37, chart.x_label});
  const double middle = (top + bottom) / 2;
  const std::string turn = " transform=\"rotate(-90 " + pixels(place.x + 16) + " " + pixels(middle) + ")\"";
  out += text({place.x + 16, middle, chart.y_label, "middle", turn.c_str()});

  const std::string clip = "frame" + std::to_string(number);
  out += "<clipPath id=\"" + clip + "\"><rect" + frame + "/></clipPath>\n<g clip-path=\"url(#" + clip + ")\">\n";
  // All areas first, so that none hides a line.
  const auto& all = chart.series;
  for (std::size_t i = 0; i < all.size(); ++i) out += area(all[i], x, y, colour_of(all[i], i));
  for (std::size_t i = 0; i < all.size(); ++i) out += line(all[i], x, y, colour_of(all[i], i));
  return out + "</g>\n";
}

std::string document(double width, double height, const std::string& title, const std::string& content) {
  const std::string size = pixels(width) + " " + pixels(height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + "\" width=\"" + pixels(width) +
         "\" height=\"" + pixels(height) +
         "\" role=\"img\" font-family=\"system-ui, 'DejaVu Sans', sans-serif\" font-size=\"" + pixels(kFont) +
         "\" fill=\"#222\">\n<title>" + xml_text(title) + "</title>\n<rect width=\"" + pixels(width) + "\" height=\"" +
         pixels(height) + "\" fill=\"#fff\"/>\n" + content + "</svg>\n";
}

}  // namespace

std::string xml_text(const std::string& text) {
  std::string result;
  for (const char c : clean_utf8(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += is_control(c) ? ' ' : c;
    }
  }
  return result;
}

std::vector<double> ticks(const ChartRange& range, int count) {
  const double size = range.high - range.low;
  if (!(size > 0) || !std::isfinite(size)) return {range.low};
  const double rough = size / std::max(1, count);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough <= power ? 1 : rough <= 2 * power ? 2 : rough <= 5 * power ? 5 : 10);
  std::vector<double> result;
  for (double k = std::ceil(range.low / step - 1e-9); k * step <= range.high + 1e-9 * size; ++k)
    result.push_back(k * step);
  return result;
}

std::vector<double> log_ticks(const ChartRange& range) {
  const bool few = range.high / range.low < 1000;
  std::vector<double> result;
  for (double decade = std::floor(std::log10(range.low)); decade <= std::log10(range.high); ++decade) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10, decade);
      if ((factor == 1 || few) && value >= range.low && value <= range.high) result.push_back(value);
    }
  }
  return result;
}

std::string to_svg(const Chart& chart, double width, double height) {
  return document(width, height, chart.title, draw({chart, 0, 0, width, height}, 0));
}

std::string to_svg(std::span<const PlacedChart> charts, double width, double height, const std::string& note) {
  std::string content;
  int number = 0;
  for (const auto& place : charts) content += draw(place, number++);
  if (!charts.empty()) {
    const double x = width - 20 - text_width(note);
    content += text({x, 30, note, "start"});
    const auto& all = charts.front().chart.series;
    for (std::size_t i = 0; i < all.size(); ++i) content += swatch(x, 54 + 20 * static_cast<double>(i), all[i], i);
  }
  return document(width, height, note, content);
}

}  // namespace bocs
