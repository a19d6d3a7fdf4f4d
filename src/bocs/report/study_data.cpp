#include "bocs/report/study_data.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "bocs/rule/feasible.hpp"
#include "bocs/store/json.hpp"
#include "bocs/study/json_numbers.hpp"
#include "bocs/study/progress.hpp"
#include "bocs/variable/type.hpp"
#include "bocs/version.hpp"

namespace bocs {
namespace {

using Json = nlohmann::ordered_json;

/// One entry per coordinate, as the points have them.
Json variables_data(const Space& space) {
  Json list = Json::array();
  for (const Coordinate& c : space.coordinates()) {
    Json one = {{"name", c.name}};
    const char* number = c.whole ? "integer" : "real";
    one["kind"] = c.is_bit() ? "binary" : c.has_value() ? number : "categorical";
    // The values as people write them; of a long range its ends say the same.
    if (c.scale) {
      one["scale"] = {{"low", c.scale->low()}, {"high", c.scale->high()}, {"levels", c.scale->levels()}};
      if (c.scale->log()) {
        one["scale"]["log"] = true;
      } else {
        one["scale"]["first"] = c.scale->first();
        one["scale"]["digits"] = c.scale->digits();
      }
    } else if (c.whole && c.ordered && c.values.empty() && c.levels > 64 && !c.optional) {
      one["low"] = c.low;
      one["high"] = c.low + (c.levels - 1);
    } else if (!c.is_bit()) {
      for (int level = 0; level < c.levels; ++level) one["values"].push_back(format_level(c, level));
    }
    if (c.optional) one["optional"] = true;
    if (!c.has_size() && c.has_value()) one["unsized"] = true;
    list.push_back(std::move(one));
  }
  return list;
}

/// Which coordinates are one value to people: {"name": "route", "type": "permutation", "first": 3, "items": [...]}.
Json structures_data(const Space& space) {
  Json list = Json::array();
  for (int v = 0; v < static_cast<int>(space.variables().size()); ++v) {
    if (space.is_plain(v)) continue;
    const Variable& variable = space.variables()[static_cast<std::size_t>(v)];
    Json items = Json::array();
    for (int i = space.first(v); i < space.first(v + 1); ++i) {
      const std::string& name = space[i].name;  // route[a]
      items.push_back(name.substr(variable.name.size() + 1, name.size() - variable.name.size() - 2));
    }
    list.push_back({{"name", variable.name},
                    {"type", variable.type->word()},
                    {"first", space.first(v)},
                    {"items", std::move(items)}});
  }
  return list;
}

/// A sum between bounds: [variable, level or null for its value, weight].
Json range_data(const LinearRow& row, const Space& space) {
  Json terms = Json::array();
  for (const Contribution& c : row.terms) {
    if (c.cap == 1) {  // "absent"
      terms.push_back({c.variable, 0, c.offset});
    } else if (c.by_level.empty()) {
      const auto& scale = space[c.variable].scale;
      terms.push_back({c.variable, nullptr, scale ? c.slope / scale->step() : c.slope});
    }
    for (std::size_t level = 0; level < c.by_level.size(); ++level) {
      if (c.by_level[level] != 0) terms.push_back({c.variable, level, c.by_level[level]});
    }
  }
  return {{"low", known(row.low)}, {"high", known(row.high)}, {"terms", std::move(terms)}};
}

/// Which combinations of levels are allowed: the numbers that the digits of [variable, base] make, as [first, how
/// many].
Json set_data(const LinearRow& row, const Space& space) {
  Json digits = Json::array(), runs = Json::array();
  for (const Contribution& c : row.terms) digits.push_back({c.variable, space[c.variable].levels});
  for (const double number : row.set) {
    if (!runs.empty() && number == runs.back()[0].get<double>() + runs.back()[1].get<double>()) {
      runs.back()[1] = runs.back()[1].get<std::int64_t>() + 1;
    } else {
      runs.push_back({static_cast<std::int64_t>(number), std::int64_t{1}});
    }
  }
  return {{"digits", std::move(digits)}, {"runs", std::move(runs)}};
}

/// "bits": six binary variables per letter of base64, the first one in the highest bit; "letters": a letter per
/// variable, "0" to "z"; "numbers": levels with commas.
std::string encoding_of(const Space& space) {
  if (space.all_binary()) return "bits";
  const auto fits = [](const Coordinate& c) { return c.levels <= 36; };
  return std::all_of(space.coordinates().begin(), space.coordinates().end(), fits) ? "letters" : "numbers";
}

std::string point_data(const Point& x, const std::string& encoding) {
  constexpr const char* kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  if (encoding == "bits") {
    for (std::size_t i = 0; i < x.size(); i += 6) {
      unsigned bits = 0;
      for (std::size_t k = i; k < i + 6; ++k) bits = bits << 1 | (k < x.size() && x[k] == 1 ? 1U : 0U);
      text += kBase64[bits];
    }
    return text;
  }
  for (const auto level : x) {
    if (encoding == "letters") {
      text += static_cast<char>(level < 10 ? '0' + level : 'a' + (level - 10));
    } else {
      text += (text.empty() ? "" : ",") + std::to_string(level);
    }
  }
  return text;
}

/// The last constraint of the list is the table of candidates. A long one stays behind: then the page takes any point
/// for one that there is.
void add_candidates(const Task& task, Json& constraint) {
  constexpr std::size_t kMostPoints = 10'000;
  const Feasible& feasible = task.constraints.feasible();
  constraint["candidates"] = feasible.candidates().size();
  if (feasible.candidate_rows()->size() > kMostPoints) return;
  const std::string encoding = encoding_of(task.space);
  constraint["points"] = Json::array();
  feasible.for_each([&](const Point& x) { constraint["points"].push_back(point_data(x, encoding)); });
}

/// Those of structures and conditions follow the user's: the page checks points by them, too.
Json constraints_data(const Task& task) {
  Json list = Json::array();
  if (task.constraints.empty()) return list;
  const Feasible& feasible = task.constraints.feasible();
  for (const auto& constraint : feasible.list()) {
    list.push_back({{"text", constraint.text}, {"rows", Json::array()}});
    if (list.size() > task.constraints.list().size()) list.back()["own"] = true;
  }
  if (feasible.candidate_rows() != nullptr) add_candidates(task, list.back());
  for (int r = 0; r < static_cast<int>(feasible.rows().size()); ++r) {
    const LinearRow& row = feasible.rows()[static_cast<std::size_t>(r)];
    list[static_cast<std::size_t>(feasible.constraint_of(r))]["rows"].push_back(
        row.set.empty() ? range_data(row, task.space) : set_data(row, task.space));
  }
  return list;
}

char letter(State state) {
  switch (state) {
    case State::waiting:
      return 'w';
    case State::running:
      return 'r';
    case State::complete:
      return 'c';
    case State::failed:
      return 'f';
    case State::struck:
      break;
  }
  return 's';
}

/// Position in a list that grows.
int position(Json& list, std::string_view text) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].get_ref<const std::string&>() == text) return static_cast<int>(i);
  }
  list.push_back(text);
  return static_cast<int>(list.size()) - 1;
}

/// One column each: texts of a letter per trial, lists, and tables for what few trials have.
Json trials_data(Study& study, const std::set<int>* only = nullptr) {
  const auto is_wanted = [only](int number) { return only == nullptr || only->contains(number); };
  const Task& task = study.task();
  const std::string encoding = encoding_of(task.space);
  std::map<int, TrialRecord> records;
  double start = kUnknown;
  for (auto& record : study.table().records()) {
    for (const double time : {record.claimed, record.finished}) {
      if (!(start <= time)) start = std::isnan(time) ? start : time;
    }
    if (is_wanted(record.number)) records[record.number] = std::move(record);
  }
  Json out = {{"encoding", encoding},       {"start", known(start)},
              {"number", Json::array()},    {"state", ""},
              {"origins", Json::array()},   {"origin", Json::array()},
              {"members", Json::array()},   {"member", Json::array()},
              {"point", Json::array()},     {"value", Json::array()},
              {"total", Json::array()},     {"seconds", Json::array()},
              {"thinking", Json::array()},  {"finished", Json::array()},
              {"workers", Json::array()},   {"worker", Json::array()},
              {"predicted", Json::array()}, {"bound", Json::array()},
              {"error", Json::object()},    {"metrics", Json::object()},
              {"repaired", Json::array()},  {"programs", Json::array()}};
  std::string states;
  for (const Trial& trial : study.history().trials()) {
    if (!is_wanted(trial.number)) continue;
    const bool complete = has_value(trial);
    const TrialRecord& record = records[trial.number];
    const Info& info = trial.info;
    states += letter(trial.state);
    out["number"].push_back(trial.number);
    out["origin"].push_back(position(out["origins"], word_of(info.origin)));
    out["member"].push_back(position(out["members"], info.member));
    out["worker"].push_back(position(out["workers"], record.worker));
    out["point"].push_back(point_data(trial.x, encoding));
    out["value"].push_back(complete ? known(study.shown(trial.y)) : Json(nullptr));
    out["total"].push_back(complete ? known(study.value(trial)) : Json(nullptr));
    out["seconds"].push_back(rounded(trial.seconds, 4));
    out["thinking"].push_back(rounded(info.regress_seconds + info.minimize_seconds, 3));
    out["finished"].push_back(std::isnan(record.finished) ? Json(nullptr) : rounded(record.finished - start, 8));
    out["predicted"].push_back(rounded(study.shown(info.predicted), 7));
    out["bound"].push_back(rounded(study.shown(info.lower_bound), 7));
    const std::string key = std::to_string(trial.number);
    if (!trial.error.empty()) out["error"][key] = trial.error;
    if (!trial.remark.empty()) out["remark"][key] = trial.remark;
    if (!trial.metrics.empty()) out["metrics"][key] = trial.metrics;
    for (const auto& [name, text] : carried_of(task.constraints.candidates(), trial.x))
      out["carried"][key][name] = text;
    for (const Goal& goal : task.goals) {
      if (goal.known != nullptr && complete) out["metrics"][key][goal.name] = (*goal.known)(trial.x);
    }
    if (info.repairs > 0) out["repaired"].push_back(trial.number);
    if (!info.program.empty()) position(out["programs"], info.program);
  }
  out["state"] = states;
  if (task.l1 == 0 && task.l2 == 0) out.erase("total");  // the same as "value"
  return out;
}

Json claims_data(Study& study) {
  Json list = Json::array();
  for (const auto& claim : study.table().claims()) {
    list.push_back({{"number", claim.number},
                    {"worker", claim.worker},
                    {"seconds", rounded(claim.seconds, 4)},
                    {"silent", rounded(claim.silent_seconds, 4)},
                    {"attempts", claim.attempts},
                    {"gone", claim.gone},
                    {"proposed", claim.proposed}});
  }
  return list;
}

Json failures_data(const History& history) {
  Json list = Json::array();
  for (const auto& reason : count_failures(history)) list.push_back({reason.text, reason.count, reason.last});
  return list;
}

std::string now_text() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

Json goals_data(const Task& task) {
  Json list = Json::array();
  for (const Goal& goal : task.goals) {
    list.push_back({{"name", goal.name},
                    {"direction", word_of(goal.sense)},
                    {"known", goal.text},
                    {"reference", known(goal.reference)}});
  }
  return list;
}

Json outcomes_data(const Task& task) {
  Json list = Json::array();
  for (const OutcomeLimit& limit : task.outcomes) {
    list.push_back(
        {{"metric", limit.metric}, {"low", known(limit.low)}, {"high", known(limit.high)}, {"text", to_string(limit)}});
  }
  return list;
}

/// What may change while a study runs, but for its trials.
Json changing_data(Study& study) {
  const StudySpec& spec = study.spec();
  Json out;
  out["study"] = {{"name", spec.name},
                  {"direction", word_of(spec.sense)},
                  {"method", spec.method},
                  {"seed", spec.task.seed},
                  {"l1", spec.task.l1},
                  {"l2", spec.task.l2},
                  {"trials", spec.trials},
                  {"budget", study.mirror().budget()},
                  {"past", study.mirror().past()},
                  {"parallel", spec.parallel},
                  {"objective", spec.objective.command},
                  {"store", without_password(study.table().connection().url())},
                  {"labels", spec.labels},
                  {"goals", goals_data(spec.task)},
                  {"outcomes", outcomes_data(spec.task)},
                  {"present", Json(nullptr)}};
  if (!spec.task.present.empty()) out["study"]["present"] = point_data(spec.task.present, encoding_of(spec.task.space));
  out["best"] = study.best() == nullptr ? Json(nullptr) : Json(study.best()->number);
  const Progress progress = progress_of(study.task(), study.history());
  out["front"] = Json::array();
  for (const Trial* trial : progress.front) out["front"].push_back(trial->number);
  out["nearest"] = nullptr;
  if (progress.nearest != nullptr) {
    out["nearest"] = {{"number", progress.nearest->number}, {"text", describe_limits(study.task(), *progress.nearest)}};
  }
  out["finished"] = study.mirror().finished();
  out["claims"] = claims_data(study);
  out["late"] = study.table().late().size();
  out["failures"] = failures_data(study.history());
  out["outliers"] = describe_outliers(outliers(study.history()));
  return out;
}

}  // namespace

Json study_data(Study& study, const ReportOptions& options) {
  Json out = {
      {"schema", 1}, {"kind", "study"}, {"made", now_text()}, {"program", signature()}, {"command", options.command}};
  out["variables"] = variables_data(study.task().space);
  out["structures"] = structures_data(study.task().space);
  out["constraints"] = constraints_data(study.task());
  out["trials"] = trials_data(study);
  out.update(changing_data(study));
  return out;
}

Json study_news(Study& study, const std::set<int>& numbers) {
  Json out = changing_data(study);
  out["trials"] = trials_data(study, &numbers);
  return out;
}

Json claims_news(Study& study) { return {{"claims", claims_data(study)}}; }

Json recommended_data(const Study& study) {
  const auto answer = progress_of(study).recommended;
  if (!answer) return nullptr;
  return {{"point", point_data(answer->x, encoding_of(study.task().space))},
          {"total", known(study.shown(answer->value))},
          {"error", known(answer->error)},
          {"measurements", answer->measurements}};
}

}  // namespace bocs
