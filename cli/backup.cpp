#include <fmt/core.h>

#include "study_arguments.hpp"
#include "terminal.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutBackup =
    R"(All studies of the store go into a new file of SQLite, while others go on with them. A
copy of the .db file alone, as by cp, lacks what is still in the -wal file beside it.

  bocs backup study.toml --output monday.db
  bocs backup --store sqlite:studies.db --output monday.db

The copy is a store like any other: sqlite:monday.db. A store of PostgreSQL is backed up by
PostgreSQL's own pg_dump.)";

struct BackupArguments {
  std::string file, store, output;
};

void back_up(const BackupArguments& arguments) {
  require(arguments.file.empty() != arguments.store.empty(), "name the store by a study FILE, or by --store URL");
  const std::string url = arguments.file.empty() ? arguments.store : store_of(arguments.file);
  Store(url).backup(arguments.output);
  fmt::print("{} is a copy of {}\n", harmless(arguments.output), without_password(url));
}

}  // namespace

void add_backup(CLI::App& app) {
  CLI::App* command = add_command(app, "backup", "a copy of a store, while it is in use", kAboutBackup);
  const auto arguments = std::make_shared<BackupArguments>();
  command
      ->add_option("FILE", arguments->file, "the study file whose store is copied, or the SQLite file; or else --store")
      ->type_name("");
  command->add_option("--store", arguments->store, "sqlite:FILE")->type_name("URL");
  command->add_option("-o,--output", arguments->output, "the file to write; it must not be there yet")
      ->type_name("FILE")
      ->required();
  command->callback([arguments] { back_up(*arguments); });
}

}  // namespace bocs::cli
