#include <fmt/core.h>

#include "bocs/study/open_study.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutCreate =
    R"(Makes the study of a file in its store, with its past data, and runs nothing: for workers, or for ask and tell.

A study that is there already is kept; its budget, parallelism and [objective] become those of the file, the latter for
workers that start from now on.)";

struct CreateArguments {
  std::string file;
  bool json = false;
};

void create(const CreateArguments& arguments) {
  const StudyFile file = load_file(arguments.file);
  const Study study = as_data([&] { return open_study(file); });
  const int begun = study.history().size();
  const std::string shown_url = without_password(file.store);
  if (arguments.json) {
    print_json({{"study", file.spec.name},
                {"store", shown_url},
                {"begun", begun},
                {"trials", study.mirror().budget()},
                {"past", study.mirror().past()}});
  } else {
    fmt::print("study {} in {}: {} trials\n", harmless(file.spec.name), shown_url, describe_progress(begun, study));
  }
}

}  // namespace

void add_create(CLI::App& app) {
  CLI::App* command = add_command(app, "create", "make the study of a file, run nothing", kAboutCreate);
  const auto arguments = std::make_shared<CreateArguments>();
  command->add_option("FILE", arguments->file, "the study file")->required()->type_name("");
  command->add_flag("--json", arguments->json, "as one JSON object");
  command->callback([arguments] { create(*arguments); });
}

}  // namespace bocs::cli
