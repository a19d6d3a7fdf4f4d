#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "arguments.hpp"
#include "bocs/study/open_study.hpp"
#include "study_arguments.hpp"
#include "study_run.hpp"
#include "terminal.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutRun =
    R"(Runs the study of a FILE, or resumes it where it was stopped, killed or cut off:

  bocs run study.toml

The command of the file evaluates the points: it gets a point as JSON on stdin, as $BOCS_NAME and as {name} in its
arguments, and prints the value as its last line. Another exit code than 0, a time-out or no number is a failed trial.
When the first five evaluations fail, or the last twenty for the same reason, it stops with exit code 78 (see bocs try and
bocs retry). The first Ctrl-C ends after what runs, a second one gives it back at once; nothing told is ever lost. --trials
changes the budget as the file would. --json prints a line for every trial and one at the end.)";

struct RunCommandArguments {
  std::string file;
  RunArguments run;
  int trials = 0;  // 0: as the file says
};

int run(const RunCommandArguments& arguments) {
  StudyFile file = load_file(arguments.file);
  if (file.spec.objective.command.empty()) throw BadData(arguments.file + ": there is no [objective] command to run");
  RunArguments run = arguments.run;
  run.again = "bocs run " + arguments.file;
  if (arguments.trials > 0) {
    file.spec.trials = arguments.trials;
    run.again += fmt::format(" --trials {}", arguments.trials);
  }
  Study study = as_data([&] { return open_study(file, patience_of(run)); });
  if (study.spec().trials > file.spec.trials && !run.quiet) {
    warn(fmt::format("bocs: trials = {}, but {} have begun already: no more will", file.spec.trials,
                     study.spec().trials));
  }
  return run_and_show(study, run, file.folder.string(), std::max(1, file.spec.parallel));
}

/// Arguments that `bocs run` does not take: says where they belong, where that is known.
void refuse(const CLI::App& command, const std::vector<std::string>& unknown) {
  constexpr std::array<std::array<const char*, 3>, 7> kInFile{{{"--seed", "seed = ...", "[study]"},
                                                               {"--initial", "initial = ...", "[study]"},
                                                               {"--lambda", "lambda = ...", "[study]"},
                                                               {"--penalty", "penalty = \"...\"", "[study]"},
                                                               {"--method", "spec = \"...\"", "[method]"},
                                                               {"--batch", "parallel = ...", "[objective]"},
                                                               {"--rule", "rule = \"...\"", "[[constraints]]"}}};
  if (unknown.empty()) return;
  const auto is_given = [&](const std::string& option) {
    return std::any_of(unknown.begin(), unknown.end(),
                       [&](const std::string& text) { return text == option || text.starts_with(option + "="); });
  };
  require(!is_given("--problem"), "benchmark problems have a command of their own: bocs solve PROBLEM");
  for (const auto& [option, key, table] : kInFile) {
    require(!is_given(option), [&, option = option, key = key, table = table] {
      return fmt::format("`bocs run` takes no {}: in the study file write {} under {}", option, key, table);
    });
  }
  throw CLI::ExtrasError(command.get_name(), unknown);
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<RunCommandArguments>();
  CLI::App* command = add_command(app, "run", "run or resume a study", kAboutRun);
  command->add_option("FILE", arguments->file, "the study file")->type_name("");
  command->add_option("--trials", arguments->trials, "the budget, initial trials included; default: as the FILE says")
      ->check(whole_number(1))
      ->type_name("N");
  command->add_flag("--json", arguments->run.json, "print a line of JSON for every trial, and one at the end");
  arguments->run.add_to(*command);
  command->allow_extras();
  command->callback([arguments, command, &exit_code] {
    refuse(*command, command->remaining());
    require(!arguments->file.empty(), "give a study FILE; for a benchmark problem: bocs solve PROBLEM");
    exit_code = run(*arguments);
  });
}

}  // namespace bocs::cli
