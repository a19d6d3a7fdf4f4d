#include <fmt/core.h>

#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutBest =
    R"(Prints the answer of a study so far: what is switched on at the best point, and its value.

Where measurements are random it is the recommendation: the point that is likely best, its expected value with a 95 %
interval, and how often it was measured; the best single measurement stands below it. With several goals it is the
front (bocs front).

"remaining" says how much better the best point could still get: what is expected, a range that holds it with 90 %
probability, and the chance that there is nothing better.)";

struct BestArguments : StudyCommand {
  bool all = false;
};

void print_best(const BestArguments& arguments) {
  const Study study = arguments.study.open();
  const Progress progress = bocs::progress_of(study);
  if (arguments.json) {
    Json out;
    out["best"] = progress.best == nullptr ? Json(nullptr) : trial_json(study, *progress.best);
    if (study.task().has_front()) {
      out["front"] = Json::array();
      for (const Trial* trial : study.front()) out["front"].push_back(trial_json(study, *trial));
    }
    out["recommended"] = recommendation_json(study, progress);
    out["changes"] = changes_json(study.task(), progress);
    out["remaining"] = remaining_json(remaining_gain(study.method(), study.task(), study.history()));
    out["trials"] = progress.finished();
    out["since_best"] = progress.since_best;
    print_json(out);
    return;
  }
  if (progress.complete == 0) {
    fmt::print("no trial is complete yet\n");
    print_failures(study.history());
    return;
  }
  print_answer(study, progress, arguments.all);
  if (!study.task().has_front()) {
    print_changes(study.task(), progress);
    fmt::print("remaining    {}\n", describe_remaining(remaining_gain(study.method(), study.task(), study.history())));
  }
  const Info info = progress.best == nullptr ? Info() : progress.best->info;
  if (!std::isnan(gap(info))) {
    fmt::print("gap          {:.3g}: proposed for {:.6g}, the best value of the model is proved to be {} {:.6g}\n",
               gap(info), study.shown(info.predicted), study.sense() == Sense::minimize ? "not below" : "not above",
               study.shown(info.lower_bound));
  }
  fmt::print("evaluations  {}, {} failed{}\n", describe_progress(progress.finished(), study), progress.failed,
             study.mirror().paused() ? "; paused: bocs resume ends that" : "");
  const std::string trend = describe_trend(progress);
  if (!trend.empty()) fmt::print("trend        {}\n", trend);
}

}  // namespace

void add_best(CLI::App& app) {
  const auto [command, arguments] =
      add_study_command<BestArguments>(app, "best", "the answer so far", kAboutBest, "as one JSON object", print_best);
  command->add_flag("--all", arguments->all, "a line for every variable, those that are 0 included");
}

}  // namespace bocs::cli
