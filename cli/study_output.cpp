#include "study_output.hpp"

#include <fmt/core.h>

#include <cmath>

#include "bocs/study/point_json.hpp"
#include "bocs/study/point_text.hpp"

namespace bocs::cli {
namespace {

constexpr int kReasons = 5;             // ways to fail that are shown
constexpr double kHalfInterval = 1.96;  // standard errors: a 95 % interval reaches so far to each side

/// "best         station: 2 4 8" and a line for every other part of the point.
void print_point(const char* head, const Space& space, const Point& x, bool all) {
  bool first = true;
  const auto line = [&](const std::string& name, const std::string& value) {
    fmt::print("{:<13}{}: {}\n", first ? head : "", harmless(name), harmless(value));
    first = false;
  };
  if (all) {
    for (int v = 0; v < static_cast<int>(space.variables().size()); ++v) {
      line(space.variables()[static_cast<std::size_t>(v)].name, space.text(x, v));
    }
    return;
  }
  for (const auto& part : point_parts(space, x)) {
    if (!part.off) line(part.name, part.value);
  }
  if (first) fmt::print("{:<13}all are 0\n", head);
}

/// What the table of candidates says of the point besides its variables.
void print_carried(const Task& task, const Point& x) {
  const char* head = "carried";
  for (const auto& [name, text] : carried_of(task.constraints.candidates(), x)) {
    fmt::print("{:<13}{}: {}\n", head, harmless(name), harmless(text));
    head = "";
  }
}

/// "  (growth >= 0.1, 0.05 to spare)"
std::string describe_margin(const Task& task, const std::string& name, double metric) {
  for (const OutcomeLimit& limit : task.outcomes) {
    if (limit.metric == name) return fmt::format("  ({}, {:.4g} to spare)", to_string(limit), limit.margin(metric));
  }
  return "";
}

/// A line for each trial of the front: its goals, its number, its point.
void print_front(const Study& study, const Progress& progress) {
  const Task& task = study.task();
  Line header{"trial"};
  for (const Goal& goal : task.goals) header.push_back(harmless(goal.name));
  header.emplace_back("point");
  std::vector<Line> rows;
  for (const Trial* trial : progress.front) {
    Line& row = rows.emplace_back(Line{std::to_string(trial->number)});
    for (const double value : shown_goals(task, *trial)) row.push_back(shown_number(value));
    row.push_back(describe_point(task.space, trial->x));
  }
  print_table(header, rows);
  fmt::print("\nfront        {}, none better than another in every goal\n", counted(rows.size(), "trial"));
}

/// While no trial is within all limits: how near the nearest one is.
void print_nearest(const Study& study, const Progress& progress) {
  fmt::print("no trial is within all limits yet; proposals aim at one\n");
  fmt::print("nearest      trial {}: {}\n", progress.nearest->number,
             harmless(describe_limits(study.task(), *progress.nearest)));
}

}  // namespace

std::string describe_point(const Space& space, const Point& x) { return harmless(point_text(space, x)); }

std::string describe_outcome(const Study& study, const Outcome& outcome) {
  return outcome.state == State::complete ? "value " + shown_number(study.shown(outcome.y))
                                          : "failed: " + harmless(brief(outcome.error));
}

std::string describe_outcome(const Study& study, const Trial& trial) {
  return describe_outcome(study, Outcome{trial.state, trial.y, trial.error});
}

bool is_penalized(const Study& study) { return study.task().l1 > 0 || study.task().l2 > 0; }

void print_answer(const Study& study, const Progress& progress, bool all) {
  const Trial* best = progress.best;
  if (best == nullptr && progress.nearest != nullptr) return print_nearest(study, progress);
  if (best == nullptr) return;
  if (study.task().has_front()) return print_front(study, progress);
  if (const std::string far = describe_outliers(progress.outliers); !far.empty()) fmt::print("note         {}\n", far);
  const Space& space = study.task().space;
  if (!progress.recommended) {
    print_point("best", space, best->x, all);
    print_carried(study.task(), best->x);
    fmt::print("value        {:.10g}  at trial {}\n", study.shown(best->y), best->number);
    if (is_penalized(study)) fmt::print("with penalty {:.10g}\n", study.value(*best));
    for (const auto& [name, metric] : best->metrics) {
      fmt::print("{:<12} {:.10g}{}\n", harmless(name), metric, harmless(describe_margin(study.task(), name, metric)));
    }
    return;
  }
  const Recommendation& answer = *progress.recommended;
  print_point("recommended", space, answer.x, all);
  print_carried(study.task(), answer.x);
  fmt::print("value        {:.6g} ± {:.2g} (95 % interval), measured {}\n",
             study.shown(answer.value - penalty(study.task(), answer.x)), kHalfInterval * answer.error,
             answer.measurements == 1 ? "once" : fmt::format("{} times", answer.measurements));
  if (is_penalized(study)) fmt::print("with penalty {:.6g}\n", study.shown(answer.value));
  print_point("best single", space, best->x, false);
  fmt::print("             value {:.6g} at trial {}: one measurement, likely too optimistic\n", study.shown(best->y),
             best->number);
}

Json recommendation_json(const Study& study, const Progress& progress) {
  if (!progress.recommended) return nullptr;
  const Recommendation& answer = *progress.recommended;
  return {{"point", Json::parse(named_point_json(study.task().space, answer.x))},
          {"value", study.shown(answer.value - penalty(study.task(), answer.x))},
          {"total", study.shown(answer.value)},
          {"error", answer.error},
          {"measurements", answer.measurements}};
}

namespace {

std::vector<ChangeFromPresent> changes_of(const Task& task, const Progress& progress) {
  return changes_from_present(task, progress.recommended ? progress.recommended->x : progress.best->x);
}

}  // namespace

void print_changes(const Task& task, const Progress& progress) {
  if (task.present.empty() || progress.best == nullptr) return;
  const auto changes = changes_of(task, progress);
  std::string text;
  for (const auto& change : changes) {
    text += (text.empty() ? "" : ", ") + harmless(change.name) + " " + harmless(change.to) + " instead of " +
            harmless(change.from);
  }
  fmt::print("changes      {}{}\n", changes.size(), text.empty() ? " from the default" : " from the default: " + text);
}

Json changes_json(const Task& task, const Progress& progress) {
  if (task.present.empty() || progress.best == nullptr) return nullptr;
  Json list = Json::array();
  for (const auto& change : changes_of(task, progress)) {
    list.push_back({{"name", change.name}, {"from", change.from}, {"to", change.to}});
  }
  return list;
}

std::string describe_remaining(const Remaining& remaining) {
  if (!remaining.is_known()) return "not known: " + remaining.why_not;
  if (remaining.chance_optimal == 1) return "nothing better is expected";
  return fmt::format("{:.2g} may be left (90 %: {:.2g} to {:.2g}); {:.0f} % that nothing is better", remaining.mean,
                     remaining.low, remaining.high, std::floor(100 * remaining.chance_optimal));
}

Json remaining_json(const Remaining& remaining) {
  if (!remaining.is_known()) return nullptr;
  return {{"mean", remaining.mean},
          {"low", remaining.low},
          {"high", remaining.high},
          {"chance_optimal", remaining.chance_optimal}};
}

std::string describe_progress(int finished, const Study& study) {
  if (study.mirror().budget() == 0) return std::to_string(finished);
  const int past = study.mirror().past();
  if (past == 0) return fmt::format("{} of {}", finished, study.mirror().budget());
  return fmt::format("{} of {} + {} past", std::max(0, finished - past), study.spec().trials, past);
}

std::string describe_trend(const Progress& progress) {
  if (progress.best == nullptr || progress.recommended || progress.finished() < 10) return "";
  if (progress.still_improving()) return "still improving at the last trials: raise trials";
  return fmt::format("last improvement {} ago", counted(progress.since_best, "trial"));
}

void print_failures(const History& history) {
  const auto reasons = count_failures(history);
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const char* head = i == 0 ? "failures" : "";
    if (i == kReasons) {
      fmt::print("{:<13}and {} other reasons\n", head, reasons.size() - i);
      return;
    }
    fmt::print("{:<13}{} × {} (trial {})\n", head, reasons[i].count, harmless(reasons[i].text), reasons[i].last);
  }
}

}  // namespace bocs::cli
