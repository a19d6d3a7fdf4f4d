#include <fmt/core.h>

#include "bocs/store/upgrade.hpp"
#include "study_arguments.hpp"
#include "terminal.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutUpgrade =
    R"(Brings a store that an older bocs wrote to today's version, after a copy of it as it was:

  bocs upgrade study.toml
  bocs upgrade --store sqlite:studies.db

Commands that only look (best, trials, explain, export, report, studies, check, dashboard) read an older store as it is and
change nothing; those that change it ask for this command. The copy lies beside the store (studies.version2.db) and is a
store like any other. Stop the workers of the older bocs first: they cannot go on with the new tables. Of a PostgreSQL
store make a backup with pg_dump yourself, then say so with --yes.)";

struct UpgradeArguments {
  std::string file, store;
  bool is_backed_up = false;
  bool json = false;
};

void upgrade(const UpgradeArguments& arguments) {
  require(arguments.file.empty() != arguments.store.empty(), "name the store by a study FILE, or by --store URL");
  const std::string url = arguments.file.empty() ? arguments.store : store_of(arguments.file);
  const Upgrade done = upgrade_store(url, arguments.is_backed_up);
  const std::string shown = without_password(url);
  if (arguments.json) {
    print_json({{"store", shown},
                {"from", done.from},
                {"to", done.to},
                {"backup", done.backup.empty() ? Json(nullptr) : Json(done.backup)}});
  } else if (done.from == done.to) {
    fmt::print("{} is of today's version ({}) already\n", shown, done.to);
  } else {
    fmt::print("{} is upgraded from version {} to {}{}\n", shown, done.from, done.to,
               done.backup.empty() ? "" : "; as it was, it is in " + harmless(done.backup));
  }
}

}  // namespace

void add_upgrade(CLI::App& app) {
  CLI::App* command = add_command(app, "upgrade", "bring an older store to today's version", kAboutUpgrade);
  const auto arguments = std::make_shared<UpgradeArguments>();
  command->add_option("FILE", arguments->file, "the study file, or the SQLite file; or else --store")->type_name("");
  command->add_option("--store", arguments->store, "sqlite:FILE or postgresql://USER@HOST/DATABASE")->type_name("URL");
  command->add_flag("--yes", arguments->is_backed_up, "PostgreSQL: a backup was made");
  command->add_flag("--json", arguments->json, "as one JSON object");
  command->callback([arguments] { upgrade(*arguments); });
}

}  // namespace bocs::cli
