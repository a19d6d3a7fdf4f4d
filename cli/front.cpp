#include <fmt/core.h>

#include "bocs/study/csv.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutFront =
    R"(Prints the answer of a study with several goals: the trials that no other beats in one goal without being worse in
another, the best in the first goal first. Trials beyond a limit are never among them.

  bocs front study.toml
  bocs front study.toml --csv > front.csv)";

struct FrontArguments : StudyCommand {
  bool csv = false;
};

void show_front(const FrontArguments& arguments) {
  const Study study = arguments.study.open();
  const auto front = study.front();
  if (arguments.csv) {
    fmt::print("{}", to_csv(study, front));
  } else if (arguments.json) {
    for (const Trial* trial : front) print_json(trial_json(study, *trial));
  } else {
    print_answer(study, progress_of(study.task(), study.history()));
  }
}

}  // namespace

void add_front(CLI::App& app) {
  const auto [command, arguments] = add_study_command<FrontArguments>(
      app, "front", "the answer where there are several goals", kAboutFront, "one JSON object per line", show_front);
  command->add_flag("--csv", arguments->csv, "with the columns of bocs export");
}

}  // namespace bocs::cli
