#include <fmt/core.h>

#include "bocs/study/command.hpp"
#include "bocs/study/command_process.hpp"
#include "bocs/study/point_json.hpp"
#include "bocs/study/run_study.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutTry =
    R"(Evaluates one point with the program of a study file and shows what the program was given, what it printed and how
that was read. Nothing is stored:

  bocs try study.toml
  bocs try study.toml --point '{"station[0]": 1, ..., "depot": "river"}'

Without --point it is the first point the method would propose. A program that stays up (keep_alive) gets two points: it
must answer a line for every line. Exit code 78 if there is no value.)";

struct TryArguments {
  std::string file;
  std::string point;
  bool json = false;
};

/// Every line of the text behind the same head.
void print_lines(const char* head, const std::string& text) {
  std::size_t begin = 0;
  for (bool first = true; begin < text.size() || first; first = false) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    fmt::print("{:<13}{}\n", first ? head : "", harmless(text.substr(begin, end - begin)));
    begin = end + 1;
  }
}

void print_run(const ProcessRequest& request, const ProcessResult& result) {
  std::string arguments;
  for (const auto& argument : request.arguments) arguments += (arguments.empty() ? "" : " ") + argument;
  print_lines("program", shortened(arguments, 1000));
  print_lines("stdin", shortened(request.input.substr(0, request.input.find('\n')), 1000));
  std::string environment;
  for (const auto& [name, value] : request.environment)
    environment += (environment.empty() ? "" : " ") + name + "=" + value;
  if (!environment.empty()) print_lines("environment", shortened(environment, 500));
  print_lines("stdout", result.output_tail.empty() ? "(nothing)" : result.output_tail);
  if (!result.error_tail.empty()) print_lines("stderr", result.error_tail);
}

/// As a study would judge it, in the user's sense.
Outcome judged_as_told(const StudySpec& spec, const Outcome& outcome) {
  Outcome told = judged(spec.task, spec.sense, outcome);
  told.y = oriented(spec.sense, told.y) + 0.0;  // never -0
  return told;
}

int try_point(const TryArguments& arguments) {
  const StudyFile file = load_file(arguments.file);
  const Task& task = file.spec.task;
  Trial trial;
  if (arguments.point.empty()) {
    trial.x = next_proposal(*file.method, task, {}, 0).x;
  } else {
    trial.x = as_data([&] {
      Point x = point_from_named_json(task.space, arguments.point);
      task.constraints.check(x);
      return x;
    });
  }
  Json runs = Json::array();
  const auto on_run = [&](const ProcessRequest& request, const ProcessResult& result) {
    if (!arguments.json) return print_run(request, result);
    runs.push_back({{"arguments", request.arguments},
                    {"stdin", request.input},
                    {"stdout", result.output_tail},
                    {"stderr", result.error_tail}});
  };
  if (!arguments.json) fmt::print("point        {}\n", describe_point(task.space, trial.x));
  const Objective objective = as_data([&] { return command_of(file.spec, file.folder.string(), {}, on_run); });
  Outcome outcome = judged_as_told(file.spec, evaluate(objective, task.space, trial));
  if (file.spec.objective.keep_alive && outcome.state == State::complete) {
    Trial second = trial;
    second.number = 1;
    const Outcome again = evaluate(objective, task.space, second);
    if (again.state != State::complete) {
      outcome = again;
      outcome.error =
          "the first point got a value, the second none: a program with keep_alive must answer a line for every line "
          "(docs/studies.md, a program that stays up): " +
          again.error;
    }
  }
  const bool is_complete = outcome.state == State::complete;
  if (arguments.json) {
    print_json({{"point", Json::parse(named_point_json(task.space, trial.x))},
                {"value", is_complete ? Json(outcome.y) : Json(nullptr)},
                {"error", is_complete ? Json(nullptr) : Json(outcome.error)},
                {"metrics", outcome.metrics},
                {"seconds", outcome.seconds},
                {"runs", runs}});
  } else {
    fmt::print("took         {}\n", shown_duration(outcome.seconds));
    if (is_complete) {
      fmt::print("value        {:.10g}\n", outcome.y);
    } else {
      fmt::print("failed       {}\n", harmless(brief(outcome.error)));
    }
    for (const auto& [name, metric] : outcome.metrics) fmt::print("{:<12} {:.10g}\n", harmless(name), metric);
    fmt::print("nothing is stored; {}\n",
               is_complete ? "next: bocs run " + arguments.file : "fix the program and try again");
  }
  return is_complete ? kOk : kFailing;
}

}  // namespace

void add_try(CLI::App& app, int& exit_code) {
  CLI::App* command = add_command(app, "try", "evaluate one point, show everything, store nothing", kAboutTry);
  const auto arguments = std::make_shared<TryArguments>();
  command->add_option("FILE", arguments->file, "the study file")->required()->type_name("");
  command->add_option("--point", arguments->point, "the point, as a JSON object with a value for every variable")
      ->type_name("JSON");
  command->add_flag("--json", arguments->json, "as one JSON object");
  command->callback([arguments, &exit_code] { exit_code = try_point(*arguments); });
}

}  // namespace bocs::cli
