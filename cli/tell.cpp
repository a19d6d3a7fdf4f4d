#include <fmt/core.h>

#include <cmath>
#include <iostream>

#include "arguments.hpp"
#include "command.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAbout = R"(Tells what came of trials that `bocs ask` handed out:

  bocs tell study.toml --trial 7 --value 12.5
  bocs tell study.toml --trial 8 --failed "the mesh has a hole"
  bocs tell study.toml --trial 9 --release            gives it back: somebody else will be asked to evaluate it

or, without --trial, one JSON object per line of stdin:

  {"number": 7, "value": 12.5, "mass": 3.1}           other numbers are kept as metrics
  {"number": 8, "error": "the mesh has a hole"}
  {"point": {"station[0]": 1, ...}, "value": 3}       an evaluation nobody asked for

A finished trial never changes: telling it again is refused.)";

struct Arguments {
  StudyArguments study;
  std::optional<int> trial;
  std::optional<double> value;
  std::optional<std::string> failed;
  bool release = false;
};

void tell_option(Study& study, const Arguments& arguments) {
  const int given = (arguments.value ? 1 : 0) + (arguments.failed ? 1 : 0) + (arguments.release ? 1 : 0);
  require(given == 1, "--trial goes with one of --value V, --failed REASON and --release");
  if (arguments.value) {
    study.tell(*arguments.trial, *arguments.value);
  } else if (arguments.failed) {
    study.tell(*arguments.trial, Outcome::failure(*arguments.failed));
  } else {
    study.release(*arguments.trial);
  }
}

void tell_line(Study& study, const std::string& line) {
  const Json object = Json::parse(line, nullptr, false);
  const auto number_at = [&](const char* key) { return object.contains(key) && object[key].is_number(); };
  if (!object.is_object() || (!number_at("value") && !object.contains("error"))) {
    throw BadData(fmt::format("found '{}'; allowed: a JSON object with a number as value, or with error", line));
  }
  if (object.contains("point") && !object.contains("number")) {
    if (!number_at("value")) throw BadData("a point without a number needs a value");
    study.add_past({{point_from_json(study.task().space, object["point"]), object["value"]}});
    return;
  }
  if (!object.contains("number") || !object["number"].is_number_integer()) {
    throw BadData(fmt::format("found '{}'; its number must be that of a trial", line));
  }
  const int number = object["number"].get<int>();
  if (!number_at("value")) {
    const Json& error = object["error"];
    study.tell(number, Outcome::failure(error.is_string() ? error.get<std::string>() : error.dump()));
    return;
  }
  Outcome outcome = Outcome::value(object["value"].get<double>());
  for (const auto& [name, metric] : object.items()) {
    if (name != "number" && name != "value" && metric.is_number()) outcome.metrics[name] = metric.get<double>();
  }
  study.tell(number, outcome);
}

void tell(const Arguments& arguments) {
  Study study = arguments.study.open();
  try {
    if (arguments.trial) {
      tell_option(study, arguments);
      return;
    }
    require(!arguments.value && !arguments.failed && !arguments.release, "--trial N is missing");
    for (std::string line; std::getline(std::cin, line);) {
      if (line.find_first_not_of(" \t\r") != std::string::npos) tell_line(study, line);
    }
  } catch (const nlohmann::json::exception& error) {
    throw BadData(error.what());
  }
}

}  // namespace

void add_tell(CLI::App& app) {
  CLI::App* command = app.add_subcommand("tell", "what came of an evaluation by hand")->description(kAbout);
  const auto arguments = std::make_shared<Arguments>();
  arguments->study.add_to(*command);
  command->add_option("--trial", arguments->trial, "its number")->check(whole_number(0))->type_name("N");
  command->add_option("--value", arguments->value, "what was measured, without the penalty")
      ->check(number(-std::numeric_limits<double>::infinity()))
      ->type_name("V");
  command->add_option("--failed", arguments->failed, "why there is no value")->type_name("REASON");
  command->add_flag("--release", arguments->release, "give it back unevaluated");
  command->callback([arguments] { tell(*arguments); });
}

}  // namespace bocs::cli
