#include "bocs/experiment/cell.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/numeric/rng.hpp"
#include "bocs/study/untrusted_json.hpp"

namespace bocs {
namespace {

constexpr CellKind kKinds[] = {CellKind::optimization, CellKind::validation, CellKind::coefficients};

using Json = nlohmann::ordered_json;

Json inputs(const Cell& cell) {
  Json line = {
      {"kind", to_string(cell.kind)}, {"problem", cell.problem}, {"method", cell.method}, {"lambda", cell.lambda},
      {"instance", cell.instance},    {"repeat", cell.repeat},   {"seed", cell.seed},     {"trials", cell.trials}};
  if (cell.penalty != "l1") line["penalty"] = cell.penalty;
  if (cell.kind == CellKind::optimization) line["initial"] = cell.initial;
  if (cell.in_flight != 1) line["in_flight"] = cell.in_flight;
  if (cell.kind == CellKind::validation) line["test_points"] = cell.test_points;
  if (cell.kind != CellKind::optimization) line["draws"] = cell.draws;
  return line;
}

/// Names end up in figures, tables and terminals.
std::string read_name(const Json& line, const char* key) {
  auto name = line.at(key).get<std::string>();
  require(std::none_of(name.begin(), name.end(), is_control),
          [&] { return std::string("the ") + key + " of a cell has a control character in it"; });
  return name;
}

Cell read_inputs(const Json& line) {
  Cell cell;
  cell.kind = parse_cell_kind(line.at("kind"));
  cell.problem = read_name(line, "problem");
  cell.method = read_name(line, "method");
  line.at("lambda").get_to(cell.lambda);
  line.at("instance").get_to(cell.instance);
  line.at("repeat").get_to(cell.repeat);
  line.at("seed").get_to(cell.seed);
  line.at("trials").get_to(cell.trials);
  cell.penalty = line.value("penalty", "l1");
  cell.initial = line.value("initial", 0);
  cell.in_flight = line.value("in_flight", 1);
  cell.test_points = line.value("test_points", 0);
  cell.draws = line.value("draws", 0);
  return cell;
}

}  // namespace

std::string to_string(CellKind kind) {
  switch (kind) {
    case CellKind::optimization:
      return "optimization";
    case CellKind::validation:
      return "validation";
    case CellKind::coefficients:
      return "coefficients";
  }
  return {};
}

CellKind parse_cell_kind(const std::string& text) {
  for (const CellKind kind : kKinds) {
    if (text == to_string(kind)) return kind;
  }
  throw InvalidArgument("kind '" + text + "': allowed is optimization, validation or coefficients");
}

std::string Cell::key() const { return inputs(*this).dump(); }

std::uint64_t Cell::task_seed() const {
  return Rng(seed, "experiment", instance).fork(static_cast<std::uint64_t>(repeat)).bits();
}

std::optional<double> CellResult::value_at(int count) const {
  std::optional<double> value;
  for (const auto& step : best) {
    if (step.trial < count) value = step.value;
  }
  return value;
}

std::optional<double> CellResult::area_at(int count) const {
  if (!value_at(count)) return std::nullopt;
  double sum = 0;
  for (auto step = best.begin(); step != best.end() && step->trial < count; ++step) {
    const int end = step + 1 == best.end() ? count : std::min((step + 1)->trial, count);
    sum += step->value * (end - step->trial);
  }
  return sum / (count - best.front().trial);
}

std::optional<double> CellResult::regret_at(int count) const {
  const auto value = value_at(count);
  if (!value || !optimum) return std::nullopt;
  return oriented(sense, *value) - oriented(sense, *optimum);
}

std::optional<double> CellResult::gain() const {
  if (!recommended || best.empty()) return std::nullopt;
  return oriented(sense, best.back().value) - oriented(sense, *recommended);
}

std::optional<double> CellResult::seconds_until(double target) const {
  for (const auto& step : best) {
    if (oriented(sense, step.value) <= oriented(sense, target)) return step.suggest_seconds;
  }
  return std::nullopt;
}

std::string to_line(const CellResult& result) {
  Json line = inputs(result.cell);
  line["seconds"] = result.seconds;
  line["version"] = result.version;
  if (result.cell.kind == CellKind::optimization) {
    line["sense"] = word_of(result.sense);
    line["optimum"] = result.optimum ? Json(*result.optimum) : Json();
    if (result.recommended) line["recommended"] = *result.recommended;
    line["evaluations"] = result.evaluations;
    line["failures"] = result.failures;
    line["suggest_seconds_mean"] = result.suggest_seconds_mean;
    line["best"] = Json::array();  // [trial, value, suggest_seconds]
    for (const auto& step : result.best) line["best"].push_back({step.trial, step.value, step.suggest_seconds});
  } else if (result.cell.kind == CellKind::validation) {
    line["truth"] = result.truth;
    line["predicted"] = result.predicted;
    line["deviation"] = result.deviation;
  } else {
    line["large"] = result.large;
  }
  return line.dump();
}

CellResult parse_line(const std::string& text) {
  try {
    const auto line = parse_untrusted_json<Json>(text);
    CellResult result;
    result.cell = read_inputs(line);
    line.at("seconds").get_to(result.seconds);
    line.at("version").get_to(result.version);
    if (result.cell.kind == CellKind::optimization) {
      result.sense = line.at("sense") == "maximize" ? Sense::maximize : Sense::minimize;
      if (!line.at("optimum").is_null()) result.optimum = line.at("optimum").get<double>();
      if (line.contains("recommended")) result.recommended = line.at("recommended").get<double>();
      line.at("evaluations").get_to(result.evaluations);
      line.at("failures").get_to(result.failures);
      line.at("suggest_seconds_mean").get_to(result.suggest_seconds_mean);
      for (const auto& step : line.at("best")) {
        result.best.push_back({step.at(0).get<int>(), step.at(1).get<double>(), step.at(2).get<double>()});
      }
    } else if (result.cell.kind == CellKind::validation) {
      line.at("truth").get_to(result.truth);
      line.at("predicted").get_to(result.predicted);
      line.at("deviation").get_to(result.deviation);
    } else {
      line.at("large").get_to(result.large);
    }
    return result;
  } catch (const nlohmann::json::exception& error) {
    throw InvalidArgument(std::string("not the result of a cell: ") + error.what());
  }
}

}  // namespace bocs
