#include <fmt/core.h>

#include <chrono>
#include <fstream>
#include <map>

#include "arguments.hpp"
#include "bocs/base/clock.hpp"
#include "bocs/experiment/grid.hpp"
#include "bocs/experiment/plot.hpp"
#include "bocs/experiment/runner.hpp"
#include "bocs/numeric/parallel.hpp"
#include "experiment_progress.hpp"
#include "experiment_source.hpp"
#include "experiment_table.hpp"
#include "figures.hpp"

namespace bocs::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAboutExperiment =
    R"(Compares methods on many instances of problems.

  bocs experiment run experiments/bqp_table1.toml --scale quick    runs what is not finished yet
  bocs experiment table experiments/bqp_table1.toml --scale quick  mean and its error
  bocs experiment plot experiments/bqp_figure_lc10.toml            convergence figures, SVG
  bocs experiment reproduce experiments/ising_figure.toml          all three

or without a file:

  bocs experiment run --problem bqp:d=10,lc=10 --method bocs,bocs-sdp,rs --lambda 0,1e-4
      --instances 20 --repeats 5 --trials 120 --initial 20 --out results/bqp)";

constexpr const char* kAboutGridRun =
    R"(Runs the cells of a grid, or of all grids (*.toml) of a folder, that are not finished yet. Every finished cell is kept at once in DIR/cells.jsonl: stop at
any time, the same command goes on. The numbers do not depend on --threads.

  bocs experiment run experiments/ising_table2.toml
  bocs experiment run --problem ising --method bocs,rs --instances 10 --trials 170 --initial 20 --out results/ising)";

constexpr const char* kAboutReproduce =
    R"(Makes a table and a figure of the paper: runs the cells of a grid that are not finished yet, prints the table, the
paper's numbers beside ours where the grid has them, and draws the figures beside the results. Stop at any time, the
same command goes on. In a clone of the repository scripts/reproduce does it for all of them, and writes the page.

  bocs experiment reproduce experiments/ising_table2.toml --minutes 20)";

constexpr const char* kAboutTable =
    R"(Prints the mean of the finished cells ± half of its 95 % interval (Student's t, clustered by instance); * marks the
best mean. Where the grid has the paper's numbers, they stand beside: they agree when the difference is within the root
of the sum of squares of both errors.

FILE is a grid, a folder of grids (*.toml) or a folder of results. Regret where every optimum is known, the best value
otherwise. With --ranks: the mean rank of every method that has run on all problems, problem by problem. With
--duels: the method of --against beside each of the others, also where only a part has been run.)";

constexpr const char* kAboutPlot =
    R"(Draws the finished cells, as SVG in the folder `figures` beside the results: mean and 95 % band against the
evaluations; for validations the test error against the number of training points, or, if there is one number only, the
predictions beside the truth. What is drawn stays beside it as CSV.)";

// ---- run

struct GridRunArguments {
  ExperimentSource source;
  std::vector<std::string> problems;
  std::vector<std::string> methods;
  Grid grid;
  std::vector<int> trials = {100};
  int replications = 0;  // 0: all
  double minutes = std::numeric_limits<double>::infinity();
  int threads = 0;
  bool json = false;
  bool quiet = false;
  CLI::App* command = nullptr;
};

std::vector<std::string> split_all(const std::vector<std::string>& lists) {
  std::vector<std::string> specs;
  for (const auto& list : lists) {
    for (auto& spec : split_specs(list)) specs.push_back(std::move(spec));
  }
  return specs;
}

/// What the command line says counts more than what the files say.
std::vector<Grid> grids_of(const GridRunArguments& arguments) {
  if (!arguments.source.file.empty()) {
    auto grids = arguments.source.grids();
    require(!grids.empty(),
            [&] { return arguments.source.file.string() + ": there is no grid (*.toml) in the folder"; });
    const auto given = [&](const char* name) {
      const auto* option = arguments.command->get_option_no_throw(name);
      return option != nullptr && option->count() > 0;
    };
    for (Grid& grid : grids) {
      if (given("--method")) grid.methods = split_all(arguments.methods);
      if (given("--instances")) grid.instances = arguments.grid.instances;
      if (given("--first-instance")) grid.first_instance = arguments.grid.first_instance;
    }
    return grids;
  }
  require(!arguments.problems.empty(), "a grid file or --problem is required");
  require(!arguments.source.out.empty(), "--out is required: the folder that keeps the results");
  Grid grid = arguments.grid;
  grid.problems = split_all(arguments.problems);
  grid.methods = split_all(arguments.methods);
  grid.trials = arguments.trials;
  return {grid};
}

/// Grids that share a folder of results. Their cells take turns, instance by instance, so that an unfinished experiment
/// can already be compared.
int run(const GridRunArguments& arguments, const fs::path& folder, const std::vector<Grid>& grids,
        const std::function<bool()>& time_is_up) {
  std::vector<Cell> wanted;
  for (const Grid& grid : grids) {
    for (auto& cell : cells(grid, arguments.replications)) wanted.push_back(std::move(cell));
  }
  std::stable_sort(wanted.begin(), wanted.end(), [](const Cell& a, const Cell& b) {
    return std::tie(a.repeat, a.instance) < std::tie(b.repeat, b.instance);
  });
  check(wanted);
  ResultsFile file(folder);
  const auto todo = unfinished(wanted, file.results());
  if (todo.size() < wanted.size() && !arguments.quiet) {
    warn(fmt::format("{} of {} cells were finished before", wanted.size() - todo.size(), wanted.size()));
  }

  listen_for_interrupt();
  RunnerOptions options;
  options.threads = arguments.threads > 0 ? arguments.threads : hardware_threads();
  options.stop = [&] { return interrupted() || time_is_up(); };
  ExperimentProgress progress(todo, file.results(), options.threads, arguments.quiet);
  options.on_result = [&progress](const CellResult& result) { progress.show(result); };
  const RunnerResult outcome = run_cells(todo, file, options);
  progress.clear();
  if (outcome.stopped) {
    warn(fmt::format("stopped: {} of {} cells are finished and kept in {}; the same command goes on",
                     wanted.size() - todo.size() + static_cast<std::size_t>(outcome.finished), wanted.size(),
                     folder.string()));
    if (interrupted()) return kInterrupted;
  }
  if (!outcome.errors.empty()) {
    throw std::runtime_error(fmt::format("{} cells could not be run, the others are finished; the first: {}",
                                         outcome.errors.size(), outcome.errors.front()));
  }

  const auto results = select(read_results(folder), wanted);
  warn_of_mixed_versions(results);
  TableOptions table = table_options(grids.front(), results);
  if (arguments.json) table.scale_by = 1;
  print_table(make_table(results, table), table, arguments.json ? "json" : "terminal");
  return kOk;
}

int run(const GridRunArguments& arguments) {
  std::map<fs::path, std::vector<Grid>> by_folder;
  for (Grid& grid : grids_of(arguments)) by_folder[arguments.source.folder(grid)].push_back(std::move(grid));
  const auto start = std::chrono::steady_clock::now();
  const auto time_is_up = [&] { return seconds_since(start) >= 60 * arguments.minutes; };
  for (const auto& [folder, grids] : by_folder) {
    if (const int code = run(arguments, folder, grids, time_is_up); code != kOk) return code;
  }
  return kOk;
}

/// What `run` and `reproduce` have in common.
void add_running(CLI::App& command, GridRunArguments& arguments) {
  command
      .add_option("--replications", arguments.replications,
                  "only the first N of the instances times repeats of every grid; 0: all")
      ->check(whole_number(0))
      ->type_name("N");
  command
      .add_option("--minutes", arguments.minutes,
                  "stop after so many and show what there is; 0: run nothing; to the end if not given")
      ->check(number(0))
      ->type_name("M");
  command.add_option("--threads", arguments.threads, "cells at the same time; 0: one per core")
      ->check(whole_number(0))
      ->type_name("N");
  command.add_flag("-q,--quiet", arguments.quiet, "no progress");
}

void add_experiment_run(CLI::App& experiment, int& exit_code) {
  auto arguments = std::make_shared<GridRunArguments>();
  CLI::App* command =
      experiment.add_subcommand("run", "run the cells that are not finished")->description(kAboutGridRun);
  CLI::Option* file =
      command->add_option("FILE", arguments->source.file, "the grid, a TOML file, or a folder of grids")->type_name("");
  arguments->command = command;
  arguments->source.add_to(*command);
  Grid& grid = arguments->grid;
  const auto beside_file = [&](const char* name, const char* type, auto& field, const char* help) {
    return command->add_option(name, field, help)->type_name(type)->allow_extra_args(false);
  };
  const auto option = [&](const char* name, const char* type, auto& field, const char* help) {
    return beside_file(name, type, field, help)->excludes(file);
  };
  option("--problem", "SPECS", arguments->problems, "problems, separated by commas; may be repeated");
  arguments->methods = {"bocs"};
  beside_file("--method", "SPECS", arguments->methods,
              "methods, separated by commas; may be repeated; beside FILE: instead of its own");
  option("--lambda", "LIST", grid.lambdas, "weights of the penalty")->delimiter(',')->check(number(0));
  option("--trials", "LIST", arguments->trials, "budgets: evaluations in all, initial ones included")
      ->delimiter(',')
      ->check(whole_number(1));
  option("--initial", "N", grid.initial, "random points before the model takes over; 0: the method's choice")
      ->check(whole_number(0));
  option("--in-flight", "N", grid.in_flight, "so many trials are asked before the oldest of them is told")
      ->check(whole_number(1));
  beside_file("--instances", "N", grid.instances, "instances of every problem")->check(whole_number(1));
  beside_file("--first-instance", "N", grid.first_instance, "number of the first one")
      ->check(whole_number(0, kAnySeed));
  option("--repeats", "N", grid.repeats, "runs on every instance")->check(whole_number(1));
  option("--seed", "N", grid.seed, "seed of all random choices")->check(whole_number(0, kAnySeed));
  add_running(*command, *arguments);
  command->add_flag("--json", arguments->json, R"(the last line is {"rows": [...]})");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

// ---- table

struct TableArguments {
  ExperimentSource source;
  std::string format = "terminal";
  bool json = false;
  bool ranks = false;
  bool duels = false;
  bool anytime = false;
  TableOptions options;
  CLI::App* command = nullptr;

  /// What the command line says counts more than what the grid says.
  [[nodiscard]] TableOptions over(TableOptions base) const {
    if (command->count("--metric") > 0) base.metric = options.metric;
    if (command->count("--at") > 0) base.at = options.at;
    if (command->count("--until") > 0) base.until = options.until;
    if (command->count("--scale-by") > 0) base.scale_by = options.scale_by;
    if (command->count("--against") > 0) base.against = options.against;
    return base;
  }
};

void table(const TableArguments& arguments) {
  const ExperimentView view = load_experiment(arguments.source);
  TableOptions options = arguments.over(view.options);
  const std::string format = arguments.json ? "json" : arguments.format;
  // Programs read the numbers as they are, unless they ask.
  if ((format == "json" || format == "csv") && arguments.command->count("--scale-by") == 0) options.scale_by = 1;
  if (arguments.anytime) {
    require(format == "terminal" || format == "markdown", [&] {
      return "--anytime is printed as terminal or markdown, not as " + format + "; --at N is for programs";
    });
    print_anytime(make_anytime_table(view.results, options), options, format);
  } else if (arguments.ranks) {
    print_ranks(make_ranks(view.results, options), format);
  } else if (arguments.duels) {
    require(!options.against.empty(), "--duels needs a method to compare with: --against METHOD");
    require(format == "terminal" || format == "markdown",
            [&] { return "--duels is printed as terminal or markdown, not as " + format; });
    print_duels(make_table(view.results, options), options, format);
  } else {
    print_table(make_table(view.results, options), options, format);
  }
}

void add_experiment_table(CLI::App& experiment) {
  auto arguments = std::make_shared<TableArguments>();
  CLI::App* command = experiment.add_subcommand("table", "print the results")->description(kAboutTable);
  arguments->command = command;
  command->add_option("FILE", arguments->source.file, "the grid, a folder of grids, or a folder of results")
      ->required()
      ->type_name("");
  arguments->source.add_to(*command);
  TableOptions& options = arguments->options;
  command->add_option("--format", arguments->format, "terminal, markdown, csv or json")
      ->check(CLI::IsMember({"terminal", "markdown", "csv", "json"}))
      ->type_name("FORMAT");
  command->add_flag("--json", arguments->json, "the same as --format json");
  command
      ->add_option("--metric", options.metric,
                   "regret, value; under noise recommended: the true value of the recommended point, or gain: over "
                   "that of the best measurement")
      ->check(CLI::IsMember({"regret", "value", "gain", "recommended"}))
      ->type_name("METRIC");
  command->add_option("--at", options.at, "after so many evaluations, not at the end")
      ->check(whole_number(1))
      ->type_name("N");
  command->add_option("--until", options.until, "seconds of suggestion until a value as good as this")
      ->check(number(-std::numeric_limits<double>::infinity()))
      ->type_name("V");
  command->add_option("--scale-by", options.scale_by, "multiply what is shown")->check(number(0))->type_name("X");
  command->add_option("--against", options.against, "difference to this method on the same instances and repetitions")
      ->type_name("METHOD");
  command->add_flag("--ranks", arguments->ranks,
                    "instead: mean ranks, 1 is best, of the methods that have run on all problems, and their average");
  command
      ->add_flag("--duels", arguments->duels,
                 "instead: on how many instances the method of --against was better:worse than each other one, "
                 "problem by problem; won or lost where the mean difference is clear of its error")
      ->excludes("--ranks");
  command
      ->add_flag("--anytime", arguments->anytime,
                 "instead: after 30, 60, 100 and 200 evaluations, at the end, and the mean over all evaluations")
      ->excludes("--ranks")
      ->excludes("--duels")
      ->excludes("--until")
      ->excludes("--at");
  command->callback([arguments] { table(*arguments); });
}

// ---- plot

struct PlotArguments {
  ExperimentSource source;
  PlotOptions options;
};

void plot(const PlotArguments& arguments) {
  const ExperimentView view = load_experiment(arguments.source);
  const auto figures = make_figures(view.results, arguments.options);
  if (figures.empty()) throw BadData("counts of coefficients have no figure; see bocs experiment table");
  write_figures(view.folder / "figures", figures);
}

void add_experiment_plot(CLI::App& experiment) {
  auto arguments = std::make_shared<PlotArguments>();
  CLI::App* command = experiment.add_subcommand("plot", "draw the results")->description(kAboutPlot);
  command->add_option("FILE", arguments->source.file, "the grid, or a folder of results")->required()->type_name("");
  arguments->source.add_to(*command);
  command->add_option("--metric", arguments->options.metric, "regret or value")
      ->check(CLI::IsMember({"regret", "value"}))
      ->type_name("METRIC");
  command->add_flag("--log", arguments->options.log, "logarithmic y axis");
  command->callback([arguments] { plot(*arguments); });
}

// ---- reproduce

int reproduce(const GridRunArguments& arguments) {
  if (const int code = run(arguments); code != kOk) return code;
  const ExperimentView view = load_experiment(arguments.source);
  write_figures(view.folder / "figures", make_figures(view.results, {}));
  return kOk;
}

void add_experiment_reproduce(CLI::App& experiment, int& exit_code) {
  auto arguments = std::make_shared<GridRunArguments>();
  CLI::App* command =
      experiment.add_subcommand("reproduce", "run, print and draw a grid of the paper")->description(kAboutReproduce);
  arguments->command = command;
  command->add_option("FILE", arguments->source.file, "the grid, a TOML file")
      ->required()
      ->check(CLI::ExistingFile)
      ->type_name("");
  arguments->source.add_to(*command);
  add_running(*command, *arguments);
  command->callback([arguments, &exit_code] { exit_code = reproduce(*arguments); });
}

}  // namespace

void add_experiment(CLI::App& app, int& exit_code) {
  CLI::App* experiment = add_command(app, "experiment", "compare methods on many instances", kAboutExperiment);
  experiment->require_subcommand(1);
  add_experiment_run(*experiment, exit_code);
  add_experiment_table(*experiment);
  add_experiment_plot(*experiment);
  add_experiment_reproduce(*experiment, exit_code);
}

}  // namespace bocs::cli
