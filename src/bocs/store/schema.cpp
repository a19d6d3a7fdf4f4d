// The tables, and how those of older versions become today's.

#include "bocs/base/error.hpp"
#include "bocs/store/connection.hpp"
#include "bocs/store/older_tables.hpp"

namespace bocs {
namespace {

/// Version 3: where a trial came from is in columns of its own; version 2 has it in the text `how` and in `order`, both
/// in `info`. Trials that were added on top of the budget are counted apart from it.
std::vector<std::string> version_3() {
  return {"ALTER TABLE bocs_trial ADD COLUMN origin TEXT NOT NULL DEFAULT 'proposed'",
          "ALTER TABLE bocs_trial ADD COLUMN member TEXT NOT NULL DEFAULT ''",
          "ALTER TABLE bocs_study ADD COLUMN extra BIGINT NOT NULL DEFAULT 0",
          "ALTER TABLE bocs_study ADD COLUMN data_rows BIGINT",  // null: version 2 did not count them
          // What was evaluated a second time, by a worker that was taken for dead.
          "CREATE TABLE bocs_late (study BIGINT NOT NULL REFERENCES bocs_study (id), number BIGINT NOT NULL,"
          " claim TEXT NOT NULL, state TEXT NOT NULL, value DOUBLE PRECISION, error TEXT NOT NULL,"
          " seconds DOUBLE PRECISION NOT NULL, metrics TEXT NOT NULL, worker TEXT NOT NULL,"
          " finished DOUBLE PRECISION NOT NULL, PRIMARY KEY (study, number, claim))",
          "UPDATE bocs_trial SET origin = " + origin_of_version_2() + ", member = " + member_of_version_2(),
          "UPDATE bocs_study SET extra = "
          "(SELECT COUNT(*) FROM bocs_trial WHERE study = bocs_study.id AND origin = 'imported')",
          "UPDATE bocs_study SET extra = 0 WHERE extra >= trials", "UPDATE bocs_study SET trials = trials - extra"};
}

/// What makes version i + 1 out of version i. Never edited once released: new versions are added at the end.
/// Times are seconds since 1970 by the database's clock; point, info, metrics and spec are JSON (store/json.hpp).
const std::vector<std::vector<std::string>> kMigrations = {
    {
        "CREATE TABLE bocs_study (id BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL,"
        " trials BIGINT NOT NULL, parallel BIGINT NOT NULL,"  // the budget (0: none), the cap on running trials (0:
                                                              // none)
        " next_trial BIGINT NOT NULL DEFAULT 0,"
        " revision BIGINT NOT NULL DEFAULT 0,"  // grows with every change of the study or its trials
        " created DOUBLE PRECISION NOT NULL)",
        "CREATE TABLE bocs_trial (study BIGINT NOT NULL REFERENCES bocs_study (id), number BIGINT NOT NULL,"
        " state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'complete', 'failed')),"
        " point TEXT, value DOUBLE PRECISION, error TEXT NOT NULL DEFAULT '', seconds DOUBLE PRECISION NOT NULL "
        "DEFAULT 0,"
        " metrics TEXT NOT NULL DEFAULT '{}', info TEXT NOT NULL DEFAULT '{}',"
        " revision BIGINT NOT NULL,"  // of the study, when the trial last changed
        " worker TEXT NOT NULL DEFAULT '', claim TEXT NOT NULL DEFAULT '', attempts BIGINT NOT NULL DEFAULT 0,"
        " claimed DOUBLE PRECISION, beat DOUBLE PRECISION, finished DOUBLE PRECISION,"
        " PRIMARY KEY (study, number))",
    },
    {
        "CREATE INDEX bocs_trial_state ON bocs_trial (study, state, number)",
        "CREATE INDEX bocs_trial_claim ON bocs_trial (study, claim)",
        "CREATE INDEX bocs_trial_revision ON bocs_trial (study, revision)",
    },
    version_3(),
    // A failed trial may wait again: those that were begun before this number were proposed knowing it as failed.
    {"ALTER TABLE bocs_trial ADD COLUMN retried BIGINT NOT NULL DEFAULT 0"},
    // For many workers: an index for each question that is asked of unfinished trials, which finished ones leave alone,
    // and the next number in one place only, the trials themselves. `beat IS NOT NULL` is true of all that run: it
    // keeps statements that do not say it, since they look for a claim, from reading all running trials.
    {
        "DROP INDEX bocs_trial_state",
        "CREATE INDEX bocs_trial_waiting ON bocs_trial (study, number) WHERE state = 'waiting'",
        "CREATE INDEX bocs_trial_running ON bocs_trial (study, worker) WHERE state = 'running' AND beat IS NOT NULL",
        "ALTER TABLE bocs_study DROP COLUMN next_trial",
    },
    // A complete trial may be struck: those that were begun before this number were proposed knowing it as complete.
    // `error` then says why.
    {"ALTER TABLE bocs_trial ADD COLUMN struck BIGINT NOT NULL DEFAULT 0"},
    // Tables of candidates, each once, and what people note beside a trial.
    {"CREATE TABLE bocs_candidates (hash TEXT PRIMARY KEY, content TEXT NOT NULL)",
     "ALTER TABLE bocs_trial ADD COLUMN remark TEXT NOT NULL DEFAULT ''"},
};

}  // namespace

int schema_version(Connection& connection) {
  if (!connection.has_table("bocs_schema")) return 0;
  const Rows rows = connection.execute("SELECT version FROM bocs_schema");
  return rows.empty() ? 0 : rows.front().whole(0, 0, 1'000'000);
}

void migrate(Connection& connection, int version) {
  connection.transaction([&] {
    connection.lock_schema();
    const int old = schema_version(connection);  // another process may have been faster
    if (old == 0) {
      connection.execute("CREATE TABLE bocs_schema (version BIGINT NOT NULL)");
      connection.execute("INSERT INTO bocs_schema (version) VALUES (0)");
    }
    for (int i = old; i < version; ++i) {
      for (const std::string& statement : kMigrations[i]) connection.execute(statement);
    }
    connection.execute("UPDATE bocs_schema SET version = $1 WHERE version < $1", {std::int64_t{version}});
  });
}

}  // namespace bocs
