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
without a value (empty or NaN) are skipped. Rows that are in the study already, imported with the same point and value, are
left out. Values between those of a grid are refused, or, with --nearest, moved to the nearest one.)";

struct ImportArguments : StudyCommand {
  std::string data;
  bool nearest = false;
  bool again = false;
};

void import_data(const ImportArguments& arguments) {
  Study study = arguments.study.open();
  int added = 0;
  const PastData past = as_data([&] {
    PastData read = read_csv(arguments.data, study.task(), arguments.nearest);
    added = study.add_past(read.evaluations, arguments.again);
    return read;
  });
  const int known = static_cast<int>(past.evaluations.size()) - added;
  if (arguments.json) {
    print_json({{"added", added}, {"known", known}, {"skipped", past.skipped}, {"moved", past.moved}});
    return;
  }
  fmt::print("{} added", counted(added, "evaluation"));
  if (past.skipped > 0) fmt::print("; {} without a value skipped", counted(past.skipped, "row"));
  if (past.moved > 0) fmt::print("; {} moved to the nearest value of the grid", counted(past.moved, "value"));
  if (known > 0) {
    fmt::print("; {} already in the study; --again adds {} again",
               known == 1 ? "1 row is" : fmt::format("{} rows are", known), known == 1 ? "it" : "them");
  }
  fmt::print("\n");
}

}  // namespace

void add_import(CLI::App& app) {
  const auto [command, arguments] = add_study_command<ImportArguments>(
      app, "import", "add past evaluations from a CSV file", kAboutImport, "as one JSON object", import_data);
  command->add_option("--data", arguments->data, "the CSV file")->required()->type_name("FILE");
  command->add_flag("--nearest", arguments->nearest, "move values between those of a grid to the nearest one");
  command->add_flag("--again", arguments->again, "add rows that are in the study already once more");
}

}  // namespace bocs::cli
