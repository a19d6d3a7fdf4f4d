#include <fmt/core.h>

#include "command.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAbout =
    R"(Makes the study of a file in its store, with its past data, and runs nothing: for workers, or for ask and tell.

A study that is there already is kept; its budget, parallelism and [objective] become those of the file, the latter for
workers that start from now on.)";

}  // namespace

void add_create(CLI::App& app) {
  CLI::App* command = app.add_subcommand("create", "make the study of a file, run nothing")->description(kAbout);
  struct Arguments {
    std::string file;
    bool json = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("FILE", arguments->file, "the study file")->required()->type_name("");
  command->add_flag("--json", arguments->json, "as one JSON object");
  command->callback([arguments] {
    const StudyFile file = load_checked(arguments->file);
    Store store(file.store, {.create = true});
    const Study study = open_or_create(store, file);
    const StudySpec& spec = study.spec();
    const int begun = study.history().size();
    if (arguments->json) {
      print_json({{"study", spec.name}, {"store", store.shown_url()}, {"begun", begun}, {"trials", spec.trials}});
    } else {
      fmt::print("study {} in {}: {} of {} trials\n", harmless(spec.name), store.shown_url(), begun, spec.trials);
    }
  });
}

}  // namespace bocs::cli
