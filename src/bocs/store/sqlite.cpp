// SQLite: one file, any number of processes of one machine.

#include <sqlite3.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "bocs/core/error.hpp"
#include "bocs/store/connection.hpp"

namespace bocs {
namespace {

class SqliteConnection : public Connection {
 public:
  SqliteConnection(const std::string& file, const StoreOptions& options) : Connection("sqlite:" + file), file_(file) {
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE | (options.create ? SQLITE_OPEN_CREATE : 0);
    const int code = sqlite3_open_v2(file_.c_str(), &database_, flags, nullptr);
    try {
      if (code != SQLITE_OK) fail(code);
      busy_seconds_ = options.busy_seconds;
      sqlite3_busy_timeout(database_, static_cast<int>(1000 * busy_seconds_));
      use_write_ahead_log();
      execute("PRAGMA foreign_keys = ON", {});
    } catch (...) {
      sqlite3_close(database_);
      throw;
    }
  }
  ~SqliteConnection() override { sqlite3_close(database_); }
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;

  using Connection::execute;
  Rows execute(std::string_view sql, std::span<const Value> arguments) override {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(database_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr));
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> owner(statement, &sqlite3_finalize);
    for (std::size_t i = 0; i < arguments.size(); ++i) bind(statement, i, arguments[i]);
    Rows rows;
    for (;;) {
      const int code = sqlite3_step(statement);
      if (code == SQLITE_DONE) return rows;
      if (code != SQLITE_ROW) fail(code);
      std::vector<Value> values;
      for (int column = 0; column < sqlite3_column_count(statement); ++column) {
        values.push_back(read(statement, column));
      }
      rows.emplace_back(std::move(values));
    }
  }

  using Connection::transaction;
  void transaction(Commit commit, const std::function<void()>& body) override {
    execute(commit == Commit::durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    execute("BEGIN IMMEDIATE");  // the right to write is waited for here, not in the middle
    try {
      body();
      execute("COMMIT");
    } catch (...) {
      if (sqlite3_get_autocommit(database_) == 0) sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
      throw;
    }
  }

  [[nodiscard]] std::string_view now() const override { return "((julianday('now') - 2440587.5) * 86400.0)"; }
  bool has_table(const std::string& name) override {
    return !execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1", {name}).empty();
  }
  void lock_schema() override {}  // BEGIN IMMEDIATE did it

 private:
  /// Readers and one writer at a time do not disturb each other. Switching a file over needs it for a moment alone, and
  /// SQLite's own waiting does not cover that.
  void use_write_ahead_log() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(busy_seconds_);
    for (;;) {
      try {
        if (execute("PRAGMA journal_mode").front().text(0) == "wal") return;
        execute("PRAGMA journal_mode = WAL");
        return;
      } catch (const StoreUnavailable&) {
        if (std::chrono::steady_clock::now() > deadline) throw;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    }
  }

  void bind(sqlite3_stmt* statement, std::size_t i, const Value& value) {
    const int index = sqlite3_bind_parameter_index(statement, ("$" + std::to_string(i + 1)).c_str());
    if (index == 0) throw StoreError("a statement does not use its parameter $" + std::to_string(i + 1));
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
      check(sqlite3_bind_int64(statement, index, *whole));
    } else if (const auto* real = std::get_if<double>(&value)) {
      check(sqlite3_bind_double(statement, index, *real));
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      check(sqlite3_bind_text(statement, index, text->data(), static_cast<int>(text->size()), SQLITE_TRANSIENT));
    } else {
      check(sqlite3_bind_null(statement, index));
    }
  }

  static Value read(sqlite3_stmt* statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
      case SQLITE_INTEGER:
        return std::int64_t{sqlite3_column_int64(statement, column)};
      case SQLITE_FLOAT:
        return sqlite3_column_double(statement, column);
      case SQLITE_NULL:
        return nullptr;
      default:
        break;
    }
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
    return std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
  }

  void check(int code) {
    if (code != SQLITE_OK) fail(code);
  }

  [[noreturn]] void fail(int code) {
    const std::string said = database_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database_);
    switch (code & 0xff) {
      case SQLITE_BUSY:
      case SQLITE_LOCKED:
      case SQLITE_PROTOCOL:  // many opened or recovered the file at once, for seconds
        throw StoreUnavailable(file_ + " is locked by another program; waited " +
                               std::to_string(static_cast<int>(std::ceil(busy_seconds_))) + " s for it");
      case SQLITE_FULL:
        throw StoreUnavailable(file_ + " cannot grow: the disk is full");
      case SQLITE_READONLY:
        throw StoreError(file_ + " is read-only: its studies can be looked at, but not changed");
      case SQLITE_NOTADB:
      case SQLITE_CORRUPT:
        throw StoreError(file_ + " is not a database of SQLite, or it is damaged (" + said + ")");
      case SQLITE_CANTOPEN:
        throw StoreError(file_ + " cannot be opened: there is no such file, or no right to write in its folder");
      default:
        throw StoreError(file_ + ": " + said + " (SQLite error " + std::to_string(code) + ")");
    }
  }

  std::string file_;
  double busy_seconds_ = 0;
  sqlite3* database_ = nullptr;
};

}  // namespace

std::unique_ptr<Connection> connect_sqlite(const std::string& file, const StoreOptions& options) {
  return std::make_unique<SqliteConnection>(file, options);
}

}  // namespace bocs
