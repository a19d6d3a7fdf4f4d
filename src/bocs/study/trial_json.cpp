#include "bocs/study/trial_json.hpp"

#include <algorithm>
#include <cmath>

#include "bocs/run/point_json.hpp"
#include "bocs/study/json_numbers.hpp"

namespace bocs {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

Json trial_json(const Study& study, const Trial& trial) {
  const bool complete = has_value(trial);
  Json out = {{"number", trial.number}, {"state", word_of(trial.state)}};
  out["point"] = trial.x.empty() ? Json(nullptr) : Json::parse(named_point_json(study.task().space, trial.x));
  out["value"] = complete ? known(study.shown(trial.y)) : Json(nullptr);
  out["total"] = complete ? known(study.value(trial)) : Json(nullptr);
  out["metrics"] = trial.metrics;
  out["seconds"] = known(trial.seconds);
  out["error"] = text_or_null(trial.error);
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
