#include "bocs/store/json.hpp"

#include <nlohmann/json.hpp>

#include "bocs/base/error.hpp"
#include "bocs/base/level_json.hpp"
#include "bocs/base/options.hpp"
#include "bocs/base/text.hpp"

namespace bocs {
namespace {

using Json = nlohmann::json;

// JSON has no word for what is not finite.
Json real(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return nullptr;
  return value > 0 ? "inf" : "-inf";
}

double real(const Json& json) {
  if (json.is_null()) return kUnknown;
  if (!json.is_string()) return json.get<double>();
  const double infinity = std::numeric_limits<double>::infinity();
  return json.get<std::string>() == "inf" ? infinity : -infinity;
}

Json variable_to_json(const Variable& variable) {
  Json json = value_to_json<Json>(definition_of(variable));
  json["name"] = variable.name;
  return json;
}

Variable variable_from_json(const Json& json) {
  Value::Map definition;
  for (const auto& [key, entry] : json.items()) {
    if (key != "name") definition.emplace_back(key, value_from_json(entry));
  }
  return variable_from(json.at("name").get<std::string>(), definition);
}

Json constraint_to_json(const Constraint& constraint) {
  if (!constraint.rule.empty()) {
    return {{"rule", constraint.rule}, {"language", kRuleLanguage}, {"text", constraint.text}};
  }
  Json terms = Json::array();
  for (const auto& term : constraint.terms) {
    Json json = {{"variable", term.variable}, {"weight", real(term.weight)}};
    if (term.is) json["is"] = *term.is;
    terms.push_back(std::move(json));
  }
  return {{"terms", terms}, {"low", real(constraint.low)}, {"high", real(constraint.high)}, {"text", constraint.text}};
}

Constraint constraint_from_json(const Json& json) {
  Constraint constraint;
  constraint.text = json.at("text").get<std::string>();
  if (json.contains("rule")) {  // since 0.3
    constraint.rule = json.at("rule").get<std::string>();
    const int language = json.at("language").get<int>();
    if (constraint.rule.empty() || language != kRuleLanguage) {
      throw StoreError("the store holds a rule of language " + std::to_string(language) + "; this program knows " +
                       std::to_string(kRuleLanguage));
    }
    return constraint;
  }
  for (const auto& item : json.at("terms")) {
    Term term{item.at("variable").get<std::string>(), {}, real(item.at("weight"))};
    if (item.contains("is")) term.is = item.at("is").get<std::string>();
    constraint.terms.push_back(std::move(term));
  }
  constraint.low = real(json.at("low"));
  constraint.high = real(json.at("high"));
  return constraint;
}

Json goal_to_json(const Goal& goal) {
  return {
      {"name", goal.name}, {"sense", word_of(goal.sense)}, {"reference", real(goal.reference)}, {"known", goal.text}};
}

Goal goal_from_json(const Space& space, const Json& json) {
  const auto name = json.at("name").get<std::string>(), known = json.at("known").get<std::string>();
  const Sense sense = value_from_store<Sense>(json.at("sense").get<std::string>());
  Goal goal = known.empty() ? Goal{name, sense} : known_goal(space, name, known, sense);
  goal.reference = real(json.at("reference"));
  return goal;
}

Json task_to_json(const Task& task) {
  Json variables = Json::array();
  for (const auto& variable : task.space.variables()) variables.push_back(variable_to_json(variable));
  Json constraints = Json::array();
  if (!task.constraints.empty()) {
    for (const auto& constraint : task.constraints.list()) constraints.push_back(constraint_to_json(constraint));
  }
  Json json = {{"variables", variables}, {"constraints", constraints}, {"l1", real(task.l1)},
               {"l2", real(task.l2)},    {"seed", task.seed},          {"planned", task.trials}};
  for (const auto& goal : task.goals) json["goals"].push_back(goal_to_json(goal));
  for (const auto& limit : task.outcomes) {
    json["outcomes"].push_back({{"metric", limit.metric}, {"low", real(limit.low)}, {"high", real(limit.high)}});
  }
  return json;
}

Task task_from_json(const Json& json) {
  std::vector<Variable> variables;
  for (const auto& variable : json.at("variables")) variables.push_back(variable_from_json(variable));
  Task task{Space(std::move(variables))};
  std::vector<Constraint> constraints;
  for (const auto& constraint : json.at("constraints")) constraints.push_back(constraint_from_json(constraint));
  task.constraints = Constraints(task.space, std::move(constraints));
  task.l1 = real(json.at("l1"));
  task.l2 = real(json.at("l2"));
  task.seed = json.at("seed").get<std::uint64_t>();
  task.trials = json.value("planned", 0);  // since 0.3, as are these
  for (const auto& goal : json.value("goals", Json::array())) task.goals.push_back(goal_from_json(task.space, goal));
  for (const auto& limit : json.value("outcomes", Json::array())) {
    task.outcomes.push_back({limit.at("metric").get<std::string>(), real(limit.at("low")), real(limit.at("high"))});
  }
  return task;
}

/// Numbers in ascending order; three or more in a row as [first, last]: with many workers nearly all of them are.
Json ranges_to_json(const std::vector<int>& numbers) {
  Json json = Json::array();
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (end - i >= 3) {
      json.push_back({numbers[i], numbers[end - 1]});
    } else {
      for (std::size_t k = i; k < end; ++k) json.push_back(numbers[k]);
    }
    i = end;
  }
  return json;
}

std::vector<int> ranges_from_json(const Json& json) {
  std::vector<int> numbers;
  for (const Json& item : json) {
    const int first = (item.is_array() ? item.at(0) : item).get<int>();
    const int last = item.is_array() ? item.at(1).get<int>() : first;
    constexpr int kLongest = 10'000'000;  // whatever a stranger wrote
    if (last < first || static_cast<std::int64_t>(last) - first > kLongest) {
      throw StoreError("the store holds the range " + item.dump());
    }
    for (std::int64_t n = first; n <= last; ++n) numbers.push_back(static_cast<int>(n));
  }
  return numbers;
}

Json to_json(const Info& info) {
  return {{"predicted", real(info.predicted)},
          {"lower_bound", real(info.lower_bound)},
          {"regress_seconds", real(info.regress_seconds)},
          {"minimize_seconds", real(info.minimize_seconds)},
          {"repairs", info.repairs},
          {"status", word_of(info.status)},
          {"how", info.how},
          {"pending", ranges_to_json(info.pending)},
          {"origin", word_of(info.origin)},
          {"member", info.member},
          {"program", info.program}};
}

Info to_info(const Json& json) {
  Info info;
  if (json.empty()) return info;  // nothing was written yet
  info.predicted = real(json.at("predicted"));
  info.lower_bound = real(json.at("lower_bound"));
  info.regress_seconds = real(json.at("regress_seconds"));
  info.minimize_seconds = real(json.at("minimize_seconds"));
  info.repairs = json.at("repairs").get<int>();
  info.status = value_from_store<Status>(json.at("status").get<std::string>());
  info.how = json.at("how").get<std::string>();
  info.pending = ranges_from_json(json.at("pending"));
  if (json.contains("origin")) {  // bocs 0.1 did not write them; its rows in a store have columns of their own for them
    info.origin = value_from_store<Origin>(json.at("origin").get<std::string>());
    info.member = json.at("member").get<std::string>();
  }
  info.program = json.value("program", "");
  return info;
}

/// The library would cut 1.7 and 4294967297 to some other level.
Point to_point(const Json& json) {
  Point x;
  for (const auto& level : json.get<std::vector<Json>>()) {
    const bool whole = level.is_number_integer();
    const auto value = whole ? level.get<std::int64_t>() : -1;
    if (!whole || value < 0 || value > std::numeric_limits<std::int32_t>::max()) {
      throw StoreError("the store holds a point with the level " + level.dump());
    }
    x.push_back(static_cast<std::int32_t>(value));
  }
  return x;
}

Json to_json(const std::map<std::string, double>& metrics) {
  Json json = Json::object();
  for (const auto& [name, value] : metrics) json[clean_utf8(name)] = real(value);
  return json;
}

std::map<std::string, double> to_metrics(const Json& json) {
  std::map<std::string, double> metrics;
  for (const auto& [name, value] : json.get<std::map<std::string, Json>>()) metrics[name] = real(value);
  return metrics;
}

/// read(the parsed text); what the JSON library throws becomes a StoreError.
template <class Read>
auto parsed(const std::string& text, const char* what, const Read& read) {
  try {
    if (is_nested_deeply(text)) throw StoreError("the store holds " + std::string(what) + " that is nested too deeply");
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    throw StoreError("the store holds " + std::string(what) + " that this program cannot read: " + error.what());
  }
}

}  // namespace

std::string spec_to_json(const StudySpec& spec) {
  return Json{{"name", spec.name},
              {"task", task_to_json(spec.task)},
              {"method", spec.method},
              {"sense", word_of(spec.sense)},
              {"trials", spec.trials},
              {"parallel", spec.parallel},
              {"attempts", spec.attempts},
              {"objective",
               {{"command", spec.objective.command},
                {"timeout_seconds", real(spec.objective.timeout_seconds)},
                {"retries", spec.objective.retries},
                {"keep_alive", spec.objective.keep_alive},
                {"keep_going", spec.objective.keep_going}}},
              {"labels", spec.labels}}
      .dump();
}

StudySpec spec_from_json(const std::string& text) {
  return parsed(text, "a study", [](const Json& json) {
    StudySpec spec{json.at("name").get<std::string>(), task_from_json(json.at("task"))};
    spec.method = without_repeats(json.at("method").get<std::string>());
    spec.sense = value_from_store<Sense>(json.at("sense").get<std::string>());
    spec.trials = json.at("trials").get<int>();
    spec.parallel = json.at("parallel").get<int>();
    spec.attempts = json.at("attempts").get<int>();
    const Json& objective = json.at("objective");
    spec.objective.command = objective.at("command").get<std::vector<std::string>>();
    spec.objective.timeout_seconds = real(objective.at("timeout_seconds"));
    spec.objective.retries = objective.at("retries").get<int>();
    spec.objective.keep_alive = objective.value("keep_alive", false);
    spec.objective.keep_going = objective.value("keep_going", false);
    spec.labels = json.at("labels").get<std::map<std::string, std::string>>();
    return spec;
  });
}

std::string point_to_json(const Point& x) { return Json(x).dump(); }

Point point_from_json(const std::string& text) { return parsed(text, "a point", to_point); }

std::string info_to_json(const Info& info) { return to_json(info).dump(); }

Info info_from_json(const std::string& text) { return parsed(text, "an info", to_info); }

std::string metrics_to_json(const std::map<std::string, double>& metrics) { return to_json(metrics).dump(); }

std::map<std::string, double> metrics_from_json(const std::string& text) {
  if (text == "{}") return {};  // nearly always
  return parsed(text, "metrics", to_metrics);
}

std::string trial_to_json(const Trial& trial) {
  return Json{{"number", trial.number},
              {"state", word_of(trial.state)},
              {"point", trial.x},
              {"value", real(trial.y)},
              {"error", clean_utf8(trial.error)},
              {"seconds", real(trial.seconds)},
              {"metrics", to_json(trial.metrics)},
              {"info", to_json(trial.info)}}
      .dump();
}

Trial trial_from_json(const std::string& text) {
  return parsed(text, "a trial", [](const Json& json) {
    Trial trial;
    trial.number = json.at("number").get<int>();
    trial.state = value_from_store<State>(json.at("state").get<std::string>());
    trial.x = to_point(json.at("point"));
    trial.y = real(json.at("value"));
    trial.error = json.at("error").get<std::string>();
    trial.seconds = real(json.at("seconds"));
    trial.metrics = to_metrics(json.at("metrics"));
    trial.info = to_info(json.at("info"));
    return trial;
  });
}

}  // namespace bocs
