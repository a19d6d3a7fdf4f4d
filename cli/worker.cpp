#include <fmt/core.h>

#include "arguments.hpp"
#include "study_arguments.hpp"
#include "study_run.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutWorker =
    R"(Evaluates trials of a study that is in a store, with the command kept there, until its budget is used up:

  bocs worker --store postgresql://user@host/database --study stations

Any number of workers on any number of machines may work on one study; none waits for another, and no two get the same
point. The command runs in the current folder. A worker that dies loses nothing: another one takes its trial over. While
the database is away, a worker waits for it. The first Ctrl-C ends it after what runs, the second, or SIGTERM, gives
back what runs.)";

struct WorkerArguments : StudyCommand {
  RunArguments run;
  int parallel = 1;
};

int work_as_worker(WorkerArguments arguments) {
  arguments.run.json = arguments.json;
  arguments.run.again = arguments.study.command_line("worker");
  Study study = retry_while_unavailable(patience_of(arguments.run), [&] { return arguments.study.open(); });
  return run_and_show(study, arguments.run, "", arguments.parallel);
}

}  // namespace

void add_worker(CLI::App& app, int& exit_code) {
  const auto [command, arguments] = add_study_command<WorkerArguments>(
      app, "worker", "evaluate trials of a study in a store", kAboutWorker,
      "a JSON line for every trial, and one at the end",
      [&exit_code](const WorkerArguments& given) { exit_code = work_as_worker(given); });
  command->add_option("--parallel", arguments->parallel, "evaluations at once in this process")
      ->check(whole_number(1, 1024))
      ->type_name("N")
      ->capture_default_str();
  arguments->run.add_to(*command);
}

}  // namespace bocs::cli
