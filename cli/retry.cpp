#include <fmt/core.h>

#include "arguments.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutRetry =
    R"(Lets failed trials be evaluated again, at the same points, once their program is fixed:

  bocs retry study.toml                 all that failed
  bocs retry study.toml --trial 7       one of them

They wait, and the next `bocs run` or `bocs worker` takes them first. From now on the model does not know that they
failed; the budget stays as it is. `bocs trials --verify` still finds the proposals that were made before.)";

struct RetryArguments : StudyCommand {
  std::optional<int> trial;
  bool failed = false;
};

void retry(const RetryArguments& arguments) {
  Study study = arguments.study.open();
  std::vector<int> numbers;
  if (arguments.trial) {
    require(study.retry(*arguments.trial), [&] {
      return fmt::format("trial {} has not failed: only failed trials are tried again", *arguments.trial);
    });
    numbers.push_back(*arguments.trial);
  } else {
    std::vector<int> failed;
    for (const auto& trial : study.history().trials()) {
      if (trial.state == State::failed) failed.push_back(trial.number);
    }
    for (const int number : failed) {
      if (study.retry(number)) numbers.push_back(number);
    }
  }
  if (arguments.json) {
    print_json({{"waiting", numbers}});
  } else if (numbers.empty()) {
    fmt::print("no trial has failed\n");
  } else {
    fmt::print("{} to be evaluated again; next: {}\n",
               numbers.size() == 1 ? "1 trial waits" : fmt::format("{} trials wait", numbers.size()),
               arguments.study.command_line("run"));
  }
}

}  // namespace

void add_retry(CLI::App& app) {
  const auto [command, arguments] = add_study_command<RetryArguments>(
      app, "retry", "let failed trials be evaluated again", kAboutRetry, "as one JSON object", retry);
  CLI::Option* all = command->add_flag("--failed", arguments->failed, "all that failed; the default");
  command->add_option("--trial", arguments->trial, "only the one of this number")
      ->check(whole_number(0))
      ->type_name("N")
      ->excludes(all);
}

}  // namespace bocs::cli
