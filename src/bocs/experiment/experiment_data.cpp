#include "bocs/experiment/experiment_data.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "bocs/experiment/plot.hpp"
#include "bocs/study/json_numbers.hpp"
#include "bocs/version.hpp"

namespace bocs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kPoints = 120;  // of a curve
constexpr int kDigits = 5;

Json estimate_data(const Estimate& e) {
  return {{"mean", known(e.mean)},
          {"error", known(e.error)},
          {"median", known(e.median)},
          {"runs", e.runs},
          {"instances", e.instances}};
}

Json row_data(const TableRow& row) {
  Json out = {{"problem", row.problem},
              {"lambda", row.lambda},
              {"trials", row.trials},
              {"kind", to_string(row.kind)},
              {"method", row.method},
              {"metric", row.metric},
              {"estimate", estimate_data(row.estimate)},
              {"best", row.best}};
  if (row.kind == CellKind::optimization) {
    out["value"] = estimate_data(row.value);
    out["found"] = row.found ? Json(*row.found) : Json(nullptr);
    out["seconds"] = row.suggest_seconds_mean;
  }
  if (row.paper) out["paper"] = {{"mean", row.paper->mean}, {"error", row.paper->error}};
  if (row.comparison) {
    out["difference"] = estimate_data(row.comparison->difference);
    out["better"] = row.comparison->better;
    out["worse"] = row.comparison->worse;
  }
  return out;
}

const char* style_name(ChartStyle style) {
  switch (style) {
    case ChartStyle::band:
      return "band";
    case ChartStyle::bars:
      return "bars";
    case ChartStyle::points:
      return "points";
    default:
      return "line";
  }
}

Json chart_data(const Chart& chart) {
  Json out = {{"title", chart.title}, {"x", chart.x_label}, {"y", chart.y_label}, {"series", Json::array()}};
  for (const auto& series : chart.series) {
    Json points = Json::array();
    const std::size_t step = std::max<std::size_t>(1, (series.points.size() + kPoints - 1) / kPoints);
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      if (i % step != 0 && i + 1 != series.points.size()) continue;
      const ChartPoint& p = series.points[i];
      points.push_back(
          {rounded(p.x, kDigits), rounded(p.y, kDigits), rounded(p.low, kDigits), rounded(p.high, kDigits)});
    }
    out["series"].push_back(
        {{"name", series.name}, {"style", style_name(series.style)}, {"points", std::move(points)}});
  }
  return out;
}

/// What each method reached on each instance at the end, its repetitions averaged, in ascending order: how often it was
/// how good, where a mean hides it.
Json profiles_data(std::span<const CellResult> results, const std::vector<TableRow>& rows) {
  Json out = Json::array();
  for (const auto& row : rows) {
    if (row.kind != CellKind::optimization || (row.metric != "regret" && row.metric != "value")) continue;
    std::map<std::uint64_t, std::pair<double, int>> sums;
    for (const auto& result : results) {
      const Cell& cell = result.cell;
      if (cell.problem != row.problem || cell.method != row.method || cell.lambda != row.lambda ||
          cell.trials != row.trials)
        continue;
      const auto value = row.metric == "regret" ? result.regret_at(cell.trials) : result.value_at(cell.trials);
      if (!value) continue;
      sums[cell.instance].first += *value;
      ++sums[cell.instance].second;
    }
    std::vector<double> values;
    for (const auto& [instance, sum] : sums) values.push_back(sum.first / sum.second);
    std::sort(values.begin(), values.end());
    Json list = Json::array();
    for (const double value : values) list.push_back(rounded(value, kDigits));
    out.push_back({{"problem", row.problem},
                   {"lambda", row.lambda},
                   {"trials", row.trials},
                   {"method", row.method},
                   {"metric", row.metric},
                   {"values", std::move(list)}});
  }
  return out;
}

}  // namespace

Json experiment_data(const std::string& name, std::span<const CellResult> results, const TableOptions& options) {
  const auto rows = make_table(results, options);
  std::set<std::string> versions;
  double seconds = 0;
  for (const auto& result : results) {
    versions.insert(result.version);
    seconds += result.seconds;
  }
  Json out = {{"schema", 1},
              {"kind", "experiment"},
              {"program", signature()},
              {"name", name},
              {"cells", results.size()},
              {"programs", versions},
              {"seconds", rounded(seconds, kDigits)},
              {"scale_by", options.scale_by},
              {"against", options.against},
              {"rows", Json::array()},
              {"charts", Json::array()}};
  for (const auto& row : rows) out["rows"].push_back(row_data(row));
  for (const auto& figure : make_figures(results, {.metric = options.metric == "gain" ? "auto" : options.metric})) {
    out["charts"].push_back(chart_data(figure.chart));
  }
  out["profiles"] = profiles_data(results, rows);
  return out;
}

}  // namespace bocs
