#include <fmt/core.h>

#include "arguments.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutStrike =
    R"(Takes a complete trial out of the models and out of the answer, for a measurement that is known to be wrong:

  bocs strike study.toml --trial 6 --why "the sensor was loose"

The trial is kept, with its value and the reason, and shown as struck. Its point is not proposed again; to measure it
again, queue it: bocs enqueue. A strike cannot be undone; to get the value back, tell it as a point of your own:
bocs tell --help.
`bocs trials --verify` still finds the proposals that were made before.)";

struct StrikeArguments : StudyCommand {
  int trial = 0;
  std::string why;
};

void strike(const StrikeArguments& arguments) {
  Study study = arguments.study.open();
  study.strike(arguments.trial, arguments.why);
  const Progress now = progress_of(study);
  if (arguments.json) {
    print_json({{"struck", arguments.trial}, {"best", now.best == nullptr ? Json(nullptr) : Json(now.best->number)}});
  } else if (now.best == nullptr) {
    fmt::print("trial {} is struck; no other answer is left\n", arguments.trial);
  } else {
    fmt::print("trial {} is struck; the best is trial {}, {}\n", arguments.trial, now.best->number,
               shown_number(study.value(*now.best)));
  }
}

}  // namespace

void add_strike(CLI::App& app) {
  const auto [command, arguments] = add_study_command<StrikeArguments>(
      app, "strike", "take a wrong measurement out of models and answers", kAboutStrike, "as one JSON object", strike);
  command->add_option("--trial", arguments->trial, "its number")->check(whole_number(0))->type_name("N")->required();
  command->add_option("--why", arguments->why, "the reason, kept with the trial")->type_name("TEXT")->required();
}

}  // namespace bocs::cli
