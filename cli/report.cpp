#include "bocs/report/report.hpp"

#include <fmt/core.h>

#include <fstream>

#include "bocs/base/text.hpp"
#include "bocs/experiment/experiment_data.hpp"
#include "bocs/numeric/parallel.hpp"
#include "bocs/report/page.hpp"
#include "experiment_source.hpp"
#include "figures.hpp"
#include "study_arguments.hpp"
#include "terminal.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutReport =
    R"(Writes one HTML file that shows a study: the answer, how it was found, what was learnt, what the model expects of other
points, how far it can be trusted, and every trial; or an experiment: tables, curves, profiles over instances. It needs
nothing but a browser, and no network.

  bocs report study.toml
  bocs report --store sqlite:stations.db --study stations -o stations.html
  bocs report experiments/compare_ising.toml)";

struct ReportArguments : StudyCommand {
  std::string output;
  ExperimentSource experiment;
};

/// How the study is named on a command line.
std::string command_line_name(const StudyArguments& study) {
  if (!study.file.empty()) return study.file;
  return "--store " + without_password(study.store) + (study.study.empty() ? "" : " --study " + study.study);
}

/// A folder, or a grid: study files have variables, grids have problems.
bool is_experiment(const std::string& file) {
  if (file.empty() || file.ends_with(".db")) return false;
  if (std::filesystem::is_directory(file)) return true;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("problems") || line.starts_with("[quick]")) return true;
    if (line.starts_with("[[variables]]")) return false;
  }
  return false;
}

/// Beside the file, or here: stations.report.html
std::filesystem::path report_file(const ReportArguments& arguments, std::string name) {
  if (!arguments.output.empty()) return arguments.output;
  const std::filesystem::path file = arguments.study.file;
  if (file.extension() == ".toml") return std::filesystem::path(file).replace_extension(".report.html");
  for (char& c : name) c = c == '/' || c == '\\' || is_control(c) ? '-' : c;
  return name + ".report.html";
}

void write_report(const ReportArguments& arguments) {
  std::string html, name;
  if (is_experiment(arguments.study.file)) {
    ExperimentSource source = arguments.experiment;
    source.file = arguments.study.file;
    const ExperimentView view = load_experiment(source);
    name = std::filesystem::path(arguments.study.file).lexically_normal().stem().string();
    const Json data = experiment_data(name, view.results, view.options);
    if (arguments.json) {
      print_json(data);
      return;
    }
    html = page_html(data);
  } else {
    Study study = arguments.study.open();
    const ReportOptions options{
        .explain = true, .threads = hardware_threads(), .command = command_line_name(arguments.study)};
    if (arguments.json) {
      fmt::print("{}\n", report_json(study, options));
      return;
    }
    name = study.spec().name;
    html = report_html(study, options);
  }
  const auto output = report_file(arguments, name);
  write_file(output, html);
  fmt::print("{}\n", output.string());
}

}  // namespace

void add_report(CLI::App& app) {
  const auto [command, arguments] =
      add_study_command<ReportArguments>(app, "report", "a page that shows what was found, and why", kAboutReport,
                                         "what the page shows, as JSON (docs/report.md), instead of it", write_report);
  command->get_option("FILE")->description(
      "the study file, a SQLite file, a grid, or a folder of results; or else --store and --study");
  command->add_option("-o,--output", arguments->output, "the HTML file; otherwise NAME.report.html")->type_name("FILE");
  arguments->experiment.add_to(*command);
}

}  // namespace bocs::cli
