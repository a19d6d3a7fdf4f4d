#include "experiment_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "bocs/study/json_numbers.hpp"
#include "terminal.hpp"

namespace bocs::cli {
namespace {

std::string percent(const std::optional<double>& fraction) {
  return fraction ? fmt::format("{:.4g} %", 100 * *fraction) : "-";
}

std::string interval(const Estimate& estimate) {
  if (estimate.runs == 0) return "-";
  return std::isnan(estimate.error) ? fmt::format("{:.4g}", estimate.mean)
                                    : fmt::format("{:.4g} ± {:.2g}", estimate.mean, estimate.error);
}

bool same_block(const TableRow& a, const TableRow& b) {
  return a.problem == b.problem && a.lambda == b.lambda && a.trials == b.trials && a.kind == b.kind;
}

/// "ising, λ = 0.01, 170 evaluations: regret"
std::string heading(const TableRow& row, const TableOptions& options) {
  const bool points = row.kind != CellKind::optimization;
  const int count = options.at > 0 && !points ? options.at : row.trials;
  std::string text = row.problem;
  if (!points) text += fmt::format(", λ = {}", row.lambda);
  text += fmt::format(", {} {}: ", count, points ? "training points" : "evaluations");
  text += options.until ? fmt::format("seconds of suggestion until {}", *options.until) : row.metric;
  return options.scale_by == 1 ? text : text + fmt::format(" × {}", options.scale_by);
}

/// The columns that people read, after the method. Optional ones are there when the first row needs them.
Line head(const TableOptions& options, CellKind kind) {
  Line line = {"mean ± 95 %", "median", "runs"};
  if (options.until) line.insert(line.end(), {"reached", "seconds a success"});
  if (kind == CellKind::optimization) line.insert(line.end(), {"found", "best value", "s/suggestion"});
  if (!options.against.empty()) line.insert(line.end(), {"minus " + options.against, "better:worse"});
  if (!options.paper.empty()) line.insert(line.end(), {"paper", "agrees"});
  return line;
}

Line columns(const TableRow& row, const TableOptions& options) {
  Line line = {interval(row.estimate), row.estimate.runs > 0 ? fmt::format("{:.4g}", row.estimate.median) : "-",
               fmt::format("{} on {}", row.estimate.runs, row.estimate.instances)};
  if (options.until) {
    line.push_back(percent(row.reached));
    line.push_back(row.per_success ? fmt::format("{:.3g}", *row.per_success) : "-");
  }
  if (row.kind == CellKind::optimization) {
    line.push_back(percent(row.found));
    line.push_back(interval(row.value));
    line.push_back(fmt::format("{:.2g}", row.suggest_seconds_mean));
  }
  if (!options.against.empty()) {
    line.push_back(row.comparison ? interval(row.comparison->difference) : "");
    line.push_back(row.comparison ? fmt::format("{}:{}", row.comparison->better, row.comparison->worse) : "");
  }
  if (!options.paper.empty()) {
    const auto agrees = row.agrees();
    line.push_back(row.paper ? fmt::format("{:.4g} ± {:.2g}", row.paper->mean, row.paper->error) : "");
    const bool lower = row.paper && row.estimate.mean < row.paper->mean;
    line.push_back(!agrees ? "" : *agrees ? "yes" : lower ? "no, lower" : "no, higher");
  }
  return line;
}

void print_terminal(std::span<const TableRow> block, const TableOptions& options) {
  fmt::print("{}\n", heading(block.front(), options));
  Line names = head(options, block.front().kind);
  names.insert(names.begin(), "  method");
  std::vector<Line> lines;
  for (const TableRow& row : block) {
    Line line = columns(row, options);
    line.insert(line.begin(), (row.best ? "* " : "  ") + row.method);
    lines.push_back(line);
  }
  print_table(names, lines, "  ");
  fmt::print("\n");
}

void print_markdown(const Line& names, const std::vector<Line>& lines) {
  const auto print_line = [](const Line& line) {
    for (const auto& text : line) fmt::print("| {} ", text);
    fmt::print("|\n");
  };
  print_line(names);
  print_line(Line(names.size(), "---"));
  for (const Line& line : lines) print_line(line);
  fmt::print("\n");
}

void print_markdown(std::span<const TableRow> block, const TableOptions& options) {
  fmt::print("{}\n\n", heading(block.front(), options));
  Line names = head(options, block.front().kind);
  names.insert(names.begin(), "method");
  std::vector<Line> lines;
  for (const TableRow& row : block) {
    Line line = columns(row, options);
    if (row.best) line.front() = "**" + line.front() + "**";
    line.insert(line.begin(), "`" + row.method + "`");
    lines.push_back(std::move(line));
  }
  print_markdown(names, lines);
}

Json ranks_to_json(const RankTable& table) {
  Json problems = Json::array();
  for (const auto& line : table.problems) {
    Json object = {{"problem", line.problem},
                   {"lambda", line.lambda},
                   {"trials", line.trials},
                   {"replications", line.replications},
                   {"ranks", Json::object()}};
    for (std::size_t m = 0; m < table.methods.size(); ++m) object["ranks"][table.methods[m]] = line.ranks[m];
    problems.push_back(std::move(object));
  }
  Json average = Json::object();
  for (std::size_t m = 0; m < table.methods.size(); ++m) average[table.methods[m]] = table.average[m];
  return {{"problems", std::move(problems)}, {"average", std::move(average)}};
}

void print_csv(const std::vector<TableRow>& rows) {
  bool first = true;
  for (const auto& row : to_json(rows)) {
    std::string names;
    std::string values;
    for (const auto& [name, value] : row.items()) {
      names += (names.empty() ? "" : ",") + name;
      // JSON's quotes are CSV's too: specs hold commas, never quotes.
      values += (&value == &row.front() ? "" : ",") + (value.is_null() ? std::string() : value.dump());
    }
    if (first) fmt::print("{}\n", names);
    first = false;
    fmt::print("{}\n", values);
  }
}

}  // namespace

Json to_json(const std::vector<TableRow>& rows) {
  Json list = Json::array();
  const bool compared =
      std::any_of(rows.begin(), rows.end(), [](const TableRow& r) { return r.comparison.has_value(); });
  const bool with_paper = std::any_of(rows.begin(), rows.end(), [](const TableRow& r) { return r.paper.has_value(); });
  for (const TableRow& row : rows) {
    Json object = {{"problem", row.problem},
                   {"method", row.method},
                   {"lambda", row.lambda},
                   {"trials", row.trials},
                   {"metric", row.metric},
                   {"n", row.estimate.runs},
                   {"instances", row.estimate.instances},
                   {"mean", known(row.estimate.mean)},
                   {"error", known(row.estimate.error)},
                   {"median", known(row.estimate.median)},
                   {"best", row.best},
                   {"found", known(row.found)},
                   {"best_mean", known(row.value.mean)},
                   {"best_error", known(row.value.error)},
                   {"suggest_seconds_mean", row.suggest_seconds_mean}};
    if (row.reached) object["reached"] = *row.reached;
    if (row.per_success) object["seconds_per_success"] = known(*row.per_success);
    if (with_paper) {
      object["paper"] = row.paper ? Json(row.paper->mean) : Json();
      object["paper_error"] = row.paper ? Json(row.paper->error) : Json();
      object["agrees"] = row.agrees() ? Json(*row.agrees()) : Json();
    }
    if (compared) {
      const Comparison c = row.comparison.value_or(Comparison{});
      object["difference"] = known(c.difference.mean);
      object["difference_error"] = known(c.difference.error);
      object["better"] = row.comparison ? Json(c.better) : Json();
      object["worse"] = row.comparison ? Json(c.worse) : Json();
    }
    list.push_back(std::move(object));
  }
  return list;
}

void print_table(const std::vector<TableRow>& rows, const TableOptions& options, const std::string& format) {
  if (format == "json") {
    print_json({{"rows", to_json(rows)}});
    return;
  }
  if (format == "csv") {
    print_csv(rows);
    return;
  }
  for (std::size_t start = 0; start < rows.size();) {
    std::size_t end = start;
    while (end < rows.size() && same_block(rows[start], rows[end])) ++end;
    const auto block = std::span(rows).subspan(start, end - start);
    format == "markdown" ? print_markdown(block, options) : print_terminal(block, options);
    start = end;
  }
}

void print_anytime(const std::vector<AnytimeColumn>& columns, const TableOptions& options, const std::string& format) {
  const auto& rows = columns.front().rows;
  for (std::size_t start = 0; start < rows.size();) {
    std::size_t end = start;
    Line names = {"method"};
    for (const auto& column : columns) names.push_back(column.name);
    std::vector<Line> lines;
    for (; end < rows.size() && same_block(rows[start], rows[end]); ++end) {
      Line& line = lines.emplace_back(Line{rows[end].method});
      for (const auto& column : columns) {
        const TableRow& row = column.rows[end];
        line.push_back(interval(row.estimate));
        if (!row.comparison) continue;
        line.back() += fmt::format("; {} {}:{}", interval(row.comparison->difference), row.comparison->better,
                                   row.comparison->worse);
      }
    }
    fmt::print("{}{}\n{}", heading(rows[start], options),
               options.against.empty() ? "" : "; minus " + options.against + " better:worse",
               format == "markdown" ? "\n" : "");
    if (format == "markdown") {
      print_markdown(names, lines);
    } else {
      print_table(names, lines, "  ");
      fmt::print("\n");
    }
    start = end;
  }
}

void print_ranks(const RankTable& table, const std::string& format) {
  if (format == "json") {
    print_json(ranks_to_json(table));
    return;
  }
  const auto numbers = [](const std::vector<double>& ranks) {
    Line line;
    for (const double rank : ranks) line.push_back(fmt::format("{:.2f}", rank));
    return line;
  };
  Line names = {"problem", "λ", "evaluations", "runs"};
  names.insert(names.end(), table.methods.begin(), table.methods.end());
  std::vector<Line> lines;
  for (const auto& problem : table.problems) {
    Line line = numbers(problem.ranks);
    line.insert(line.begin(), {problem.problem, fmt::format("{}", problem.lambda), std::to_string(problem.trials),
                               std::to_string(problem.replications)});
    lines.push_back(std::move(line));
  }
  Line average = numbers(table.average);
  average.insert(average.begin(), {"average", "", "", ""});
  lines.push_back(std::move(average));
  if (format == "markdown") {
    print_markdown(names, lines);
  } else {
    print_table(names, lines, "  ");
  }
}

void print_duels(const std::vector<TableRow>& rows, const TableOptions& options, const std::string& format) {
  std::vector<std::string> methods;
  std::vector<std::array<int, 2>> clear;  // per method: problems won and lost beyond the error
  for (const TableRow& row : rows) {
    if (row.method == options.against || std::count(methods.begin(), methods.end(), row.method) > 0) continue;
    methods.push_back(row.method);
    clear.push_back({0, 0});
  }
  std::vector<Line> lines;
  for (auto start = rows.begin(); start != rows.end();) {
    const auto end = std::find_if(start, rows.end(), [&](const TableRow& row) { return !same_block(*start, row); });
    Line line = {start->problem, fmt::format("{}", start->lambda), std::to_string(start->trials), "-"};
    line.resize(line.size() + methods.size());
    for (auto row = start; row != end; ++row) {
      if (row->method == options.against) {
        line[3] = fmt::format("{} ({})", interval(row->estimate), row->estimate.runs);
        continue;
      }
      if (!row->comparison || row->comparison->difference.runs == 0) continue;
      const auto& [difference, better, worse, verdict] = *row->comparison;  // of the row's method
      const auto m = static_cast<std::size_t>(std::find(methods.begin(), methods.end(), row->method) - methods.begin());
      if (verdict != 0) ++clear[m][verdict > 0 ? 1 : 0];
      const char* word = verdict == 0 ? "" : verdict > 0 ? " lost" : " won";
      line[4 + m] = fmt::format("{}:{}{}", worse, better, word);
    }
    lines.push_back(std::move(line));
    start = end;
  }
  Line names = {"problem", "λ", "evaluations", options.against + " (runs)"};
  Line sums = {"problems clearly won:lost", "", "", ""};
  for (std::size_t m = 0; m < methods.size(); ++m) {
    names.push_back(methods[m]);
    sums.push_back(fmt::format("{}:{}", clear[m][0], clear[m][1]));
  }
  lines.push_back(std::move(sums));
  format == "markdown" ? print_markdown(names, lines) : print_table(names, lines, "  ");
}

}  // namespace bocs::cli
