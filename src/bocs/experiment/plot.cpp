#include "bocs/experiment/plot.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "bocs/core/text.hpp"

namespace bocs {
namespace {

struct Place {
  double x = 0;
  double mean = 0;
  double low = 0;
  double high = 0;
};

struct Curve {
  std::string name;
  std::vector<Place> places;
};

enum class Style { band, bars, truth };  // mean with band; mean with error bars; points without errors

struct Drawing {
  std::string name;
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<std::pair<Curve, Style>> curves;
};

/// Letters that are harmless in file names; none begins like an option of a program.
std::string file_name(std::string text) {
  for (char& c : text) {
    const bool harmless = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '=' || c == '_';
    if (!harmless) c = '-';
  }
  if (text.starts_with('-')) text.front() = '_';
  return text;
}

/// 95 % of a normal distribution are within 1.96 standard errors.
Place place(double x, const Estimate& estimate) {
  const double half = std::isnan(estimate.two_se) ? 0 : 0.98 * estimate.two_se;
  return {x, estimate.mean, estimate.mean - half, estimate.mean + half};
}

/// Nothing at or below zero can be drawn on a logarithmic axis: such ends go to its lower edge.
void lift_to_logarithmic_axis(Drawing& drawing) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& [curve, style] : drawing.curves) {
    for (const auto& p : curve.places) smallest = p.mean > 0 ? std::min(smallest, p.mean) : smallest;
  }
  const double edge = smallest / 2;
  for (auto& [curve, style] : drawing.curves) {
    for (auto& p : curve.places) {
      p.mean = std::max(p.mean, edge);
      p.low = std::max(p.low, edge);
      p.high = std::max(p.high, edge);
    }
  }
}

/// All bands first, so that no band hides a line.
std::string plot_command(const Drawing& drawing) {
  std::string bands;
  std::string lines;
  for (std::size_t i = 0; i < drawing.curves.size(); ++i) {
    const auto& [curve, style] = drawing.curves[i];
    const std::string data = "$curve" + std::to_string(i);
    const std::string type = style == Style::truth ? "lc 'black'" : "lt " + std::to_string(i + 1);
    const std::string title = " title " + gnuplot_text(curve.name);
    if (!lines.empty()) lines += ", \\\n  ";
    if (style == Style::band) {
      bands += data + " using 1:3:4 with filledcurves " + type + " notitle, \\\n  ";
      lines += data + " using 1:2 with lines " + type + " lw 2" + title;
    } else if (style == Style::bars) {
      lines += data + " using 1:2:3:4 with yerrorlines " + type + " lw 1.5 pt 7 ps 0.5" + title;
    } else {
      lines += data + " using 1:2 with linespoints " + type + " lw 2 pt 7 ps 0.6" + title;
    }
  }
  return "plot " + bands + lines;
}

Figure render(Drawing drawing, bool log) {
  if (log) lift_to_logarithmic_axis(drawing);
  Figure figure;
  figure.name = file_name(drawing.name);
  figure.csv = "curve,x,mean,low,high\n";
  std::string& script = figure.script;
  for (std::size_t i = 0; i < drawing.curves.size(); ++i) {
    const Curve& curve = drawing.curves[i].first;
    script += "$curve" + std::to_string(i) + " << END\n";
    for (const auto& p : curve.places) {
      const std::string numbers[] = {shortest(p.x), shortest(p.mean), shortest(p.low), shortest(p.high)};
      script += numbers[0] + " " + numbers[1] + " " + numbers[2] + " " + numbers[3] + "\n";
      figure.csv +=
          "\"" + curve.name + "\"," + numbers[0] + "," + numbers[1] + "," + numbers[2] + "," + numbers[3] + "\n";
    }
    script += "END\n";
  }
  // Colours that stay apart for the colour-blind (Okabe and Ito 2008).
  const char* const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00",
                                 "#56B4E9", "#000000", "#8C6D31", "#7F7F7F", "#6A3D9A"};
  int type = 0;
  for (const char* colour : colours) script += "set linetype " + std::to_string(++type) + " lc rgb '" + colour + "'\n";
  script += "set linetype cycle 10\nset style fill transparent solid 0.18 noborder\nset grid back lc rgb '#dddddd'\n";
  script += "set key below Left reverse noenhanced height 0.8\nset tics nomirror\nset border 3\n";
  const bool bands = !drawing.curves.empty() && drawing.curves.front().second == Style::band;
  if (bands) script += "set autoscale xfix\n";  // bands end where the data end; error bars need room
  script += "set title " + gnuplot_text(drawing.title) + " noenhanced\n";
  script += "set xlabel " + gnuplot_text(drawing.x_label) + "\nset ylabel " + gnuplot_text(drawing.y_label) + "\n";
  if (log) script += "set logscale y\nset format y '10^{%L}'\n";
  const std::string plot = plot_command(drawing);
  script += "set terminal svg size 760,560 font 'DejaVu Sans,13' background rgb 'white'\n";
  script += "set output " + gnuplot_text(figure.name + ".svg") + "\n" + plot + "\n";
  script += "set terminal pdfcairo size 16cm,12cm font 'DejaVu Sans,10'\n";
  script += "set output " + gnuplot_text(figure.name + ".pdf") + "\n" + plot + "\n";
  return figure;
}

Curve& curve_of(Drawing& drawing, const std::string& name, Style style) {
  for (auto& [curve, drawn] : drawing.curves) {
    if (curve.name == name) return curve;
  }
  drawing.curves.push_back({{name, {}}, style});
  return drawing.curves.back().first;
}

/// Drawings by first appearance of their name.
Drawing& drawing_of(std::vector<Drawing>& drawings, const Drawing& empty) {
  for (auto& drawing : drawings) {
    if (drawing.name == empty.name) return drawing;
  }
  return drawings.emplace_back(empty);
}

void draw_convergence(std::vector<Drawing>& drawings, std::span<const CellResult> results, const PlotOptions& options) {
  int last = 0;
  int first = std::numeric_limits<int>::max();
  for (const auto& result : results) {
    last = std::max(last, result.cell.trials);
    first = std::min(first, std::max(1, result.cell.initial));
  }
  TableOptions table;
  table.metric = options.metric;
  for (table.at = first; table.at <= last; ++table.at) {
    for (const auto& row : make_table(results, table)) {
      if (table.at > row.trials || row.estimate.runs == 0) continue;
      const std::string lambda = shortest(row.lambda);
      Drawing& drawing =
          drawing_of(drawings, {row.problem + "_lambda=" + lambda + "_trials=" + std::to_string(row.trials),
                                row.problem + ", lambda = " + lambda,
                                "evaluations",
                                row.metric == "value" ? "best value" : row.metric,
                                {}});
      Place here = place(table.at, row.estimate);
      if (row.metric == "regret") here.low = std::max(here.low, 0.0);  // nothing is better than the optimum
      curve_of(drawing, row.method, Style::band).places.push_back(here);
    }
  }
}

void draw_test_error(std::vector<Drawing>& drawings, std::span<const CellResult> results) {
  for (const auto& row : make_table(results, {})) {
    Drawing& drawing =
        drawing_of(drawings, {row.problem + "_test-error", row.problem, "training points", "mean absolute error", {}});
    curve_of(drawing, row.method, Style::bars).places.push_back(place(row.trials, row.estimate));
  }
}

/// Test points in order of their true value; predictions with one standard deviation.
void draw_predictions(std::vector<Drawing>& drawings, std::span<const CellResult> results) {
  std::uint64_t first = results.front().cell.instance;
  for (const auto& result : results) first = std::min(first, result.cell.instance);
  for (const auto& result : results) {
    if (result.cell.instance != first || result.cell.repeat != 0) continue;
    const std::string size = std::to_string(result.cell.trials);
    Drawing& drawing = drawing_of(drawings, {result.cell.problem + "_predictions_training=" + size,
                                             result.cell.problem + ", " + size + " training points",
                                             "test point, in order of the true value",
                                             "value",
                                             {}});
    std::vector<std::size_t> order(result.truth.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return result.truth[a] < result.truth[b]; });
    const bool first_model = drawing.curves.empty();
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      const std::size_t i = order[rank];
      const auto x = static_cast<double>(rank + 1);
      const double y = result.predicted[i];
      if (first_model) {
        curve_of(drawing, "truth", Style::truth)
            .places.push_back({x, result.truth[i], result.truth[i], result.truth[i]});
      }
      curve_of(drawing, result.cell.method, Style::bars)
          .places.push_back({x, y, y - result.deviation[i], y + result.deviation[i]});
    }
  }
}

}  // namespace

std::string gnuplot_text(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += '\'';
    result += is_control(c) ? ' ' : c;
  }
  return result + "'";
}

std::vector<Figure> make_figures(std::span<const CellResult> results, const PlotOptions& options) {
  std::vector<CellResult> runs;
  std::vector<CellResult> validations;
  std::set<int> sizes;
  for (const auto& result : results) {
    if (result.cell.kind == CellKind::optimization) runs.push_back(result);
    if (result.cell.kind != CellKind::validation) continue;
    validations.push_back(result);
    sizes.insert(result.cell.trials);
  }
  std::vector<Drawing> drawings;
  if (!runs.empty()) draw_convergence(drawings, runs, options);
  if (sizes.size() > 1) draw_test_error(drawings, validations);
  if (sizes.size() == 1) draw_predictions(drawings, validations);
  std::vector<Figure> figures;
  for (auto& drawing : drawings) figures.push_back(render(std::move(drawing), options.log));
  return figures;
}

}  // namespace bocs
