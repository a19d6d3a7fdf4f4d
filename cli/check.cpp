#include <fmt/core.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <map>

#include "bocs/rule/feasible.hpp"
#include "bocs/study/command_process.hpp"
#include "bocs/study/csv.hpp"
#include "bocs/study/json_numbers.hpp"
#include "bocs/study/open_study.hpp"
#include "study_arguments.hpp"
#include "terminal.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutCheck = R"(Reads a study file and explains it: what would be run, where it would be stored.

Mistakes are named with file and line, what was found and what is allowed, and end with exit code 65; so does a program that
is not found here. A store that cannot be used from here, such as one in a folder that does not exist, ends with 69.)";

/// How long the first proposal with a model takes.
struct Proposing {
  std::optional<double> seconds;
  bool at_least = false;  // it was not waited for to the end
  int trials = 0;         // that it knew
};

struct Check {
  std::string name;  // of the file
  StudyFile file;
  double points = 0;  // allowed ones; infinity: not counted
  Proposing proposing;
  std::optional<PastData> past;
  std::string store_state;
  std::vector<std::string> warnings;
  std::vector<std::string> problems;  // for which it cannot be run here
  int exit_code = kOk;

  void refuse(int code, const std::string& problem) {
    problems.push_back(problem);
    if (exit_code == kOk) exit_code = code;
  }
};

std::string count_kinds(const Space& space) {
  std::vector<std::string> parts;  // structures one by one, in words; of the others how many there are
  std::map<std::string, int> counts;
  for (int v = 0; v < static_cast<int>(space.variables().size()); ++v) {
    const Variable& variable = space.variables()[static_cast<std::size_t>(v)];
    if (space.is_plain(v)) {
      ++counts[kind_of(variable)];
    } else {
      parts.push_back(described(variable));
    }
  }
  for (const char* kind : {"categorical", "real", "integer", "binary"}) {
    if (counts[kind] > 0) parts.insert(parts.begin(), fmt::format("{} {}", counts[kind], kind));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// The folder of a SQLite store, if it does not exist; else empty.
std::string missing_folder(const std::string& url) {
  const auto file = sqlite_file(url);
  if (!file) return "";
  const auto folder = std::filesystem::path(*file).parent_path();
  return folder.empty() || std::filesystem::is_directory(folder) ? "" : folder.string();
}

/// What the store says about the study now, without making anything.
std::string look_into_store(Check& result) {
  const StudyFile& file = result.file;
  std::vector<std::string>& warnings = result.warnings;
  try {
    const auto study = find_study(file.store, file.spec.name);
    if (!study) {
      const std::string folder = missing_folder(file.store);
      if (!folder.empty()) result.refuse(kUnavailable, "the folder of the store does not exist: " + folder);
      return folder.empty() ? "the study is not there yet" : "not usable";
    }
    const std::string different = differences(study->spec(), file.spec);
    if (study->table().is_outdated()) {
      warnings.push_back("an older bocs wrote the store; before it is run: bocs upgrade " + result.name);
    }
    if (!different.empty()) result.refuse(kBadData, "the store holds a study of this name with other " + different);
    return "the study is there, with " + counted(study->history().size(), "trial");
  } catch (const StoreUnavailable& error) {
    warnings.emplace_back(error.what());
    return "not reachable now";
  } catch (const StoreError& error) {
    result.refuse(kUnavailable, error.what());
    return "not usable";
  }
}

constexpr int kLongestProposal = 5;  // seconds we wait for one

/// Times a proposal after the initial points, with made-up values, in a process of its own that can be ended.
Proposing time_a_proposal(const StudyFile& file) {
  const Task& task = file.spec.task;
  Proposing result;
  result.trials = std::max(2, file.method->initial_points(file.spec.task));
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return result;
  const pid_t child = fork();
  if (child == 0) {
    try {
      History history;
      for (int i = 0; i < result.trials; ++i) {
        Trial trial;
        trial.number = i;
        trial.state = State::complete;
        trial.x = next_proposal(*file.method, task, history, i).x;
        trial.y = Rng(task.seed, "check", static_cast<std::uint64_t>(i)).normal();
        history.add(std::move(trial));
      }
      const std::clock_t start = std::clock();  // of the processor: others may be busy here
      (void)next_proposal(*file.method, task, history, result.trials);
      const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      (void)!write(ends[1], &seconds, sizeof seconds);
    } catch (...) {  // no such point is left: nothing to time
    }
    _exit(0);
  }
  close(ends[1]);
  pollfd answer{ends[0], POLLIN, 0};
  double seconds = 0;
  result.at_least = child > 0 && poll(&answer, 1, 1000 * kLongestProposal) == 0;
  if (!result.at_least && read(ends[0], &seconds, sizeof seconds) == sizeof seconds) result.seconds = seconds;
  close(ends[0]);
  if (child > 0) {
    kill(child, SIGKILL);
    rusage usage{};
    wait4(child, nullptr, 0, &usage);
    const auto spent = static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
    if (result.at_least) result.seconds = spent;
  }
  return result;
}

Check check_file(const std::string& name) {
  Check result{name, load_file(name), 0, {}, {}, {}, {}, {}};
  const StudyFile& file = result.file;
  const Task& task = file.spec.task;
  const auto points =
      task.constraints.empty() ? std::optional(std::exp2(task.space.log2_size())) : task.constraints.feasible().count();
  result.points = points.value_or(std::numeric_limits<double>::infinity());
  const auto& arguments = file.spec.objective.command;
  if (!file.data.empty()) result.past = as_data([&] { return read_csv(file.data, task, file.nearest); });
  if (arguments.empty()) {
    result.warnings.emplace_back("there is no [objective] command: only ask and tell will work");
  } else if (arguments.front().find('{') == std::string::npos &&
             !find_program(arguments.front(), file.folder.string())) {
    const bool has_space = arguments.front().find(' ') != std::string::npos;
    const char* hint = has_space ? "; program and arguments are texts of their own: [\"sh\", \"run.sh\"]" : "";
    result.refuse(kBadData,
                  fmt::format("the program '{}' is not found here, or may not be executed{}", arguments.front(), hint));
  }
  if (file.spec.trials > result.points) {
    result.warnings.push_back(result.points == 1
                                  ? "there is only 1 point: fewer than trials"
                                  : fmt::format("there are only {:.0f} points: fewer than trials", result.points));
  }
  const int initial = file.method->initial_points(file.spec.task);
  if (file.spec.trials <= initial) {
    result.warnings.push_back(
        fmt::format("all {} trials are initial points: nothing is left for the model; raise trials, or lower initial",
                    file.spec.trials));
  }
  if (file.spec.trials > initial) result.proposing = time_a_proposal(file);
  result.store_state = look_into_store(result);
  return result;
}

void print_check(const Check& result) {
  const StudySpec& spec = result.file.spec;
  const Space& space = spec.task.space;
  const auto line = [](const char* head, const std::string& text) { fmt::print("{:<13}{}\n", head, harmless(text)); };
  const std::string aim =
      spec.task.goals.empty() ? std::string(word_of(spec.sense)) : counted(spec.task.goals.size(), "goal");
  line("study", fmt::format("{}: {}, {} trials, seed {}", spec.name, aim, spec.trials, spec.task.seed));
  line("variables", fmt::format("{}: {}", space.dimension(), count_kinds(space)));
  const std::string uncounted =
      fmt::format("{}2^{:.4g}", spec.task.constraints.empty() ? "" : "some of ", space.log2_size());
  if (const Candidates* candidates = spec.task.constraints.candidates()) {
    const auto carried = candidates->carried().size();
    line("candidates", fmt::format("{}{}", counted(candidates->size(), "row"),
                                   carried == 0 ? "" : ", " + counted(carried, "column") + " carried along"));
  }
  line("points", std::isfinite(result.points) ? fmt::format("{:.6g}", result.points) : uncounted);
  if (!spec.task.constraints.list().empty()) {
    const auto& list = spec.task.constraints.list();
    line("constraints", fmt::format("{}, which can be satisfied", list.size()));
    for (const auto& constraint : list) line("", shortened(constraint.text, 100));
  }
  for (const auto& text : goal_texts(spec.task)) line("goal", text);
  for (const auto& limit : spec.task.outcomes) line("outcome", to_string(limit));
  if (spec.task.l1 > 0) line("penalty", fmt::format("{:.6g} |x|", spec.task.l1));
  if (spec.task.l2 > 0) line("penalty", fmt::format("{:.6g} |x|^2", spec.task.l2));
  line("method", spec.method);
  const int initial = std::min(result.file.method->initial_points(result.file.spec.task), spec.trials);
  if (initial > 0) line("initial", counted(initial, "point") + " before the model takes over");
  if (result.proposing.seconds) {
    line("proposal",
         fmt::format("takes {}{} of computing after {}", result.proposing.at_least ? "more than " : "about ",
                     shown_duration(*result.proposing.seconds), counted(result.proposing.trials, "trial")));
  }
  if (!spec.objective.command.empty()) {
    std::string text;
    for (const auto& argument : spec.objective.command) text += (text.empty() ? "" : " ") + argument;
    line("objective", shortened(text, 100) + (spec.objective.keep_alive ? " (stays up)" : ""));
    const double timeout = spec.objective.timeout_seconds;
    line("", fmt::format("{}, {} {}, {}, {}", timeout > 0 ? "at most " + shown_duration(timeout) : "no time-out",
                         spec.objective.retries, spec.objective.retries == 1 ? "retry" : "retries",
                         counted(spec.attempts, "attempt"),
                         spec.parallel > 0 ? fmt::format("{} at once", spec.parallel) : "one worker in `bocs run`"));
  }
  if (result.past) {
    const int moved = result.past->moved;
    line("data", fmt::format("{}: {} evaluations, {} rows without a value{}", result.file.data.filename().string(),
                             result.past->evaluations.size(), result.past->skipped,
                             moved == 0 ? "" : fmt::format(", {} values moved to the grid", moved)));
  }
  line("store", without_password(result.file.store) + ": " + result.store_state);
  for (const auto& warning : result.warnings) line("warning", warning);
  for (const auto& problem : result.problems) line("problem", problem);
  if (!spec.objective.command.empty() && result.problems.empty()) {
    line("next", fmt::format("bocs try {0} evaluates one point and stores nothing; bocs run {0}", result.name));
  }
}

void print_check_as_json(const Check& result) {
  const StudySpec& spec = result.file.spec;
  Json out = {{"study", spec.name},
              {"direction", word_of(spec.sense)},
              {"trials", spec.trials},
              {"seed", spec.task.seed},
              {"variables", spec.task.space.dimension()}};
  out["points"] = known(result.points);
  out["constraints"] = Json::array();
  for (const auto& constraint : spec.task.constraints.list()) out["constraints"].push_back(constraint.text);
  out["goals"] = goal_texts(spec.task);
  out["outcomes"] = Json::array();
  for (const auto& limit : spec.task.outcomes) out["outcomes"].push_back(to_string(limit));
  out["method"] = spec.method;
  out["initial"] = result.file.method->initial_points(result.file.spec.task);
  out["proposal_seconds"] = result.proposing.seconds ? Json(*result.proposing.seconds) : Json(nullptr);
  out["command"] = spec.objective.command;
  out["store"] = without_password(result.file.store);
  out["store_state"] = result.store_state;
  out["data_rows"] = result.past ? result.past->evaluations.size() : 0;
  out["warnings"] = result.warnings;
  out["problems"] = result.problems;
  print_json(out);
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* command = add_command(app, "check", "validate and explain a study file", kAboutCheck);
  struct CheckArguments {
    std::string file;
    bool json = false;
  };
  const auto arguments = std::make_shared<CheckArguments>();
  command->add_option("FILE", arguments->file, "the study file")->required()->type_name("");
  command->add_flag("--json", arguments->json, "as one JSON object");
  command->callback([arguments, &exit_code] {
    const Check result = check_file(arguments->file);
    arguments->json ? print_check_as_json(result) : print_check(result);
    flush_output();
    if (!result.problems.empty()) warn("bocs: it cannot be run here: " + result.problems.front());
    exit_code = result.exit_code;
  });
}

}  // namespace bocs::cli
