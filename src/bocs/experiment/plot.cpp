#include "bocs/experiment/plot.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "bocs/base/text.hpp"

namespace bocs {
namespace {

/// A chart, and the name of its files.
struct Drawing {
  std::string name;
  Chart chart;
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

ChartPoint place(double x, const Estimate& estimate) {
  const double half = std::isnan(estimate.error) ? 0 : estimate.error;
  return {x, estimate.mean, estimate.mean - half, estimate.mean + half};
}

/// What is drawn, as it is, whatever the axis shows of it.
Figure render(const Drawing& drawing) {
  Figure figure{file_name(drawing.name), "curve,x,mean,low,high\n", to_svg(drawing.chart), drawing.chart};
  for (const auto& series : drawing.chart.series) {
    for (const auto& p : series.points) {
      figure.csv += "\"" + series.name + "\"," + shortest(p.x) + "," + shortest(p.y) + "," + shortest(p.low) + "," +
                    shortest(p.high) + "\n";
    }
  }
  return figure;
}

ChartSeries& series_of(Drawing& drawing, const std::string& name, ChartStyle style) {
  for (auto& series : drawing.chart.series) {
    if (series.name == name) return series;
  }
  return drawing.chart.series.emplace_back(ChartSeries{name, style, {}});
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
                                {row.problem + ", lambda = " + lambda,
                                 "evaluations",
                                 row.metric == "value" ? "best value" : row.metric,
                                 {},
                                 options.log}});
      ChartPoint here = place(table.at, row.estimate);
      if (row.metric == "regret") here.low = std::max(here.low, 0.0);  // nothing is better than the optimum
      series_of(drawing, row.method, ChartStyle::band).points.push_back(here);
    }
  }
}

void draw_test_error(std::vector<Drawing>& drawings, std::span<const CellResult> results, const PlotOptions& options) {
  for (const auto& row : make_table(results, {})) {
    Drawing& drawing = drawing_of(drawings, {row.problem + "_test-error",
                                             {row.problem, "training points", "mean absolute error", {}, options.log}});
    series_of(drawing, row.method, ChartStyle::bars).points.push_back(place(row.trials, row.estimate));
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
                                             {result.cell.problem + ", " + size + " training points",
                                              "test point, in order of the true value",
                                              "value",
                                              {}}});
    std::vector<std::size_t> order(result.truth.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return result.truth[a] < result.truth[b]; });
    const bool first_model = drawing.chart.series.empty();
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      const std::size_t i = order[rank];
      const auto x = static_cast<double>(rank + 1);
      const double y = result.predicted[i];
      if (first_model) {
        series_of(drawing, "truth", ChartStyle::points)
            .points.push_back({x, result.truth[i], result.truth[i], result.truth[i]});
      }
      series_of(drawing, result.cell.method, ChartStyle::bars)
          .points.push_back({x, y, y - result.deviation[i], y + result.deviation[i]});
    }
  }
}

}  // namespace

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
  if (sizes.size() > 1) draw_test_error(drawings, validations, options);
  if (sizes.size() == 1) draw_predictions(drawings, validations);
  std::vector<Figure> figures;
  for (const auto& drawing : drawings) figures.push_back(render(drawing));
  return figures;
}

}  // namespace bocs
