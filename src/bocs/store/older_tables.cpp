#include "bocs/store/older_tables.hpp"

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

struct Mark {
  std::string value;
  std::string text;  // in `info`
};

std::string case_of(const std::vector<Mark>& marks, const std::string& otherwise) {
  std::string sql = "CASE";
  for (const Mark& mark : marks) sql += " WHEN info LIKE '%" + mark.text + "%' THEN '" + mark.value + "'";
  return sql + " ELSE '" + otherwise + "' END";
}

/// The tables of an older version as queries with today's columns, without those that nobody reads.
struct Views {
  std::string study, trial, late;
};

Views views_of(int version) {
  const bool second = version < 3;
  Views views;
  views.trial =
      "(SELECT study, number, state, point, value, error, seconds, metrics, info, revision, worker, claim, attempts, "
      "claimed, beat, finished, " +
      (second ? origin_of_version_2() + " AS origin, " + member_of_version_2() + " AS member" : "origin, member") +
      (version < 4 ? ", 0 AS retried" : ", retried") + (version < 6 ? ", 0 AS struck" : ", struck") +
      ", '' AS remark FROM bocs_trial) AS bocs_trial";
  if (!second) return {"bocs_study", views.trial, "bocs_late"};
  // As the migration to version 3 does it: what was added counts apart from the budget, unless that would leave
  // nothing.
  views.study =
      "(SELECT id, name, spec, parallel, revision, created, trials - extra AS trials, extra FROM "
      "(SELECT id, name, spec, parallel, revision, created, trials, CASE WHEN added < trials THEN added "
      "ELSE 0 END AS extra FROM (SELECT id, name, spec, parallel, revision, created, trials, (SELECT COUNT(*) FROM "
      "bocs_trial WHERE study = bocs_study.id AND " +
      origin_of_version_2() + " = 'imported') AS added FROM bocs_study) AS counted) AS divided) AS bocs_study";
  views.late =
      "(SELECT 0 AS study, 0 AS number, '' AS worker, '' AS state, 0.0 AS value, '' AS error, 0.0 AS seconds, '' AS "
      "metrics, 0.0 AS finished WHERE 1 = 0) AS bocs_late";
  return views;
}

class OlderTables : public Connection {
 public:
  OlderTables(std::unique_ptr<Connection> connection, int version)
      : Connection(connection->url()), connection_(std::move(connection)), version_(version) {
    const Views views = views_of(version);
    tables_ = {{"FROM bocs_study", views.study}, {"FROM bocs_trial", views.trial}, {"FROM bocs_late", views.late}};
  }

  using Connection::execute;
  Rows execute(std::string_view sql, std::span<const SqlValue> arguments) override {
    if (!sql.starts_with("SELECT")) refuse();
    connection_->give_up_when([this] { return is_given_up(); });
    return connection_->execute(translated(sql), arguments);
  }
  std::vector<Rows> execute_together(Commit /*commit*/, std::span<const Statement> /*statements*/) override {
    refuse();
  }
  using Connection::transaction;
  void transaction(Commit /*commit*/, const std::function<void()>& /*body*/) override { refuse(); }
  [[nodiscard]] std::string_view now() const override { return connection_->now(); }
  bool has_table(const std::string& name) override { return connection_->has_table(name); }
  void backup(const std::string& file) override { connection_->backup(file); }
  void lock_schema() override { refuse(); }
  [[nodiscard]] std::string_view wait_in_line() const override { return connection_->wait_in_line(); }

 private:
  [[noreturn]] void refuse() const {
    const std::string shown = without_password(url());
    throw StoreOutdated(shown + " was written by an older bocs (tables of version " + std::to_string(version_) +
                        ", now " + std::to_string(kSchemaVersion) +
                        "): it can be looked at as it is; to change it, first: bocs upgrade --store " + shown);
  }

  [[nodiscard]] std::string translated(std::string_view sql) const {
    std::string result;
    while (!sql.empty()) {
      std::size_t next = sql.size(), length = 0;
      const std::string* view = nullptr;
      for (const auto& [table, query] : tables_) {
        if (const std::size_t at = sql.find(table); at < next) {
          next = at;
          length = table.size();
          view = &query;
        }
      }
      result += sql.substr(0, next);
      if (view != nullptr) result += "FROM " + *view;
      sql.remove_prefix(next + length);
    }
    return result;
  }

  std::unique_ptr<Connection> connection_;
  int version_;
  std::vector<std::pair<std::string, std::string>> tables_;  // "FROM bocs_trial" -> what is read instead
};

}  // namespace

std::string origin_of_version_2() {
  return case_of({{"initial", R"("how":"initial design")"},
                  {"enqueued", R"("how":"enqueued")"},
                  {"imported", R"("how":"told without asking")"}},
                 "proposed");
}

std::string member_of_version_2() {
  std::vector<Mark> marks;
  for (const std::string order : {"8", "7", "6", "5", "4", "3", "2", "1"}) {
    marks.push_back({"order " + order, R"("order":)" + order + ","});
  }
  marks.push_back({"again", R"("how":"measured again)"});
  marks.push_back({"ei", R"("how":"expected improvement")"});
  return case_of(marks, "");
}

std::unique_ptr<Connection> look_at_older(std::unique_ptr<Connection> connection, int version) {
  return std::make_unique<OlderTables>(std::move(connection), version);
}

}  // namespace bocs
