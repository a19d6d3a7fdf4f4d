#include <fmt/core.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "bocs/study/csv.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutExport = R"(Writes all trials of a study as CSV, or as a JSON array.

  bocs export study.toml --output trials.csv
  bocs export study.toml --format json

What was exported as CSV, another study of the same variables can import.)";

struct ExportArguments {
  StudyArguments study;
  std::string format = "csv";
  std::string output;
};

std::string as_json(const Study& study) {
  Json rows = Json::array();
  for (const auto& trial : study.history().trials()) rows.push_back(trial_json(study, trial));
  return json_text(rows, 1) + "\n";
}

/// As it is, but for a terminal, which the text of others must not steer.
void print_data(const std::string& text) {
  if (isatty(STDOUT_FILENO) == 0) {
    fmt::print("{}", text);
    return;
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) fmt::print("{}\n", harmless(line));
}

void export_trials(const ExportArguments& arguments) {
  const Study study = arguments.study.open();
  const std::string text = arguments.format == "csv" ? to_csv(study) : as_json(study);
  if (arguments.output.empty()) {
    print_data(text);
    return;
  }
  std::ofstream stream(arguments.output, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw OutputError(fmt::format("{} cannot be written", arguments.output));
}

}  // namespace

void add_export(CLI::App& app) {
  CLI::App* command = add_command(app, "export", "all trials as CSV or JSON", kAboutExport);
  const auto arguments = std::make_shared<ExportArguments>();
  arguments->study.add_to(*command);
  command->add_option("--format", arguments->format, "csv or json")
      ->check(CLI::IsMember({"csv", "json"}))
      ->type_name("KIND")
      ->capture_default_str();
  command->add_option("-o,--output", arguments->output, "the file to write; default: stdout")->type_name("FILE");
  command->callback([arguments] { export_trials(*arguments); });
}

}  // namespace bocs::cli
