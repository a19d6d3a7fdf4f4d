#include <fmt/core.h>

#include "command.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAbout =
    R"(Makes the study of a file in its store, with its past data, and runs nothing: for workers, or for ask and tell.

A study that is there already is kept; its budget and parallelism become those of the file.)";

}  // namespace

void add_create(CLI::App& app) {
  CLI::App* command = app.add_subcommand("create", "make the study of a file, run nothing")->description(kAbout);
  const auto file = std::make_shared<std::string>();
  command->add_option("FILE", *file, "the study file")->required()->type_name("");
  command->callback([file] {
    const StudyFile loaded = load_checked(*file);
    Store store(loaded.store, {.create = true});
    const Study study = open_or_create(store, loaded);
    fmt::print("study {} in {}: {} of {} trials\n", harmless(study.spec().name), store.shown_url(),
               study.history().size(), study.spec().trials);
  });
}

}  // namespace bocs::cli
