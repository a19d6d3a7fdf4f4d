#include <fmt/core.h>

#include "bocs/study/csv.hpp"
#include "study_arguments.hpp"
#include "terminal.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutImport =
    R"(Adds evaluations made elsewhere to a study, on top of its budget, all of them or, if anything is wrong, none:

  bocs import study.toml --data past.csv

The first line of the file names its columns: one for every variable, and one called value. Other columns and rows
without a value (empty or NaN) are skipped.)";

struct ImportArguments : StudyCommand {
  std::string data;
};

void import_data(const ImportArguments& arguments) {
  Study study = arguments.study.open();
  const PastData past = as_data([&] {
    PastData read = read_csv(arguments.data, study.task());
    study.add_past(read.evaluations);
    return read;
  });
  if (arguments.json) {
    print_json({{"added", past.evaluations.size()}, {"skipped", past.skipped}});
  } else {
    fmt::print("{} evaluations added, {} rows without a value skipped\n", past.evaluations.size(), past.skipped);
  }
}

}  // namespace

void add_import(CLI::App& app) {
  const auto [command, arguments] = add_study_command<ImportArguments>(
      app, "import", "add past evaluations from a CSV file", kAboutImport, "as one JSON object", import_data);
  command->add_option("--data", arguments->data, "the CSV file")->required()->type_name("FILE");
}

}  // namespace bocs::cli
