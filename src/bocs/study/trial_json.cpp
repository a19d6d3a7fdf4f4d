#include "bocs/study/trial_json.hpp"

#include <algorithm>
#include <cmath>

#include "bocs/study/json_numbers.hpp"
#include "bocs/study/point_json.hpp"

namespace bocs {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

std::vector<double> shown_goals(const Task& task, const Trial& trial) {
  std::vector<double> values = goal_values(task, trial);
  values.resize(task.goals.size());
  if (!values.empty()) values.front() = trial.y;
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = oriented(task.goals[k].sense, values[k]) + 0.0;  // never -0
  return values;
}

Json goals_json(const Task& task, const Trial& trial) {
  Json out = Json::object();
  const std::vector<double> values = shown_goals(task, trial);
  for (std::size_t k = 0; k < values.size(); ++k) out[task.goals[k].name] = known(values[k]);
  return out;
}

Json trial_json(const Study& study, const Trial& trial) {
  const bool complete = has_value(trial);
  Json out = {{"number", trial.number}, {"state", word_of(trial.state)}};
  out["point"] = trial.x.empty() ? Json(nullptr) : Json::parse(named_point_json(study.task().space, trial.x));
  for (const auto& [name, text] : carried_of(study.task().constraints.candidates(), trial.x)) {
    out["carried"][name] = text;
  }
  out["value"] = complete ? known(study.shown(trial.y)) : Json(nullptr);
  out["total"] = complete ? known(study.value(trial)) : Json(nullptr);
  out["metrics"] = trial.metrics;
  const Task& task = study.task();
  if (complete && !task.goals.empty()) out["goals"] = goals_json(task, trial);
  if (complete && !task.outcomes.empty()) {
    out["allowed"] = is_allowed(task, trial);
    for (const OutcomeLimit& limit : task.outcomes) {
      const auto found = trial.metrics.find(limit.metric);
      out["margins"][limit.metric] = found == trial.metrics.end() ? Json(nullptr) : known(limit.margin(found->second));
    }
  }
  out["seconds"] = known(trial.seconds);
  out["error"] = text_or_null(trial.error);
  if (!trial.remark.empty()) out["remark"] = trial.remark;
  out["origin"] = word_of(trial.info.origin);
  out["member"] = text_or_null(trial.info.member);
  out["predicted"] = known(study.shown(trial.info.predicted));
  out["bound"] = known(study.shown(trial.info.lower_bound));
  out["gap"] = known(gap(trial.info));
  out["program"] = text_or_null(trial.info.program);
  return out;
}

double gap(const Info& info) { return std::max(info.predicted - info.lower_bound, 0.0); }

}  // namespace bocs
