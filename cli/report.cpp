#include "bocs/report/report.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "bocs/core/parallel.hpp"
#include "bocs/core/text.hpp"
#include "figures.hpp"
#include "study_arguments.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutReport =
    R"(Writes one HTML file that shows a study: the answer, how it was found, what was learnt, what the model expects of other
points, how far it can be trusted, and every trial. It needs nothing but a browser, and no network.

  bocs report study.toml
  bocs report --store sqlite:stations.db --study stations -o stations.html)";

struct ReportArguments : StudyCommand {
  std::string output;
};

/// How the study is named on a command line.
std::string command_line_name(const StudyArguments& study) {
  if (!study.file.empty()) return study.file;
  return "--store " + without_password(study.store) + (study.study.empty() ? "" : " --study " + study.study);
}

/// Beside the study file, or here: stations.report.html
std::filesystem::path default_output(const ReportArguments& arguments, const Study& study) {
  if (!arguments.study.file.empty()) {
    return std::filesystem::path(arguments.study.file).replace_extension(".report.html");
  }
  std::string name = study.spec().name;
  for (char& c : name) c = c == '/' || c == '\\' || is_control(c) ? '-' : c;
  return name + ".report.html";
}

void write_report(const ReportArguments& arguments) {
  Study study = arguments.study.open();
  const ReportOptions options{
      .explain = true, .threads = hardware_threads(), .command = command_line_name(arguments.study)};
  if (arguments.json) {
    fmt::print("{}\n", report_json(study, options));
    return;
  }
  const auto output =
      arguments.output.empty() ? default_output(arguments, study) : std::filesystem::path(arguments.output);
  const std::string html = report_html(study, options);
  write_file(output, html);
  fmt::print("{}\n", output.string());
}

}  // namespace

void add_report(CLI::App& app) {
  const auto [command, arguments] = add_study_command<ReportArguments>(
      app, "report", "a page that shows what was found, and why", kAboutReport,
      "what the page shows, as JSON (docs/report.md), instead of the page", write_report);
  command->add_option("-o,--output", arguments->output, "the HTML file; otherwise NAME.report.html")->type_name("FILE");
}

}  // namespace bocs::cli
