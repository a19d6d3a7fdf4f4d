#include <fmt/core.h>

#include "arguments.hpp"
#include "bocs/numeric/parallel.hpp"
#include "bocs/study/point_json.hpp"
#include "bocs/study/worker.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutAsk =
    R"(Prints the next points to evaluate, one JSON object per line, for people and programs that evaluate themselves:

  bocs ask study.toml                              {"number": 7, "point": {"station[0]": 1, "depot": "river"}}
  bocs tell study.toml --trial 7 --value 12.5

With a study FILE the study is made if it is not there yet. A trial whose line was printed stays running until it is told
or released; one that could not be printed is given back. When no line could be printed, the exit code says why: 1, nothing
is left (the budget is used up, or every point has been tried); 75, nothing for now (all that is left runs elsewhere, or
the study is paused). So this ends:

  while line=$(bocs ask study.toml); do ... ; done)";

struct AskArguments : StudyCommand {
  int count = 1;
  int threads = 1;
};

int ask(const AskArguments& arguments) {
  Study study = arguments.study.open_or_create();
  Worker worker(study, {.patience_seconds = 0});  // until a point is handed over, it is held by this process
  const UseThreads threads(arguments.threads);
  for (int i = 0; i < arguments.count; ++i) {
    Trial trial;
    try {
      trial = worker.ask();
    } catch (const StoreError&) {
      throw;
    } catch (const InvalidArgument&) {
      throw;
    } catch (const AllRunning& error) {
      warn(fmt::format("bocs: {}", error.what()));
      return i > 0 ? kOk : kLater;
    } catch (const Error& error) {  // BudgetReached, SpaceExhausted
      warn(fmt::format("bocs: {}", error.what()));
      return i > 0 ? kOk : kNothingLeft;
    }
    print_json({{"number", trial.number}, {"point", Json::parse(named_point_json(worker.task().space, trial.x))}});
    worker.hand_over(trial.number);
  }
  return kOk;
}

}  // namespace

void add_ask(CLI::App& app, int& exit_code) {
  const auto [command, arguments] = add_study_command<AskArguments>(
      app, "ask", "the next points to evaluate by hand", kAboutAsk, "the same as without it: one JSON object per line",
      [&exit_code](const AskArguments& given) { exit_code = ask(given); });
  command->add_option("--count", arguments->count, "how many")
      ->check(whole_number(1))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--threads", arguments->threads, "compute points of large spaces; they do not depend on it")
      ->check(whole_number(1))
      ->type_name("N")
      ->capture_default_str();
}

}  // namespace bocs::cli
