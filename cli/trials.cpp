#include <fmt/core.h>

#include "bocs/store/json.hpp"
#include "command.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAbout = R"(Lists the trials of a study.

With --verify every proposal is computed again from what was known when it was made, the trials that were running then
included, and compared with what is stored: same study, same history, same point, on the same kind of machine. Exit code
65 if one differs.)";

struct Arguments {
  StudyArguments study;
  bool verify = false;
  bool json = false;
};

/// "same", "differs", or nothing for points that were not proposed.
std::string verdict(const Study& study, const Trial& trial) {
  if (is_imported(trial) || trial.info.how == "enqueued") return "";
  return study.replay(trial).x == trial.x ? "same" : "differs";
}

int list_trials(const Arguments& arguments) {
  Study study = arguments.study.open();
  const Space& space = study.task().space;
  const bool penalized = is_penalized(study);
  std::vector<std::vector<std::string>> rows;
  int same = 0, different = 0;
  for (const auto& trial : study.history().trials()) {
    const std::string verified = arguments.verify ? verdict(study, trial) : "";
    same += verified == "same" ? 1 : 0;
    different += verified == "differs" ? 1 : 0;
    if (arguments.json) {
      Json out = to_json(study, trial);
      if (arguments.verify) out["verified"] = verified.empty() ? Json(nullptr) : Json(verified == "same");
      print_json(out);
      continue;
    }
    const bool complete = trial.state == State::complete;
    rows.push_back({std::to_string(trial.number), to_string(trial.state),
                    complete ? shown_number(study.shown(trial.y)) : "",
                    trial.state == State::running ? "" : fmt::format("{:.3g}", trial.seconds),
                    describe_point(space, trial.x), trial.state == State::failed ? trial.error : trial.info.how});
    if (penalized) rows.back().insert(rows.back().begin() + 3, complete ? shown_number(study.value(trial)) : "");
    if (arguments.verify) rows.back().push_back(verified);
  }
  if (!arguments.json) {
    std::vector<std::string> header{"trial", "state", "value", "seconds", "point", "how, or why not"};
    if (penalized) header.insert(header.begin() + 3, "with penalty");
    if (arguments.verify) header.emplace_back("verified");
    print_table(header, rows);
    for (const auto& claim : study.claims()) {
      fmt::print("trial {} runs for {:.0f} s, {}\n", claim.number, claim.seconds,
                 claim.worker.empty() ? "asked for by hand"
                 : claim.gone         ? "but its worker has ended"
                                      : fmt::format("last heard of {:.0f} s ago", claim.silent_seconds));
    }
    if (arguments.verify) fmt::print("{} proposals are the same again, {} differ\n", same, different);
  }
  return different == 0 ? kOk : kBadData;
}

}  // namespace

void add_trials(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("trials", "list the trials of a study")->description(kAbout);
  const auto arguments = std::make_shared<Arguments>();
  arguments->study.add_to(*command);
  command->add_flag("--verify", arguments->verify, "compute every proposal again and compare");
  command->add_flag("--json", arguments->json, "one JSON object per line");
  command->callback([arguments, &exit_code] { exit_code = list_trials(*arguments); });
}

}  // namespace bocs::cli
