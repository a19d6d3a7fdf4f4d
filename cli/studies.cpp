#include <fmt/core.h>

#include "study_arguments.hpp"
#include "terminal.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kListAbout = R"(Lists the studies of a store, and below them who works on them now:

  bocs studies --store sqlite:stations.db
  bocs studies stations.db)";

/// "host/4711" of a worker's name.
std::string shown_worker(const std::string& name) {
  const auto host_end = name.find('/');
  return name.substr(0, host_end == std::string::npos ? host_end : name.find('/', host_end + 1));
}

std::string activity(const Claim& claim) {
  const std::string at = claim.proposed ? fmt::format("evaluates trial {}", claim.number)
                                        : fmt::format("chooses the point of trial {}", claim.number);
  const std::string heard = claim.gone ? ", but has ended"
                            : claim.silent_seconds > 15
                                ? fmt::format(", last heard of {} ago", shown_duration(claim.silent_seconds))
                                : "";
  return fmt::format("{}, for {}{}", at, shown_duration(claim.seconds), heard);
}

constexpr const char* kDeleteAbout = R"(Removes a study and all its trials from its store, for good.

Without --yes it only says what would be removed.)";

void list_studies(const std::string& url, bool json) {
  Store store(url);
  std::vector<Line> rows, workers;
  for (const auto& study : store.list()) {
    const auto claims = study.running > 0 ? store.open(study.spec.name).table().claims() : std::vector<Claim>();
    Json claims_json = Json::array();
    for (const auto& claim : claims) {
      claims_json.push_back({{"worker", claim.worker.empty() ? Json(nullptr) : Json(shown_worker(claim.worker))},
                             {"trial", claim.number},
                             {"seconds", claim.seconds},
                             {"silent_seconds", claim.silent_seconds},
                             {"evaluates", claim.proposed},
                             {"gone", claim.gone}});
      workers.push_back(
          {study.spec.name, claim.worker.empty() ? "by hand" : shown_worker(claim.worker), activity(claim)});
    }
    const bool maximize = study.spec.sense == Sense::maximize;
    if (json) {
      print_json({{"study", study.spec.name},
                  {"direction", word_of(study.spec.sense)},
                  {"method", study.spec.method},
                  {"variables", study.spec.task.space.dimension()},
                  {"trials", study.budget},
                  {"past", study.past},
                  {"complete", study.complete},
                  {"failed", study.failed},
                  {"running", study.running},
                  {"waiting", study.waiting},
                  {"best", study.best ? Json(*study.best) : Json(nullptr)},
                  {"workers", claims_json}});
      continue;
    }
    const std::string budget =
        study.past == 0 ? std::to_string(study.budget) : fmt::format("{} + {} past", study.spec.trials, study.past);
    rows.push_back({study.spec.name, maximize ? "max" : "min", std::to_string(study.spec.task.space.dimension()),
                    study.spec.method, budget, std::to_string(study.complete), std::to_string(study.failed),
                    std::to_string(study.running), std::to_string(study.waiting),
                    study.best ? shown_number(*study.best) : ""});
  }
  if (!json) {
    print_table({"study", "sense", "variables", "method", "budget", "complete", "failed", "running", "waiting", "best"},
                rows);
  }
  if (!json && !workers.empty()) {
    fmt::print("\n");
    print_table({"study", "worker", "what it does"}, workers);
  }
}

struct DeleteArguments : StudyCommand {
  bool sure = false;
};

void delete_study(const DeleteArguments& arguments) {
  const auto place = arguments.study.place();
  Store store(place.url);
  const int trials = store.open(place.name).history().size();
  const std::string what =
      fmt::format("study {} with {} trials in {}", harmless(place.name), trials, store.shown_url());
  require(arguments.sure, [&] { return what + " would be removed for good: say so with --yes"; });
  store.remove(place.name);
  if (arguments.json) {
    print_json({{"study", place.name}, {"store", store.shown_url()}, {"removed", trials}});
  } else {
    fmt::print("{} is removed\n", what);
  }
}

}  // namespace

void add_studies(CLI::App& app) {
  CLI::App* command = add_command(app, "studies", "list the studies of a store", kListAbout);
  struct StudiesArguments {
    std::string file, store;
    bool json = false;
  };
  const auto arguments = std::make_shared<StudiesArguments>();
  command->add_option("FILE", arguments->file, "a SQLite file, or a study file, whose store is meant; or else --store")
      ->type_name("");
  command->add_option("--store", arguments->store, "sqlite:FILE or postgresql://USER@HOST/DATABASE")->type_name("URL");
  command->add_flag("--json", arguments->json, "one JSON object per line");
  command->callback([arguments] {
    require(arguments->file.empty() != arguments->store.empty(), "name the store by --store URL, or by a FILE");
    list_studies(arguments->file.empty() ? arguments->store : store_of(arguments->file), arguments->json);
  });
}

void add_delete(CLI::App& app) {
  const auto [command, arguments] = add_study_command<DeleteArguments>(
      app, "delete", "remove a study from its store", kDeleteAbout, "as one JSON object", delete_study);
  command->add_flag("--yes", arguments->sure, "yes, remove it");
}

}  // namespace bocs::cli
