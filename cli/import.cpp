#include <fmt/core.h>

#include "command.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAbout =
    R"(Adds evaluations made elsewhere to a study, on top of its budget, all of them or, if anything is wrong, none:

  bocs import study.toml --data past.csv

The first line of the file names its columns: one for every variable, and one called value. Other columns and rows
without a value are passed over.)";

struct Arguments {
  StudyArguments study;
  std::string data;
  bool json = false;
};

void import_data(const Arguments& arguments) {
  Study study = arguments.study.open();
  try {
    const PastData past = read_csv(arguments.data, study.task().space);
    study.add_past(past.evaluations);
    if (arguments.json) {
      print_json({{"added", past.evaluations.size()}, {"passed_over", past.skipped}});
    } else {
      fmt::print("{} evaluations added, {} rows without a value passed over\n", past.evaluations.size(), past.skipped);
    }
  } catch (const InvalidArgument& error) {
    throw BadData(error.what());
  }
}

}  // namespace

void add_import(CLI::App& app) {
  CLI::App* command = app.add_subcommand("import", "add past evaluations from a CSV file")->description(kAbout);
  const auto arguments = std::make_shared<Arguments>();
  arguments->study.add_to(*command);
  command->add_option("--data", arguments->data, "the CSV file")->required()->type_name("FILE");
  command->add_flag("--json", arguments->json, "as one JSON object");
  command->callback([arguments] { import_data(*arguments); });
}

}  // namespace bocs::cli
