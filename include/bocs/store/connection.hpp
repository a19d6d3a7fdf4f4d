#pragma once
// A database, reduced to what a study needs of it. One SQL text serves both kinds: parameters are $1, $2, ...

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bocs/base/error.hpp"

namespace bocs {

/// NULL, a whole number, a real number, UTF-8 text without NUL.
using SqlValue = std::variant<std::nullptr_t, std::int64_t, double, std::string>;

/// One row of an answer. A value of another type than is asked for, which only a stranger can have written, is a
/// StoreError.
class Row {
 public:
  explicit Row(std::vector<SqlValue> values) : values_(std::move(values)) {}
  [[nodiscard]] bool null(int column) const { return std::holds_alternative<std::nullptr_t>(values_[column]); }
  [[nodiscard]] std::int64_t integer(int column) const { return get<std::int64_t>(column, "a whole number"); }
  /// Within these bounds; anything else is damage, and a StoreError.
  [[nodiscard]] int whole(int column, int low, int high) const;
  [[nodiscard]] double real(int column) const;  // of a whole number, too
  [[nodiscard]] const std::string& text(int column) const { return get<std::string>(column, "a text"); }

 private:
  template <class T>
  [[nodiscard]] const T& get(int column, const char* wanted) const;
  std::vector<SqlValue> values_;
};
using Rows = std::vector<Row>;

/// What a commit outlives: the end of this process, or a power cut, too. SQLite waits for the disk only if asked to.
enum class Commit { quick, durable };

struct Statement {
  std::string sql;
  std::vector<SqlValue> arguments;
};

/// Used by one thread at a time. Throws StoreError, and StoreUnavailable for what may pass; after the latter the next
/// call connects anew by itself. Statements are prepared once per text: texts are few, what varies are arguments. No
/// call waits for ever: a server that is silent for 20 s is StoreUnavailable, too.
class Connection {
 public:
  explicit Connection(std::string url) : url_(std::move(url)) {}
  virtual ~Connection() = default;
  [[nodiscard]] const std::string& url() const { return url_; }  // with its password: never to be shown
  virtual Rows execute(std::string_view sql, std::span<const SqlValue> arguments) = 0;
  Rows execute(std::string_view sql, std::initializer_list<SqlValue> arguments = {}) {
    return execute(sql, std::span<const SqlValue>(arguments.begin(), arguments.size()));
  }
  /// Statements of which none needs the answer of another, in one transaction and one round trip to the server: all of
  /// them or nothing. Returns their answers.
  virtual std::vector<Rows> execute_together(Commit commit, std::span<const Statement> statements) = 0;
  /// body() inside one transaction: all of it or nothing. If the commit itself is cut off, nobody knows which: the
  /// caller repeats what can be repeated.
  virtual void transaction(Commit commit, const std::function<void()>& body) = 0;
  void transaction(const std::function<void()>& body) { transaction(Commit::quick, body); }
  /// SQL of the database's clock, in seconds since 1970.
  [[nodiscard]] virtual std::string_view now() const = 0;
  virtual bool has_table(const std::string& name) = 0;
  /// A copy of the whole database as it is at one moment, while others go on with it.
  virtual void backup(const std::string& file) = 0;
  /// Throws StoreError if the database is damaged, as far as it can tell by itself.
  virtual void check() {}
  /// Keeps others from changing the tables until the end of the transaction it is called in.
  virtual void lock_schema() = 0;
  /// SQL that waits in line for the study $1, until the end of the transaction; empty where that is not needed. A row's
  /// lock alone is right, but all who wait for it look at every version of the row that the others leave.
  [[nodiscard]] virtual std::string_view wait_in_line() const = 0;

  /// Asked while the server is waited for; true ends the call with StoreUnavailable.
  void give_up_when(std::function<bool()> stop) { stop_ = std::move(stop); }

 protected:
  [[nodiscard]] bool is_given_up() const { return stop_ && stop_(); }

 private:
  std::string url_;
  std::function<bool()> stop_;
};

/// The database has no tables of ours: nothing was ever stored there.
class NothingStored : public StoreError {
 public:
  using StoreError::StoreError;
};

struct StoreOptions {
  bool create = false;              // make the file or the tables if they are missing
  double busy_seconds = 30;         // SQLite: how long to wait for others that write
  bool check = true;                // SQLite: look for damaged pages, which reads the whole file
  std::function<bool()> stop = {};  // as of Connection::give_up_when, from the first attempt to connect on
};

/// "sqlite:FILE", "postgresql://...". Throws InvalidArgument for other URLs.
void check_url(const std::string& url);
std::string sqlite_url(const std::string& file);
std::optional<std::string> sqlite_file(const std::string& url);  // nothing for a server's URL
std::unique_ptr<Connection> connect(const std::string& url, const StoreOptions& options = {});
std::unique_ptr<Connection> connect_sqlite(const std::string& file, const StoreOptions& options);
std::unique_ptr<Connection> connect_postgres(const std::string& url, const StoreOptions& options);

/// The URL as it may be shown: *** for its password.
std::string without_password(const std::string& url);
/// The same for the URLs in a message; what follows them is kept.
std::string without_passwords(const std::string& message);

/// The same, for code that works with the tables: makes them if they are missing and `options.create` says so; of an
/// older version they can only be read (StoreOutdated). Throws NothingStored, and StoreError for a newer version.
std::unique_ptr<Connection> connect_to_tables(const std::string& url, const StoreOptions& options = {});

/// The version of the tables this program works with.
inline constexpr int kSchemaVersion = 7;
int schema_version(Connection& connection);  // 0: there are no tables of ours
/// Brings the tables to a later version, creating them first if there are none.
void migrate(Connection& connection, int version = kSchemaVersion);

}  // namespace bocs
