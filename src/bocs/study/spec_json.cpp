#include "bocs/study/spec_json.hpp"

#include "bocs/base/level_json.hpp"
#include "bocs/base/options.hpp"
#include "bocs/store/constraint_json.hpp"
#include "bocs/store/json.hpp"
#include "bocs/store/json_parts.hpp"

namespace bocs {
namespace {

using json_parts::Json;
using json_parts::parsed;
using json_parts::real;

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
  if (const Candidates* candidates = task.constraints.candidates()) {
    json["candidates"] = {{"hash", candidates->hash()}, {"rows", candidates->size()}};
  }
  for (const auto& goal : task.goals) json["goals"].push_back(goal_to_json(goal));
  for (const auto& limit : task.outcomes) {
    json["outcomes"].push_back({{"metric", limit.metric}, {"low", real(limit.low)}, {"high", real(limit.high)}});
  }
  if (!task.present.empty()) json["present"] = task.present;
  return json;
}

Task task_from_json(const Json& json, const LoadCandidates& load) {
  std::vector<Variable> variables;
  for (const auto& variable : json.at("variables")) variables.push_back(variable_from_json(variable));
  Task task{Space(std::move(variables))};
  std::vector<Constraint> constraints;
  for (const auto& constraint : json.at("constraints")) constraints.push_back(constraint_from_json(constraint));
  std::shared_ptr<const Candidates> candidates;
  if (load && json.contains("candidates")) {  // since 0.3
    candidates = load(task.space, json.at("candidates").at("hash").get<std::string>());
  }
  task.constraints = Constraints(task.space, std::move(constraints), std::move(candidates));
  task.l1 = real(json.at("l1"));
  task.l2 = real(json.at("l2"));
  task.seed = json.at("seed").get<std::uint64_t>();
  task.trials = json.value("planned", 0);  // since 0.3, as are these
  task.present = json.value("present", Point());
  for (const auto& goal : json.value("goals", Json::array())) task.goals.push_back(goal_from_json(task.space, goal));
  for (const auto& limit : json.value("outcomes", Json::array())) {
    task.outcomes.push_back({limit.at("metric").get<std::string>(), real(limit.at("low")), real(limit.at("high"))});
  }
  return task;
}

}  // namespace

std::string spec_to_json(const StudySpec& spec) {
  Json json{{"name", spec.name},
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
            {"labels", spec.labels}};
  if (spec.until) json["until"] = spec.until->text();
  return json.dump();
}

StudySpec spec_from_json(const std::string& text, const LoadCandidates& load) {
  return parsed(text, "a study", [&load](const Json& json) {
    StudySpec spec{json.at("name").get<std::string>(), task_from_json(json.at("task"), load)};
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
    if (json.contains("until")) spec.until = StopRule::parse(json.at("until").get<std::string>());  // since 0.3
    return spec;
  });
}

}  // namespace bocs
