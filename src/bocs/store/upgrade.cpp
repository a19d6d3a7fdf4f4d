// Which tables a program meets, and how they become today's.

#include "bocs/store/upgrade.hpp"

#include <filesystem>

#include "bocs/base/error.hpp"
#include "bocs/store/older_tables.hpp"

namespace bocs {
namespace {

void check_not_newer(const std::string& url, int version) {
  if (version <= kSchemaVersion) return;
  throw StoreError(without_password(url) + " was written by a newer bocs: its tables have version " +
                   std::to_string(version) + ", this program knows up to " + std::to_string(kSchemaVersion) +
                   "; update bocs");
}

/// "stations.version2.db" of "stations.db", or, if that is taken, "stations.version2-2.db".
std::string new_name_beside(const std::filesystem::path& file, const std::string& mark) {
  for (int i = 1;; ++i) {
    std::filesystem::path name = file;
    name.replace_extension();
    name += "." + mark + (i == 1 ? "" : "-" + std::to_string(i)) + file.extension().string();
    if (!std::filesystem::exists(name)) return name.string();
  }
}

}  // namespace

std::unique_ptr<Connection> connect_to_tables(const std::string& url, const StoreOptions& options) {
  auto connection = connect(url, options);
  if (options.check) connection->check();
  const int version = schema_version(*connection);
  check_not_newer(url, version);
  if (version == 0 && !options.create) throw NothingStored(without_password(url) + " holds no studies");
  if (version == 0) migrate(*connection);
  return version == 0 || version == kSchemaVersion ? std::move(connection)
                                                   : look_at_older(std::move(connection), version);
}

Upgrade upgrade_store(const std::string& url, bool is_backed_up) {
  const auto connection = connect(url);
  Upgrade done;
  done.from = schema_version(*connection);
  if (done.from == 0) throw NothingStored(without_password(url) + " holds no studies");
  check_not_newer(url, done.from);
  if (done.from == done.to) return done;
  if (const auto file = sqlite_file(url)) {
    done.backup = new_name_beside(*file, "version" + std::to_string(done.from));
    connection->backup(done.backup);
  } else {
    require(is_backed_up, [&] {
      return without_password(url) + " has tables of version " + std::to_string(done.from) + ", now " +
             std::to_string(done.to) + ": first make a backup with pg_dump, then say so (--yes)";
    });
  }
  migrate(*connection);
  return done;
}

}  // namespace bocs
