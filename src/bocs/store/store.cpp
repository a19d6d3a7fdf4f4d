#include "bocs/store/store.hpp"

#include <filesystem>

#include "bocs/base/error.hpp"
#include "bocs/store/json.hpp"
#include "bocs/store/older_tables.hpp"
#include "bocs/store/process.hpp"

namespace bocs {
namespace {

/// Random, so that a worker of a removed study never meets another study under the same number.
std::int64_t new_id() { return static_cast<std::int64_t>(random_bits() >> 1); }

/// The spec as it is now: the budget and the cap may have been amended; that of a paused study is in its text.
StudySpec to_spec(const std::string& json, std::int64_t trials, std::int64_t parallel) {
  StudySpec spec = spec_from_json(json);
  spec.trials = static_cast<int>(trials);
  if (parallel >= 0) spec.parallel = static_cast<int>(parallel);
  return spec;
}

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

Store::Store(const std::string& url, const StoreOptions& options)
    : shown_url_(without_password(url)), connection_(connect_to_tables(url, options)) {}

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

Study Store::create(const StudySpec& wanted, std::shared_ptr<const Method> method) {
  wanted.check();
  StudySpec spec = wanted;
  if (spec.task.trials == 0)
    spec.task.trials = spec.trials;  // fixed from now on: the budget may change, proposals may not
  if (!method) method = make_method(spec);
  const Rows rows = connection_->execute(
      "INSERT INTO bocs_study (id, name, spec, trials, parallel, created) VALUES ($1, $2, $3, $4, $5, " +
          std::string(connection_->now()) + ") ON CONFLICT (name) DO NOTHING RETURNING id",
      {new_id(), spec.name, spec_to_json(spec), std::int64_t{spec.trials}, std::int64_t{spec.parallel}});
  require(!rows.empty(), [&] { return "there is a study '" + spec.name + "' already in " + shown_url_; });
  return {connection_, rows.front().integer(0), spec, std::move(method)};
}

std::optional<Study> Store::find(const std::string& name, std::shared_ptr<const Method> method) {
  const Rows rows = connection_->execute("SELECT id, spec, trials, parallel FROM bocs_study WHERE name = $1", {name});
  if (rows.empty()) return std::nullopt;
  const Row& row = rows.front();
  Study study(connection_, row.integer(0), to_spec(row.text(1), row.integer(2), row.integer(3)), std::move(method));
  study.refresh();
  return study;
}

Study Store::open(const std::string& name) {
  auto found = find(name, nullptr);
  require(found.has_value(), [&] {
    std::string names;
    for (const Row& row : connection_->execute("SELECT name FROM bocs_study ORDER BY name LIMIT 20")) {
      names += (names.empty() ? "" : ", ") + row.text(0);
    }
    return "there is no study '" + name + "' in " + shown_url_ +
           (names.empty() ? "; there is none at all" : "; there are " + names);
  });
  return std::move(*found);
}

Study Store::save(const StudySpec& spec, const History& history) {
  Study study = create(spec);
  study.adopt(history);
  return study;
}

Study Store::open_or_create(const StudySpec& spec, std::shared_ptr<const Method> method) {
  auto study = find(spec.name, method);
  if (!study) {
    try {
      return create(spec, method);
    } catch (const InvalidArgument&) {  // unless another process was faster
      study = find(spec.name, method);
      if (!study) throw;
    }
  }
  const std::string different = differences(study->spec(), spec);
  require(different.empty(), [&] {
    return shown_url_ + " already holds a study '" + spec.name + "' with other " + different +
           ". To keep its results, export them (bocs export -o past.csv), then give this study another name and data = "
           "\"past.csv\"; to lose them: bocs delete";
  });
  return std::move(*study);
}

bool Store::contains(const std::string& name) {
  return !connection_->execute("SELECT 1 FROM bocs_study WHERE name = $1", {name}).empty();
}

std::vector<StudySummary> Store::list() {
  std::vector<StudySummary> studies;
  for (const Row& row :
       connection_->execute("SELECT id, spec, trials, parallel, created, extra FROM bocs_study ORDER BY name")) {
    StudySummary study{to_spec(row.text(1), row.integer(2), row.integer(3))};
    study.past = static_cast<int>(row.integer(5));
    study.budget = study.spec.trials == 0 ? 0 : study.spec.trials + study.past;
    study.paused = row.integer(3) < 0;
    study.created = row.real(4);
    for (const Row& counts : connection_->execute("SELECT CASE WHEN struck > 0 THEN 'struck' ELSE state END, COUNT(*), "
                                                  "MIN(value) FROM bocs_trial WHERE study = "
                                                  "$1 GROUP BY 1",
                                                  {row.integer(0)})) {
      const auto count = static_cast<int>(counts.integer(1));
      switch (value_from_store<State>(counts.text(0))) {
        case State::waiting:
          study.waiting = count;
          break;
        case State::running:
          study.running = count;
          break;
        case State::complete:
          study.complete = count;
          if (study.spec.task.outcomes.empty()) study.best = oriented(study.spec.sense, counts.real(2));
          break;
        case State::failed:
          study.failed = count;
          break;
        case State::struck:
          study.struck = count;
          break;
      }
    }
    studies.push_back(std::move(study));
  }
  return studies;
}

bool Store::is_writable() {
  try {
    connection_->transaction([&] { connection_->execute("UPDATE bocs_schema SET version = version"); });
    return true;
  } catch (const StoreUnavailable&) {
    throw;
  } catch (const StoreError&) {
    return false;
  }
}

void Store::remove(const std::string& name) {
  connection_->transaction([&] {
    const Rows rows =
        connection_->execute("UPDATE bocs_study SET revision = revision + 1 WHERE name = $1 RETURNING id", {name});
    require(!rows.empty(), [&] { return "there is no study '" + name + "' in " + shown_url_; });
    connection_->execute("DELETE FROM bocs_late WHERE study = $1", {rows.front().integer(0)});
    connection_->execute("DELETE FROM bocs_trial WHERE study = $1", {rows.front().integer(0)});
    connection_->execute("DELETE FROM bocs_study WHERE id = $1", {rows.front().integer(0)});
  });
}

}  // namespace bocs
