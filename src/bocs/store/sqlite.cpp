// SQLite: one file, any number of processes of one machine.

#include <sqlite3.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <thread>

#include "bocs/base/error.hpp"
#include "bocs/store/connection.hpp"
#include "bocs/store/process.hpp"

namespace bocs {
namespace {

class SqliteConnection : public Connection {
 public:
  SqliteConnection(const std::string& file, const StoreOptions& options)
      : Connection("sqlite:" + file), file_(file), busy_seconds_(options.busy_seconds) {
    std::error_code ignored;
    const auto kind = std::filesystem::status(file_, ignored).type();
    const bool is_there = kind != std::filesystem::file_type::not_found;
    if (is_there && kind != std::filesystem::file_type::regular) {
      throw StoreError(file_ + " is a folder or a device, or cannot be looked at: a store is a file");
    }
    if (!is_there && std::filesystem::exists(file_ + "-wal")) {
      throw StoreError(file_ + " is gone, but its latest trials are still in " + file_ +
                       "-wal: move the file back, beside that one; a new store is not made here");
    }
    try {  // one that was there a moment ago is not made anew either
      open(file_, SQLITE_OPEN_READWRITE | (options.create && !is_there ? SQLITE_OPEN_CREATE : 0));
    } catch (const ReadOnly&) {
      look_only();
    }
  }
  ~SqliteConnection() override { close(); }
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;

  using Connection::execute;
  Rows execute(std::string_view sql, std::span<const SqlValue> arguments) override {
    sqlite3_stmt* statement = prepared(sql);
    // At the end, whatever happens: a statement in the middle of its answer holds locks.
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> at_end(statement, &sqlite3_reset);
    for (std::size_t i = 0; i < arguments.size(); ++i) bind(statement, i, arguments[i]);
    Rows rows;
    for (;;) {
      const int code = sqlite3_step(statement);
      if (code == SQLITE_DONE) return rows;
      if (code != SQLITE_ROW) fail(code);
      std::vector<SqlValue> values;
      for (int column = 0; column < sqlite3_column_count(statement); ++column) {
        values.push_back(read(statement, column));
      }
      rows.emplace_back(std::move(values));
    }
  }

  std::vector<Rows> execute_together(Commit commit, std::span<const Statement> statements) override {
    std::vector<Rows> answers;
    transaction(commit, [&] {
      for (const Statement& statement : statements) answers.push_back(execute(statement.sql, statement.arguments));
    });
    return answers;
  }

  using Connection::transaction;
  void transaction(Commit commit, const std::function<void()>& body) override {
    check_place();
    use_write_ahead_log();
    if (commit != commit_) {  // run, not prepared: a PRAGMA may have its effect when it is prepared
      run(commit == Commit::durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
      commit_ = commit;
    }
    execute("BEGIN IMMEDIATE");  // the right to write is waited for here, not in the middle
    try {
      body();
      execute("COMMIT");
      if (commit == Commit::durable) keep();
    } catch (...) {
      if (sqlite3_get_autocommit(database_) == 0) sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
      throw;
    }
  }

  [[nodiscard]] std::string_view now() const override { return "((julianday('now') - 2440587.5) * 86400.0)"; }
  bool has_table(const std::string& name) override {
    return !execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1", {name}).empty();
  }
  void backup(const std::string& file) override {
    if (std::filesystem::exists(file)) throw StoreError(file + " is there already: it is left alone");
    const std::string part =
        file + "." + unique_name() + ".part";  // renamed at the end: a backup is whole, or not there
    try {
      copy_to(part);
      std::filesystem::rename(part, file);
    } catch (const std::exception& error) {
      std::error_code ignored;
      std::filesystem::remove(part, ignored);
      throw StoreError(file + " cannot be written: " + error.what());
    }
  }
  void check() override {
    const std::string found = execute("PRAGMA integrity_check(1)").front().text(0);
    if (found != "ok") throw StoreError(file_ + " is damaged (" + found + "); go on with a backup");
  }
  void lock_schema() override {}  // BEGIN IMMEDIATE did it
  [[nodiscard]] std::string_view wait_in_line() const override { return {}; }

 private:
  /// There is no right to write the file, or what SQLite needs beside it.
  class ReadOnly : public StoreError {
   public:
    using StoreError::StoreError;
  };

  void open(const std::string& name, int flags) {
    const int code = sqlite3_open_v2(name.c_str(), &database_, flags | SQLITE_OPEN_EXRESCODE, nullptr);
    try {
      if (code != SQLITE_OK) fail(code);
      sqlite3_busy_timeout(database_, static_cast<int>(1000 * busy_seconds_));
      logs_ahead_ = execute("PRAGMA journal_mode").front().text(0) == "wal";
      run("PRAGMA foreign_keys = ON");
      run("PRAGMA synchronous = NORMAL");
    } catch (...) {
      close();
      throw;
    }
  }

  /// A file in a folder where nothing may be created: it can be read if nobody is writing it, and if all of it is in
  /// the file itself.
  void look_only() {
    std::error_code ignored;
    if (const auto size = std::filesystem::file_size(file_ + "-wal", ignored); !ignored && size > 0) {
      throw StoreError(file_ + " is read-only, and its latest changes are in " + file_ +
                       "-wal: copy both into a folder where you may write");
    }
    std::string name = "file:";
    for (const char c : file_) {
      constexpr std::string_view kHex = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      const bool plain = c != '%' && c != '?' && c != '#';
      name += plain ? std::string(1, c) : std::string{'%', kHex[byte / 16], kHex[byte % 16]};
    }
    open(name + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  }

  void close() {
    for (const auto& [sql, statement] : prepared_) sqlite3_finalize(statement);
    prepared_.clear();
    sqlite3_close(database_);
    database_ = nullptr;
  }

  void copy_to(const std::string& file) {
    SqliteConnection copy(file, {.create = true, .busy_seconds = busy_seconds_});
    sqlite3_backup* work = sqlite3_backup_init(copy.database_, "main", database_, "main");
    if (work == nullptr) copy.fail(sqlite3_errcode(copy.database_));
    const int code = sqlite3_backup_step(work, -1);
    sqlite3_backup_finish(work);
    if (code != SQLITE_DONE) copy.fail(code);
  }

  void run(const char* sql) { check(sqlite3_exec(database_, sql, nullptr, nullptr, nullptr)); }

  sqlite3_stmt* prepared(std::string_view sql) {
    auto known = prepared_.find(sql);
    if (known == prepared_.end()) {
      sqlite3_stmt* statement = nullptr;
      check(sqlite3_prepare_v3(database_, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                               &statement, nullptr));
      known = prepared_.emplace(sql, statement).first;
    }
    return known->second;
  }

  /// What is written into a file that was deleted or moved away is lost to all other processes.
  void check_place() {
    int has_moved = 0;
    const int code = sqlite3_file_control(database_, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
    if (code == SQLITE_OK && has_moved != 0) {
      throw StoreError(
          file_ +
          " was moved, deleted or replaced while it was in use: nothing more is written to it. Its latest trials are "
          "in " +
          file_ + "-wal: move the file back, beside that one");
    }
  }

  /// Moves what was committed from the log into the file itself, as far as nobody needs the log: who moves or copies
  /// the file alone then has all that was told. The next commit does what this one could not.
  void keep() { sqlite3_wal_checkpoint_v2(database_, "main", SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr); }

  /// Readers and one writer at a time do not disturb each other. Switching a file over, when it is first written, needs
  /// it for a moment alone, and SQLite's own waiting does not cover that.
  void use_write_ahead_log() {
    if (logs_ahead_) return;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(busy_seconds_);
    for (;;) {
      try {
        logs_ahead_ = true;  // once is enough: where it is not to be had, work goes on without it
        if (execute("PRAGMA journal_mode").front().text(0) == "wal") return;
        execute("PRAGMA journal_mode = WAL");
        return;
      } catch (const StoreUnavailable&) {
        if (std::chrono::steady_clock::now() > deadline) throw;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    }
  }

  void bind(sqlite3_stmt* statement, std::size_t i, const SqlValue& value) {
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

  static SqlValue read(sqlite3_stmt* statement, int column) {
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
        throw StoreUnavailable(file_ + " cannot grow: the disk is full; make room for it");
      case SQLITE_IOERR:  // what was not committed is written anew by the next attempt
        throw StoreUnavailable(file_ + ": the disk reports an error (" + said + ", SQLite error " +
                               std::to_string(code) + ")");
      case SQLITE_READONLY:
        throw ReadOnly(file_ + " is read-only: its studies can be looked at, but not changed");
      case SQLITE_NOTADB:
      case SQLITE_CORRUPT:
        throw StoreError(file_ + " is not a database of SQLite, or it is damaged (" + said + ")");
      case SQLITE_CANTOPEN:
        if (may_only_read(file_)) {
          throw ReadOnly(file_ + " is read-only, and nothing can be created beside it");
        }
        if (const int reason = sqlite3_system_errno(database_); reason == EMFILE || reason == ENFILE) {
          throw StoreUnavailable(file_ + " cannot be opened: too many files are open");
        }
        throw StoreError(file_ + " cannot be opened: there is no such file, or no right to write in its folder");
      default:
        throw StoreError(file_ + ": " + said + " (SQLite error " + std::to_string(code) + ")");
    }
  }

  std::string file_;
  double busy_seconds_ = 0;
  sqlite3* database_ = nullptr;
  std::map<std::string, sqlite3_stmt*, std::less<>> prepared_;  // by their SQL
  Commit commit_ = Commit::quick;
  bool logs_ahead_ = false;
};

}  // namespace

std::unique_ptr<Connection> connect_sqlite(const std::string& file, const StoreOptions& options) {
  return std::make_unique<SqliteConnection>(file, options);
}

}  // namespace bocs
