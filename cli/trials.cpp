#include <fmt/core.h>

#include <algorithm>

#include "arguments.hpp"
#include "bocs/store/json.hpp"
#include "bocs/version.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutTrials = R"(Lists the trials of a study.

gap is a certificate: the point is at most so far from the best value that its model, a draw of the polynomial, has
anywhere. It is empty where the point does not come from a polynomial, or nothing was proved.

With --verify every proposal is computed again from what was known when it was made, the trials that were running then
included, and compared with what is stored: same study, same history, same point, on the same kind of machine. Exit code
65 if one differs. Where another version of bocs made the proposal, seeds may have meant something else: such a
difference is counted by itself and is no error.

With --top N only the best N different points, the best measurement first.)";

struct TrialsArguments : StudyCommand {
  bool verify = false;
  int top = 0;
};

enum class Verdict { not_proposed, same, differs, other_version };

Verdict verdict(const Study& study, const Trial& trial) {
  const Origin origin = trial.info.origin;
  if (origin != Origin::initial && origin != Origin::proposed) return Verdict::not_proposed;
  if (study.replay(trial).x == trial.x) return Verdict::same;
  const std::string& program = trial.info.program;
  return program.substr(0, program.find(' ')) == version() ? Verdict::differs : Verdict::other_version;
}

/// Where the point came from, and how: "order 4: tabu"; or why there is no value.
std::string story(const Task& task, const Trial& trial) {
  if (trial.state == State::complete && !is_allowed(task, trial)) return "beyond: " + describe_limits(task, trial);
  if (trial.state == State::failed) return brief(trial.error);
  if (trial.state == State::struck) return "struck: " + brief(trial.error);
  return trial.info.how.empty() ? std::string(word_of(trial.info.origin)) : trial.info.how;
}

std::string shown_gap(const Info& info) { return std::isnan(gap(info)) ? "" : fmt::format("{:.3g}", gap(info)); }

/// True if some point was measured with different results.
bool is_noisy(const History& history) {
  std::map<Point, double> values;
  for (const Trial* trial : history.complete()) {
    if (values.try_emplace(trial->x, trial->y).first->second != trial->y) return true;
  }
  return false;
}

/// The trials to list: all of them, or the best one of each of the best points.
std::vector<const Trial*> selected(const Study& study, int top) {
  std::vector<const Trial*> trials;
  if (top == 0) {
    for (const auto& trial : study.history().trials()) trials.push_back(&trial);
    return trials;
  }
  trials = study.history().complete();
  std::erase_if(trials, [&](const Trial* trial) { return !is_allowed(study.task(), *trial); });
  const auto better = [&](const Trial* a, const Trial* b) { return total(study.task(), *a) < total(study.task(), *b); };
  std::stable_sort(trials.begin(), trials.end(), better);
  PointSet seen;
  std::vector<const Trial*> best;
  for (const Trial* trial : trials) {
    if (static_cast<int>(best.size()) < top && seen.insert(trial->x).second) best.push_back(trial);
  }
  return best;
}

Json late_json(const Study& study, const LateResult& late) {
  const Outcome& outcome = late.outcome;
  const bool complete = outcome.state == State::complete;
  return {{"value", complete ? Json(study.shown(outcome.y)) : Json(nullptr)},
          {"error", complete ? Json(nullptr) : Json(outcome.error)},
          {"metrics", outcome.metrics},
          {"seconds", outcome.seconds},
          {"worker", late.worker}};
}

/// What the table does not show: who holds the running trials, and what was evaluated twice.
void print_notes(Study& study) {
  for (const auto& claim : study.table().claims()) {
    fmt::print("trial {} runs for {:.0f} s, {}\n", claim.number, claim.seconds,
               claim.worker.empty() ? "asked for by hand"
               : claim.gone         ? "but its worker has ended"
                                    : fmt::format("last heard of {:.0f} s ago", claim.silent_seconds));
  }
  for (const auto& late : study.table().late()) {
    fmt::print("trial {} was also evaluated by {}, too late: {}\n", late.number, harmless(late.worker),
               describe_outcome(study, late.outcome));
  }
}

int list_trials(const TrialsArguments& arguments) {
  Study study = arguments.study.open();
  const bool penalized = is_penalized(study);
  const std::vector<std::string> metrics = named_metrics(study.task());  // columns after the value
  const std::size_t first_metric = penalized ? 4 : 3;
  std::map<int, Json> late;
  for (const auto& result : study.table().late()) late[result.number].push_back(late_json(study, result));
  std::vector<Line> rows;
  int same = 0, different = 0, other = 0;
  for (const Trial* listed : selected(study, arguments.top)) {
    const Trial& trial = *listed;
    const Verdict verified = arguments.verify ? verdict(study, trial) : Verdict::not_proposed;
    same += verified == Verdict::same ? 1 : 0;
    different += verified == Verdict::differs ? 1 : 0;
    other += verified == Verdict::other_version ? 1 : 0;
    if (arguments.json) {
      Json out = trial_json(study, trial);
      if (late.contains(trial.number)) out["late"] = late[trial.number];
      if (arguments.verify) {
        const bool judged = verified == Verdict::same || verified == Verdict::differs;
        out["verified"] = judged ? Json(verified == Verdict::same) : Json(nullptr);
      }
      print_json(out);
      continue;
    }
    const bool complete = has_value(trial);
    rows.push_back({std::to_string(trial.number), std::string(word_of(trial.state)),
                    complete ? shown_number(study.shown(trial.y)) : "",
                    trial.state == State::running ? "" : fmt::format("{:.3g}", trial.seconds),
                    describe_point(study.task().space, trial.x), shown_gap(trial.info), story(study.task(), trial)});
    if (penalized) rows.back().insert(rows.back().begin() + 3, complete ? shown_number(study.value(trial)) : "");
    for (std::size_t k = 0; k < metrics.size(); ++k) {
      const auto found = trial.metrics.find(metrics[k]);
      const std::string text = found == trial.metrics.end() ? "" : shown_number(found->second);
      rows.back().insert(rows.back().begin() + static_cast<std::ptrdiff_t>(first_metric + k), text);
    }
    if (arguments.verify) {
      constexpr const char* kWords[] = {"", "same", "differs", "other version"};
      rows.back().emplace_back(kWords[static_cast<int>(verified)]);
    }
  }
  if (!arguments.json) {
    Line header{"trial", "state", "value", "seconds", "point", "gap", "how, or why not"};
    if (penalized) header.insert(header.begin() + 3, "with penalty");
    for (std::size_t k = 0; k < metrics.size(); ++k) {
      header.insert(header.begin() + static_cast<std::ptrdiff_t>(first_metric + k), harmless(metrics[k]));
    }
    if (arguments.verify) header.emplace_back("verified");
    print_table(header, rows);
    if (arguments.top == 0) print_notes(study);
    if (arguments.top > 0 && is_noisy(study.history())) {
      fmt::print(
          "ordered by single measurements, of which the best are likely too optimistic; bocs best recommends a "
          "point\n");
    }
    if (arguments.verify) {
      fmt::print("{} proposals are the same again, {} differ{}\n", same, different,
                 other == 0 ? "" : fmt::format(", {} of another version of bocs are not found again", other));
    }
  }
  return different == 0 ? kOk : kBadData;
}

}  // namespace

void add_trials(CLI::App& app, int& exit_code) {
  const auto [command, arguments] = add_study_command<TrialsArguments>(
      app, "trials", "list the trials of a study", kAboutTrials, "one JSON object per line",
      [&exit_code](const TrialsArguments& given) { exit_code = list_trials(given); });
  command->add_flag("--verify", arguments->verify, "compute every proposal again and compare");
  command->add_option("--top", arguments->top, "only the best so many different points; 0: all trials")
      ->check(whole_number(0))
      ->type_name("N")
      ->capture_default_str();
}

}  // namespace bocs::cli
