#include <fmt/core.h>

#include "arguments.hpp"
#include "command.hpp"
#include "study_arguments.hpp"
#include "study_run.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAbout =
    R"(Evaluates trials of a study that is in a store, with the command kept there, until its budget is used up:

  bocs worker --store postgresql://user@host/database --study stations

Any number of workers on any number of machines may work on one study; none waits for another, and no two get the same
point. The command runs in the current folder. A worker that dies loses nothing: another one takes its trial over. While
the database is away, a worker waits for it. The first Ctrl-C ends it after what runs, the second, or SIGTERM, gives
back what runs.)";

struct Arguments {
  StudyArguments study;
  StudyRun run;
};

int work_as_worker(Arguments arguments) {
  StudyRun& run = arguments.run;
  const auto place = patiently(run.patience_seconds, [&] { return arguments.study.place(); });
  run.url = place.url;
  run.name = place.name;
  const auto open = [&] { return patiently(run.patience_seconds, [&] { return Store(run.url).open(run.name); }); };
  const Study study = open();
  if (study.spec().objective.command.empty()) {
    throw BadData(fmt::format("the study '{}' has no command; its trials are for ask and tell", run.name));
  }
  const WorkResult result = work_on(run, study);
  print_result(run, open(), result);
  return interrupted() ? kInterrupted : kOk;
}

}  // namespace

void add_worker(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("worker", "evaluate trials of a study in a store")->description(kAbout);
  const auto arguments = std::make_shared<Arguments>();
  arguments->study.add_to(*command);
  command->add_option("--parallel", arguments->run.parallel, "evaluations at once in this process")
      ->check(whole_number(1, 1024))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--seconds", arguments->run.seconds, "begin no evaluation after so many seconds; 0: no limit")
      ->check(number(0))
      ->type_name("S")
      ->capture_default_str();
  command->add_flag("--json", arguments->run.json, "a JSON line for every trial, and one at the end");
  command->add_flag("-q,--quiet", arguments->run.quiet, "print nothing but errors");
  command->add_flag("-v,--verbose", arguments->run.verbose, "a line on stderr for every trial");
  command->add_option("--patience", arguments->run.patience_seconds, "wait so many seconds for a store that is away")
      ->check(number(0))
      ->type_name("S")
      ->capture_default_str();
  command->callback([arguments, &exit_code] { exit_code = work_as_worker(*arguments); });
}

}  // namespace bocs::cli
