#include "bocs/experiment/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <tuple>

#include "bocs/base/error.hpp"
#include "bocs/numeric/numbers.hpp"

namespace bocs {
namespace {

constexpr double kFoundTolerance = 1e-9;  // regret, relative to the optimum if that is above 1

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double error_of_mean(const std::vector<double>& values) {
  if (values.size() < 2) return kUnknown;
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  const auto n = static_cast<double>(values.size());
  return student_quantile(static_cast<int>(values.size()) - 1) * std::sqrt(squares / (n - 1) / n);
}

std::map<std::uint64_t, double> instance_means(std::span<const Observation> observations) {
  std::map<std::uint64_t, std::vector<double>> groups;
  for (const auto& o : observations) groups[o.instance].push_back(o.value);
  std::map<std::uint64_t, double> means;
  for (const auto& [instance, values] : groups) means[instance] = mean(values);
  return means;
}

/// A row in the making: the runs of one method on one problem.
struct Group {
  CellKind kind = CellKind::optimization;
  std::string problem;
  double lambda = 0;
  int trials = 0;
  std::string method;
  int order = 0;  // of the coefficients counted; 0: of no matter
  std::vector<const CellResult*> results;
};

/// Blocks (problem, budget, lambda) by first appearance, methods within them too.
std::vector<std::vector<Group>> group(std::span<const CellResult> results) {
  std::vector<std::vector<Group>> blocks;
  std::map<std::tuple<CellKind, std::string, int, double>, std::size_t> block_of;
  for (const auto& result : results) {
    const Cell& cell = result.cell;
    const auto [slot, is_new] =
        block_of.try_emplace(std::tuple(cell.kind, cell.problem, cell.trials, cell.lambda), blocks.size());
    if (is_new) blocks.emplace_back();
    auto& block = blocks[slot->second];
    const int orders = static_cast<int>(result.large.size());
    for (int order = orders > 0 ? 1 : 0; order <= orders; ++order) {
      const auto same = [&](const Group& g) { return g.method == cell.method && g.order == order; };
      auto found = std::find_if(block.begin(), block.end(), same);
      if (found == block.end()) {
        block.push_back({cell.kind, cell.problem, cell.lambda, cell.trials, cell.method, order, {}});
        found = block.end() - 1;
      }
      found->results.push_back(&result);
    }
  }
  return blocks;
}

std::string metric_of(const std::vector<Group>& block, const TableOptions& options) {
  const CellKind kind = block.front().kind;
  if (kind == CellKind::validation) return "test error";
  if (kind == CellKind::coefficients) return "large coefficients";
  if (options.until) return "seconds";
  if (options.metric == "value" || options.metric == "gain" || options.metric == "recommended") return options.metric;
  for (const auto& rows : block) {
    for (const CellResult* result : rows.results) {
      if (result->optimum) continue;
      require(options.metric != "regret", [&] {
        return "the optimum of " + rows.problem + " is not known: there is no regret, allowed is metric value";
      });
      return "value";
    }
  }
  return "regret";
}

double test_error(const CellResult& result) {
  double sum = 0;
  for (std::size_t i = 0; i < result.truth.size(); ++i) sum += std::abs(result.predicted[i] - result.truth[i]);
  return sum / static_cast<double>(result.truth.size());
}

/// What makes the numbers of a table out of results.
struct Reader {
  std::string metric;
  const TableOptions& options;

  [[nodiscard]] int count(const CellResult& result) const { return options.at > 0 ? options.at : result.cell.trials; }

  [[nodiscard]] std::optional<double> operator()(const CellResult& result, int order) const {
    std::optional<double> number;
    if (metric == "regret") number = options.area ? area_of_regret(result) : result.regret_at(count(result));
    if (metric == "value") number = options.area ? result.area_at(count(result)) : result.value_at(count(result));
    if (metric == "gain") number = result.gain();
    if (metric == "recommended") number = result.recommended;
    if (metric == "seconds") number = result.seconds_until(*options.until).value_or(result.suggest_seconds());
    if (metric == "test error") number = test_error(result);
    if (metric == "large coefficients") number = result.large[static_cast<std::size_t>(order) - 1];
    if (number) *number *= options.scale_by;
    return number;
  }

  [[nodiscard]] std::optional<double> area_of_regret(const CellResult& result) const {
    const auto area = result.area_at(count(result));
    if (!area || !result.optimum) return std::nullopt;
    return oriented(result.sense, *area) - oriented(result.sense, *result.optimum);
  }

  /// Positive when smaller numbers are better, 0 when neither is.
  [[nodiscard]] int direction(const CellResult& result) const {
    if (metric == "large coefficients") return 0;
    const bool is_value = metric == "value" || metric == "recommended";
    return metric == "gain" || (is_value && result.sense == Sense::maximize) ? -1 : 1;
  }
};

using Replication = std::tuple<std::uint64_t, int, std::uint64_t>;  // instance, repeat, seed

std::map<Replication, double> by_replication(const Group& runs, const Reader& read) {
  std::map<Replication, double> numbers;
  for (const CellResult* result : runs.results) {
    const Cell& cell = result->cell;
    if (const auto number = read(*result, runs.order)) numbers[{cell.instance, cell.repeat, cell.seed}] = *number;
  }
  return numbers;
}

Comparison compare(const Group& method, const Group& baseline, const Reader& read) {
  const auto base = by_replication(baseline, read);
  std::vector<Observation> differences;
  for (const auto& [replication, number] : by_replication(method, read)) {
    const auto other = base.find(replication);
    if (other != base.end()) differences.push_back({std::get<0>(replication), number - other->second});
  }
  Comparison comparison;
  comparison.difference = estimate(differences);
  const int direction = read.direction(*method.results.front());
  for (const auto& [instance, difference] : instance_means(differences)) {
    comparison.better += direction * difference < -kFoundTolerance ? 1 : 0;
    comparison.worse += direction * difference > kFoundTolerance ? 1 : 0;
  }
  const double mean = comparison.difference.mean, error = comparison.difference.error;  // NaN with one instance
  if (std::abs(mean) > error + kFoundTolerance) comparison.verdict = direction * mean < 0 ? 1 : -1;
  return comparison;
}

std::optional<PaperValue> find_paper(const Group& runs, const TableOptions& options) {
  for (PaperValue value : options.paper) {
    if (value.method != runs.method || (!value.problem.empty() && value.problem != runs.problem)) continue;
    if ((value.lambda && *value.lambda != runs.lambda) || (value.trials > 0 && value.trials != runs.trials)) continue;
    value.mean *= options.scale_by;
    value.error *= options.scale_by;
    return value;
  }
  return std::nullopt;
}

TableRow make_row(const Group& runs, const Reader& read) {
  TableRow row;
  row.kind = runs.kind;
  row.problem = runs.problem;
  row.lambda = runs.lambda;
  row.trials = runs.trials;
  row.method = runs.order > 0 ? runs.method + ", terms of order " + std::to_string(runs.order) : runs.method;
  row.metric = read.metric;
  std::vector<Observation> observations;
  std::vector<Observation> values;
  int found = 0;
  int with_optimum = 0;
  for (const CellResult* result : runs.results) {
    const std::uint64_t instance = result->cell.instance;
    if (const auto number = read(*result, runs.order)) observations.push_back({instance, *number});
    if (const auto value = result->value_at(read.count(*result))) values.push_back({instance, *value});
    if (result->optimum) {
      const auto regret = result->regret_at(read.count(*result));
      found += regret && *regret <= kFoundTolerance * std::max(1.0, std::abs(*result->optimum)) ? 1 : 0;
      ++with_optimum;
    }
    row.suggest_seconds_mean += result->suggest_seconds_mean;
  }
  const auto n = static_cast<double>(runs.results.size());
  row.suggest_seconds_mean /= n;
  row.estimate = estimate(observations);
  row.value = estimate(values);
  if (with_optimum > 0) row.found = static_cast<double>(found) / with_optimum;
  row.paper = find_paper(runs, read.options);
  if (!read.options.until) return row;
  int reached = 0;
  double seconds = 0;
  for (const CellResult* result : runs.results) reached += result->seconds_until(*read.options.until) ? 1 : 0;
  for (const auto& observation : observations) seconds += observation.value;
  row.reached = reached / n;
  row.per_success = seconds / reached;
  return row;
}

/// The places of the numbers, the smallest first; those that are equal share the mean of their places.
std::vector<double> places(const std::vector<double>& numbers) {
  std::vector<double> result;
  for (const double number : numbers) {
    double place = 0.5;
    for (const double other : numbers) {
      const double margin = kFoundTolerance * std::max(1.0, std::abs(number));
      place += other < number - margin ? 1 : other <= number + margin ? 0.5 : 0;
    }
    result.push_back(place);
  }
  return result;
}

const Group* find_method(const std::vector<Group>& block, const std::string& method) {
  const auto found = std::find_if(block.begin(), block.end(), [&](const Group& g) { return g.method == method; });
  return found == block.end() ? nullptr : &*found;
}

RankTable::Line rank_line(const std::vector<Group>& block, const std::vector<std::string>& methods,
                          const Reader& read) {
  const Group& any = block.front();
  RankTable::Line line{any.problem, any.lambda, any.trials, 0, std::vector<double>(methods.size(), 0.0)};
  const int direction = read.direction(*any.results.front());
  require(direction != 0,
          [&] { return read.metric + ": no number is better than another, so that there are no ranks"; });
  std::vector<std::map<Replication, double>> numbers;
  for (const auto& method : methods) numbers.push_back(by_replication(*find_method(block, method), read));
  for (const auto& [replication, first] : numbers.front()) {
    std::vector<double> losses;
    for (const auto& of_method : numbers) {
      const auto found = of_method.find(replication);
      if (found != of_method.end()) losses.push_back(direction * found->second);
    }
    if (losses.size() < methods.size()) continue;
    const auto ranks = places(losses);
    for (std::size_t m = 0; m < ranks.size(); ++m) line.ranks[m] += ranks[m];
    ++line.replications;
  }
  require(line.replications > 0,
          [&] { return "ranks: no replication of " + any.problem + " has been finished by every method"; });
  for (double& rank : line.ranks) rank /= line.replications;
  return line;
}

void mark_best(std::span<TableRow> rows, int direction) {
  if (direction == 0) return;
  // Who gives up early spends little: what counts is the time for a success.
  const auto loss_of = [&](const TableRow& row) { return direction * row.per_success.value_or(row.estimate.mean); };
  double best = kUnknown;
  for (const TableRow& row : rows) {
    const double loss = loss_of(row);
    if (!std::isnan(loss) && !(loss >= best)) best = loss;
  }
  for (TableRow& row : rows) {
    row.best = std::isfinite(best) && loss_of(row) <= best + kFoundTolerance * std::max(1.0, std::abs(best));
  }
}

}  // namespace

double student_quantile(int degrees_of_freedom) {
  // P(|T| <= sqrt(n) tan(angle)) as a finite sum, Abramowitz and Stegun (1964), 26.7.3 and 26.7.4.
  const int n = std::min(degrees_of_freedom, 1000);  // beyond, a normal distribution
  const auto probability = [n](double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    const bool odd = n % 2 == 1;
    double term = odd ? c : 1;
    double sum = n > 1 ? term : 0;
    for (int k = odd ? 3 : 2; k <= n - 2; k += 2) {
      term *= c * c * (k - 1) / k;
      sum += term;
    }
    return odd ? 2 / std::numbers::pi * (angle + s * sum) : s * sum;
  };
  double low = 0, high = std::numbers::pi / 2;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (probability(middle) < 0.95 ? low : high) = middle;
  }
  return std::sqrt(static_cast<double>(n)) * std::tan(low);
}

std::optional<bool> TableRow::agrees() const {
  constexpr int kFewest = 5;  // runs: with fewer the error is so large that everything agrees
  if (!paper || std::isnan(estimate.error) || estimate.runs < kFewest) return std::nullopt;
  const double allowed =
      std::sqrt(estimate.error * estimate.error + paper->error * paper->error);  // hypot wants glibc 2.35
  return std::abs(estimate.mean - paper->mean) <= allowed + kFoundTolerance;
}

Estimate estimate(std::span<const Observation> observations) {
  Estimate result;
  if (observations.empty()) return result;
  std::vector<double> runs;
  for (const auto& o : observations) runs.push_back(o.value);
  std::vector<double> means;
  for (const auto& [instance, value] : instance_means(observations)) means.push_back(value);
  result.runs = static_cast<int>(runs.size());
  result.instances = static_cast<int>(means.size());
  result.mean = mean(means);
  result.error = error_of_mean(means.size() > 1 ? means : runs);
  result.median = median(std::move(runs));
  return result;
}

std::vector<TableRow> make_table(std::span<const CellResult> results, const TableOptions& options) {
  std::vector<TableRow> rows;
  bool against_found = options.against.empty();
  for (const auto& block : group(results)) {
    const Reader read{metric_of(block, options), options};
    const std::size_t start = rows.size();
    for (const auto& runs : block) {
      rows.push_back(make_row(runs, read));
      const auto is_baseline = [&](const Group& g) { return g.method == options.against && g.order == runs.order; };
      const auto baseline = std::find_if(block.begin(), block.end(), is_baseline);
      if (baseline == block.end()) continue;
      against_found = true;
      if (&*baseline != &runs) rows.back().comparison = compare(runs, *baseline, read);
    }
    mark_best(std::span(rows).subspan(start), read.direction(*block.front().results.front()));
  }
  require(against_found, [&] { return "against " + options.against + ": no finished cell is of this method"; });
  return rows;
}

std::vector<AnytimeColumn> make_anytime_table(std::span<const CellResult> results, const TableOptions& options) {
  std::vector<AnytimeColumn> columns;
  for (const int at : {30, 60, 100, 200, 0}) {
    TableOptions then = options;
    then.at = at;
    auto& column = columns.emplace_back(at > 0 ? std::to_string(at) : "end", make_table(results, then));
    for (TableRow& row : column.rows) {
      if (at < row.trials) continue;
      row.estimate = {};
      row.comparison.reset();
    }
  }
  TableOptions over_all = options;
  over_all.at = 0;
  over_all.area = true;
  columns.push_back({"area", make_table(results, over_all)});
  return columns;
}

RankTable make_ranks(std::span<const CellResult> results, const TableOptions& options) {
  const auto blocks = group(results);
  RankTable table;
  for (const auto& runs : blocks.empty() ? std::vector<Group>() : blocks.front()) {
    const auto has = [&](const auto& block) { return find_method(block, runs.method) != nullptr; };
    if (std::all_of(blocks.begin(), blocks.end(), has)) table.methods.push_back(runs.method);
  }
  require(!table.methods.empty(), "ranks: no method has run on every problem");
  table.average.assign(table.methods.size(), 0.0);
  for (const auto& block : blocks) {
    table.problems.push_back(rank_line(block, table.methods, {metric_of(block, options), options}));
    for (std::size_t m = 0; m < table.methods.size(); ++m) {
      table.average[m] += table.problems.back().ranks[m] / static_cast<double>(blocks.size());
    }
  }
  return table;
}

std::vector<CellResult> select(std::span<const CellResult> results, std::span<const Cell> cells) {
  std::map<std::string, const CellResult*> by_key;
  for (const auto& result : results) by_key.try_emplace(result.cell.key(), &result);
  std::vector<CellResult> selected;
  for (const auto& cell : cells) {
    if (const auto found = by_key.find(cell.key()); found != by_key.end()) selected.push_back(*found->second);
  }
  return selected;
}

std::vector<CellResult> sorted(std::span<const CellResult> results) {
  std::vector<CellResult> list(results.begin(), results.end());
  const auto order = [](const CellResult& r) {
    const Cell& c = r.cell;
    return std::tuple(c.kind, c.problem, c.trials, c.lambda, c.method, c.seed, c.instance, c.repeat, c.initial);
  };
  std::sort(list.begin(), list.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
  return list;
}

}  // namespace bocs
