#include "study_run.hpp"

#include <fmt/core.h>

#include "arguments.hpp"
#include "run_display.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

/// Nothing but failures, to the end or until it was given up.
bool is_failing(const Progress& progress, const WorkResult& result) {
  return !result.failing.empty() || (progress.complete == 0 && progress.failed > 0 && result.reason == Reason::trials);
}

void print_result_as_json(const Study& study, const Progress& progress, const WorkResult& result) {
  Json out = {{"study", study.spec().name}, {"store", without_password(study.table().connection().url())}};
  out["best"] = progress.best == nullptr ? Json(nullptr) : trial_json(study, *progress.best);
  out["recommended"] = recommendation_json(study, progress);
  out["trials"] = progress.finished();
  out["past"] = study.mirror().past();
  out["failures"] = progress.failed;
  out["reasons"] = Json::array();
  for (const auto& reason : count_failures(study.history())) {
    out["reasons"].push_back({{"error", reason.text}, {"count", reason.count}, {"last", reason.last}});
  }
  out["told"] = result.trials;
  out["since_best"] = progress.since_best;
  out["seconds"] = result.seconds;
  out["stopped_because"] = to_string(result.reason);
  print_json(out);
}

void print_result(const RunArguments& arguments, const Study& study, const Progress& progress,
                  const WorkResult& result) {
  fmt::print("study        {} in {}\n", harmless(study.spec().name),
             without_password(study.table().connection().url()));
  print_answer(study, progress);
  fmt::print("evaluations  {} ({} in this run, {}), {} failed\n", describe_progress(progress.finished(), study),
             result.trials, shown_duration(result.seconds), progress.failed);
  print_failures(study.history());
  const std::string trend = result.reason == Reason::exhausted ? "" : describe_trend(progress);
  fmt::print("stopped      {}{}\n", to_string(result.reason), trend.empty() ? "" : "; " + trend);
  if (interrupted() || result.reason == Reason::seconds) fmt::print("next         {}\n", arguments.again);
}

/// What is left when the store or this machine cannot go on: `main` says why.
void explain_giving_up(const RunArguments& arguments, const Study& study) {
  const int finished = progress_of(study.task(), study.history()).finished();
  warn(fmt::format("bocs: gave up; the finished trials ({}) are kept, and {} goes on with them",
                   describe_progress(finished, study), arguments.again));
}

/// One line on stderr, whatever is quiet.
void explain_failing(const RunArguments& arguments, const Progress& progress, const WorkResult& result) {
  const std::string what = result.failing.empty() ? fmt::format("all {} evaluations failed", progress.failed)
                                                  : result.failing + "; stopped early";
  warn(fmt::format(
      "bocs: {}. `bocs try` runs one point and shows its output; `bocs retry` queues the failed trials again; then "
      "{}{}",
      what, arguments.again, result.failing.empty() ? "" : ". [objective] keep_going = true goes on regardless"));
}

}  // namespace

void RunArguments::add_to(CLI::App& command) {
  LimitArguments::add_to(command);
  command
      .add_option("--patience", patience_seconds,
                  "wait so many seconds for a store that is away, or a machine that cannot start the program")
      ->check(number(0))
      ->type_name("S")
      ->capture_default_str();
  command.add_flag("-v,--verbose", verbose, "a line on stderr for every trial");
}

Patience patience_of(const RunArguments& arguments) {
  const auto say = [quiet = arguments.quiet, last = std::make_shared<std::string>()](const std::string& what) {
    if (!quiet && what != *last) warn("bocs: " + what);
    *last = what;
  };
  return {arguments.patience_seconds, interrupted, say};
}

int run_and_show(Study& study, const RunArguments& arguments, const std::string& directory, int workers) {
  const Objective objective = as_data([&] { return command_of(study.spec(), directory, interrupted_twice); });
  listen_for_interrupt(true);
  const WorkResult result = [&] {
    RunDisplay display(arguments, study, workers);
    RunOptions options;
    options.workers = workers;
    options.seconds = arguments.seconds;
    options.patience_seconds = arguments.patience_seconds;
    options.stop = interrupted;
    options.target = arguments.target;
    try {
      return run_study(study, objective, options, display);
    } catch (const StoreUnavailable&) {
      explain_giving_up(arguments, study);
      throw;
    } catch (const MachineTrouble&) {
      explain_giving_up(arguments, study);
      throw;
    }
  }();
  try {
    retry_while_unavailable(patience_of(arguments), [&] { study.refresh(); });
  } catch (const StoreUnavailable&) {  // what was told is known
    if (!interrupted()) throw;
  }
  const Progress progress = progress_of(study);
  if (arguments.json) {
    print_result_as_json(study, progress, result);
  } else if (!arguments.quiet) {
    print_result(arguments, study, progress, result);
  }
  if (interrupted()) return kInterrupted;
  if (!is_failing(progress, result)) return kOk;
  flush_output();
  explain_failing(arguments, progress, result);
  return kFailing;
}

}  // namespace bocs::cli
