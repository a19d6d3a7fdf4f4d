#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>

#include "arguments.hpp"
#include "bocs/study/plate_sheet.hpp"
#include "bocs/study/point_json.hpp"
#include "bocs/study/untrusted_json.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutTell = R"(Tells what came of trials that `bocs ask` handed out:

  bocs tell study.toml --trial 7 --value 12.5
  bocs tell study.toml --trial 7 --value 12.5 --metric weight=3
  bocs tell study.toml --trial 8 --failed "the mesh has a hole"
  bocs tell study.toml --trial 9 --release            gives it back: it is handed out again

or, without --trial, one JSON object per line of stdin:

  {"number": 7, "value": 12.5, "mass": 3.1}           other numbers are kept as metrics
  {"number": 7, "unserved": 3, "crowded": 0.02}       with goals and limits: the numbers that the study names
  {"number": 8, "error": "the mesh has a hole"}
  {"point": {"station[0]": 1, ...}, "value": 3}       an evaluation that was not asked for, or "error": a failed one

or a sheet that bocs ask --csv wrote, filled in, in any order, partly if need be, and more than once:

  bocs tell study.toml --csv plate.csv                a text instead of a number says why it failed

What was not asked for comes on top of the budget. A finished trial never changes: telling it again is refused.)";

struct TellArguments : StudyCommand {
  std::optional<int> trial;
  std::optional<double> value;
  std::vector<std::string> metrics;
  std::optional<std::string> failed;
  bool release = false;
  std::string csv;
};

/// Of {"weight=3.5", ...}.
std::map<std::string, double> metrics_of(const std::vector<std::string>& texts) {
  std::map<std::string, double> metrics;
  for (const std::string& text : texts) {
    const std::size_t at = std::min(text.rfind('='), text.size());
    double value = 0;
    const auto [end, error] =
        std::from_chars(text.data() + std::min(at + 1, text.size()), text.data() + text.size(), value);
    const bool is_number = at + 1 < text.size() && error == std::errc() && end == text.data() + text.size();
    require(at > 0 && is_number, [&] { return fmt::format("found --metric '{}'; allowed: NAME=NUMBER", text); });
    metrics[text.substr(0, at)] = value;
  }
  return metrics;
}

/// Returns the number of the trial, as tell_line does.
int tell_option(Study& study, const TellArguments& arguments) {
  const bool is_told = arguments.value || !arguments.metrics.empty();
  const int given = (is_told ? 1 : 0) + (arguments.failed ? 1 : 0) + (arguments.release ? 1 : 0);
  require(given == 1, "--trial goes with one of --value V (or --metric NAME=V), --failed REASON and --release");
  if (is_told) {
    const double value = arguments.value.value_or(kUnknown);
    static_cast<Session&>(study).tell(*arguments.trial, value, metrics_of(arguments.metrics));
  } else if (arguments.failed) {
    study.tell(*arguments.trial, Outcome::failure(*arguments.failed));
  } else {
    require(study.release(*arguments.trial),
            [&] { return fmt::format("trial {} is not running: it cannot be given back", *arguments.trial); });
  }
  return *arguments.trial;
}

/// What a person tells: a metric that the study needs and that is missing is refused, as is a value that is no number.
Outcome outcome_of(const Task& task, const Json& object) {
  std::map<std::string, double> metrics;
  for (const auto& [name, metric] : object.items()) {
    if (name != "number" && name != "value" && metric.is_number()) metrics[name] = metric.get<double>();
  }
  const bool is_goal = !task.goals.empty() && metrics.contains("error");
  if (object.contains("error") && !object.contains("value") && !is_goal) {
    const Json& error = object["error"];
    Outcome outcome = Outcome::failure(error.is_string() ? error.get<std::string>() : error.dump());
    outcome.metrics = std::move(metrics);
    return outcome;
  }
  const bool has_value = object.contains("value") && object["value"].is_number();
  return past_outcome(task, has_value ? object["value"].get<double>() : kUnknown, std::move(metrics));
}

int tell_line(Study& study, const std::string& line) {
  const auto object = parse_untrusted_json<Json>(line);
  const auto number_at = [&](const char* key) { return object.contains(key) && object[key].is_number(); };
  const bool goals = !study.task().goals.empty();
  if (!object.is_object() || (!number_at("value") && !object.contains("error") && !goals)) {
    throw BadData(fmt::format("found '{}'; allowed: a JSON object with a number as value, or with error", line));
  }
  const Outcome outcome = outcome_of(study.task(), object);
  if (object.contains("point") && !object.contains("number")) {
    return as_data(
        [&] { return study.tell(point_from_named_json(study.task().space, object["point"].dump()), outcome); });
  }
  const bool numbered = object.contains("number") && object["number"].is_number_integer();
  const std::int64_t given = numbered ? object["number"].get<std::int64_t>() : -1;
  if (given < 0 || given > std::numeric_limits<int>::max()) {
    throw BadData(fmt::format("found '{}'; its number must be that of a trial", line));
  }
  const int number = static_cast<int>(given);
  study.tell(number, outcome);
  return number;
}

/// What a sheet of `bocs ask --csv` says.
void tell_csv(Study& study, const TellArguments& arguments) {
  require(!arguments.trial && !arguments.value && arguments.metrics.empty() && !arguments.failed && !arguments.release,
          "--csv says all of it: leave --trial, --value, --metric, --failed and --release out");
  const SheetResult result = as_data([&] { return tell_sheet(study, arguments.csv); });
  if (arguments.json) {
    print_json({{"told", result.told},
                {"failed", result.failed},
                {"known", result.known},
                {"open", result.open},
                {"added", result.added}});
    return;
  }
  fmt::print("{} told, {} of them failed", counted(result.told.size(), "trial"), result.failed);
  if (result.added > 0) fmt::print("; {} added that nobody asked for", counted(result.added, "evaluation"));
  if (result.known > 0) fmt::print("; {} told before", counted(result.known, "row"));
  if (result.open > 0) fmt::print("; {} without a result", counted(result.open, "row"));
  fmt::print("\n");
}

void tell(const TellArguments& arguments) {
  Study study = arguments.study.open();
  if (!arguments.csv.empty()) return tell_csv(study, arguments);
  const auto answer = [&](int number) {
    if (!arguments.json) return;
    const Trial* trial = study.history().find(number);
    Trial pointless;  // given back before it had a point
    pointless.number = number;
    pointless.state = State::waiting;
    print_json(trial_json(study, trial == nullptr ? pointless : *trial));
  };
  try {
    if (arguments.trial) return answer(tell_option(study, arguments));
    require(!arguments.value && arguments.metrics.empty() && !arguments.failed && !arguments.release,
            "--trial N is missing");
    for (std::string line; std::getline(std::cin, line);) {
      if (line.find_first_not_of(" \t\r") != std::string::npos) answer(tell_line(study, line));
    }
  } catch (const nlohmann::json::exception& error) {
    throw BadData(error.what());
  }
}

}  // namespace

void add_tell(CLI::App& app) {
  const auto [command, arguments] = add_study_command<TellArguments>(
      app, "tell", "what came of an evaluation by hand", kAboutTell, "one JSON object for every trial told", tell);
  command->add_option("--trial", arguments->trial, "its number")->check(whole_number(0))->type_name("N");
  command->add_option("--value", arguments->value, "what was measured, without the penalty")
      ->check(number(-std::numeric_limits<double>::infinity()))
      ->type_name("V");
  command->add_option("--metric", arguments->metrics, "another number, once for each")->type_name("NAME=V");
  command->add_option("--failed", arguments->failed, "why there is no value")->type_name("REASON");
  command->add_option("--csv", arguments->csv, "a sheet of bocs ask --csv, filled in as far as it is")
      ->type_name("FILE");
  command->add_flag("--release", arguments->release, "give it back unevaluated");
}

}  // namespace bocs::cli
