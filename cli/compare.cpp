#include "bocs/experiment/compare.hpp"

#include <fmt/core.h>

#include "arguments.hpp"
#include "bocs/experiment/grid.hpp"
#include "bocs/study/open_study.hpp"
#include "experiment_table.hpp"
#include "figures.hpp"
#include "run_display.hpp"
#include "study_arguments.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutCompare =
    R"(Compares methods on the program of a study file: a study for each method and repetition, with seeds of its own.

  bocs compare study.toml --method bocs,ei,annealing --repeats 3

Prints the mean of the best value with its 95 % interval, and writes the curves to STUDY-compare.svg. The
studies are kept in STUDY-compare.db, not in the study's own store: after an interruption, or with more repeats or
methods, the same command goes on. Past data of the file are given to every study. With noise the
best value is optimistic for every method: compare differences, not levels.)";

struct CompareArguments {
  std::string file;
  std::string methods = "bocs,ei,annealing";
  int repeats = 3;
  int trials = 0;
  std::string store;
  RunArguments run;
};

struct ComparedRuns {
  std::vector<CellResult> results;
  std::string failing;  // why it was given up
};

/// Runs what is not finished yet, repetition by repetition, so that an interruption leaves a fair comparison.
ComparedRuns run_all(const CompareArguments& arguments, const std::vector<std::string>& methods, const StudyFile& file,
                     const std::string& store) {
  ComparedRuns comparison;
  RunArguments shown = arguments.run;
  shown.quiet = shown.quiet || shown.json;
  shown.json = false;  // the table alone is JSON
  const int runs = arguments.repeats * static_cast<int>(methods.size());
  int number = 0;
  for (int repeat = 0; repeat < arguments.repeats; ++repeat) {
    for (const auto& method : methods) {
      ++number;
      if (interrupted() || !comparison.failing.empty()) return comparison;
      const StudyFile described = comparison_study(file, store, method, repeat);
      Study study = open_study(described, patience_of(arguments.run));
      if (!study.mirror().finished()) {
        if (!shown.quiet) warn(fmt::format("{} of {}: {}, run {}", number, runs, method, repeat + 1));
        const Objective objective = command_of(described.spec, file.folder.string(), interrupted_twice);
        const int workers = std::max(1, file.spec.parallel);
        RunDisplay display(shown, study, workers);
        RunOptions options;
        options.workers = workers;
        options.patience_seconds = arguments.run.patience_seconds;
        options.stop = interrupted;
        comparison.failing = run_study(study, objective, options, display).failing;
      }
      study.refresh();
      if (study.best() != nullptr) comparison.results.push_back(comparison_result(file, study, method, repeat));
    }
  }
  return comparison;
}

int compare(const CompareArguments& arguments) {
  StudyFile file = load_file(arguments.file);
  if (file.spec.objective.command.empty()) throw BadData(arguments.file + ": there is no [objective] command to run");
  if (arguments.trials > 0) file.spec.trials = arguments.trials;
  const std::filesystem::path beside = std::filesystem::path(arguments.file).parent_path();
  const std::string name = std::filesystem::path(arguments.file).stem().string() + "-compare";
  const std::string store = arguments.store.empty() ? "sqlite:" + (beside / (name + ".db")).string() : arguments.store;
  const auto methods = split_specs(arguments.methods);
  for (const auto& method : methods) (void)comparison_study(file, store, method, 0);  // before anything is run
  listen_for_interrupt(true);
  const ComparedRuns comparison = as_data([&] { return run_all(arguments, methods, file, store); });
  if (!comparison.results.empty()) {
    TableOptions options;
    options.metric = "value";
    print_table(make_table(comparison.results, options), options, arguments.run.json ? "json" : "terminal");
    auto figures = make_figures(comparison.results, {.metric = "value"});
    for (auto& figure : figures) figure.name = name;
    if (!arguments.run.json) write_figures(beside.empty() ? "." : beside, figures);
  }
  if (interrupted()) {
    if (!arguments.run.quiet) warn("interrupted; the same command goes on");
    return kInterrupted;
  }
  if (comparison.failing.empty()) return kOk;
  warn(fmt::format("bocs: {}; look at one with `bocs try {}`", comparison.failing, arguments.file));
  return kFailing;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  CLI::App* command = add_command(app, "compare", "compare methods on your own program", kAboutCompare);
  const auto arguments = std::make_shared<CompareArguments>();
  command->add_option("FILE", arguments->file, "the study file")->required()->type_name("");
  command->add_option("--method", arguments->methods, "the methods, with commas between them")
      ->type_name("SPECS")
      ->capture_default_str();
  command->add_option("--repeats", arguments->repeats, "studies for each method")
      ->check(whole_number(1, 10000))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--trials", arguments->trials, "evaluations of each study; default: as the file says")
      ->check(whole_number(1))
      ->type_name("N");
  command->add_option("--store", arguments->store, "where the studies are kept; default: sqlite:STUDY-compare.db")
      ->type_name("URL");
  command
      ->add_option("--patience", arguments->run.patience_seconds,
                   "wait so many seconds for a store that is away, or a machine in trouble")
      ->check(number(0))
      ->type_name("S")
      ->capture_default_str();
  command->add_flag("--json", arguments->run.json, "the table as one JSON object");
  command->add_flag("-q,--quiet", arguments->run.quiet, "no progress");
  command->add_flag("-v,--verbose", arguments->run.verbose, "a line on stderr for every trial");
  command->callback([arguments, &exit_code] { exit_code = compare(*arguments); });
}

}  // namespace bocs::cli
