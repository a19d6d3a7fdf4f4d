#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "bocs/core/feasible.hpp"
#include "bocs/run/command_process.hpp"
#include "bocs/study/csv.hpp"
#include "bocs/study/open_study.hpp"
#include "study_arguments.hpp"
#include "terminal.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutCheck = R"(Reads a study file and explains it: what would be run, where it would be stored.

Mistakes are named with file and line, what was found and what is allowed, and end with exit code 65. A program that is
not found here is a warning: it may be there where the study runs.)";

struct Check {
  StudyFile file;
  double points = 0;  // allowed ones; infinity: not counted
  std::optional<PastData> past;
  std::string store_state;
  std::vector<std::string> warnings;
};

std::string count_kinds(const Space& space) {
  std::string text;
  const auto add = [&](Kind kind, const char* name) {
    const auto count = std::count_if(space.variables().begin(), space.variables().end(),
                                     [&](const Variable& v) { return v.kind == kind; });
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  };
  add(Kind::binary, "binary");
  add(Kind::integer, "integer");
  add(Kind::real, "real");
  add(Kind::categorical, "categorical");
  return text;
}

/// What the store says about the study now, without making anything.
std::string look_into_store(const StudyFile& file, std::vector<std::string>& warnings) {
  try {
    Store store(file.store);
    if (!store.contains(file.spec.name)) return "the study is not there yet";
    const Study study = store.open(file.spec.name);
    const std::string different = differences(study.spec(), file.spec);
    if (!different.empty()) warnings.push_back("the store holds a study of this name with other " + different);
    return fmt::format("the study is there, with {} trials", study.history().size());
  } catch (const StoreUnavailable& error) {
    warnings.emplace_back(error.what());
    return "not reachable now";
  } catch (const StoreError& error) {
    if (file.store.starts_with("sqlite:") && !std::filesystem::exists(file.store.substr(7))) return "not there yet";
    warnings.emplace_back(error.what());
    return "not usable";
  }
}

Check check_file(const std::string& name) {
  Check result{load_file(name), 0, {}, {}, {}};
  const StudyFile& file = result.file;
  const Task& task = file.spec.task;
  const auto counted =
      task.constraints.empty() ? std::optional(std::exp2(task.space.log2_size())) : task.constraints.feasible().count();
  result.points = counted.value_or(std::numeric_limits<double>::infinity());
  const auto& arguments = file.spec.objective.command;
  if (!file.data.empty()) result.past = as_data([&] { return read_csv(file.data, task); });
  if (arguments.empty()) {
    result.warnings.emplace_back("there is no [objective] command: only ask and tell will work");
  } else if (arguments.front().find('{') == std::string::npos &&
             !find_program(arguments.front(), file.folder.string())) {
    result.warnings.push_back("the program '" + arguments.front() + "' is not found here, or may not be executed");
  }
  if (file.spec.trials > result.points) {
    result.warnings.push_back(fmt::format("there are only {:.0f} points: fewer than trials", result.points));
  }
  result.store_state = look_into_store(file, result.warnings);
  return result;
}

void print_check(const Check& result) {
  const StudySpec& spec = result.file.spec;
  const Space& space = spec.task.space;
  const auto line = [](const char* head, const std::string& text) { fmt::print("{:<13}{}\n", head, harmless(text)); };
  line("study", fmt::format("{}: {}, {} trials, seed {}", spec.name,
                            spec.sense == Sense::maximize ? "maximize" : "minimize", spec.trials, spec.task.seed));
  line("variables", fmt::format("{}: {}", space.dimension(), count_kinds(space)));
  const std::string uncounted =
      fmt::format("{}2^{:.4g}", spec.task.constraints.empty() ? "" : "some of ", space.log2_size());
  line("points", std::isfinite(result.points) ? fmt::format("{:.6g}", result.points) : uncounted);
  if (!spec.task.constraints.empty()) {
    const auto& list = spec.task.constraints.list();
    line("constraints", fmt::format("{}, which can be satisfied", list.size()));
    for (const auto& constraint : list) line("", constraint.text);
  }
  if (spec.task.l1 > 0) line("penalty", fmt::format("{:.6g} |x|", spec.task.l1));
  if (spec.task.l2 > 0) line("penalty", fmt::format("{:.6g} |x|^2", spec.task.l2));
  line("method", spec.method);
  if (!spec.objective.command.empty()) {
    std::string text;
    for (const auto& argument : spec.objective.command) text += (text.empty() ? "" : " ") + argument;
    line("objective", text.size() > 100 ? text.substr(0, 97) + "..." : text);
    const double timeout = spec.objective.timeout_seconds;
    line("", fmt::format("{}, {} retries, {} attempts, {}",
                         timeout > 0 ? "at most " + shown_duration(timeout) : "no time-out", spec.objective.retries,
                         spec.attempts,
                         spec.parallel > 0 ? fmt::format("{} at once", spec.parallel) : "one worker in `bocs run`"));
  }
  if (result.past) {
    line("data", fmt::format("{}: {} evaluations, {} rows without a value", result.file.data.filename().string(),
                             result.past->evaluations.size(), result.past->skipped));
  }
  line("store", without_password(result.file.store) + ": " + result.store_state);
  for (const auto& warning : result.warnings) line("warning", warning);
}

void print_check_as_json(const Check& result) {
  const StudySpec& spec = result.file.spec;
  Json out = {{"study", spec.name},
              {"direction", spec.sense == Sense::maximize ? "maximize" : "minimize"},
              {"trials", spec.trials},
              {"seed", spec.task.seed},
              {"variables", spec.task.space.dimension()}};
  out["points"] = std::isfinite(result.points) ? Json(result.points) : Json(nullptr);
  out["constraints"] = Json::array();
  for (const auto& constraint : spec.task.constraints.list()) out["constraints"].push_back(constraint.text);
  out["method"] = spec.method;
  out["command"] = spec.objective.command;
  out["store"] = without_password(result.file.store);
  out["store_state"] = result.store_state;
  out["data_rows"] = result.past ? result.past->evaluations.size() : 0;
  out["warnings"] = result.warnings;
  print_json(out);
}

}  // namespace

void add_check(CLI::App& app) {
  CLI::App* command = app.add_subcommand("check", "validate and explain a study file")->description(kAboutCheck);
  struct CheckArguments {
    std::string file;
    bool json = false;
  };
  const auto arguments = std::make_shared<CheckArguments>();
  command->add_option("FILE", arguments->file, "the study file")->required()->type_name("");
  command->add_flag("--json", arguments->json, "as one JSON object");
  command->callback([arguments] {
    const Check result = check_file(arguments->file);
    arguments->json ? print_check_as_json(result) : print_check(result);
  });
}

}  // namespace bocs::cli
