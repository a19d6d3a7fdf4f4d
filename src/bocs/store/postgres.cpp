// PostgreSQL: any number of machines.

#include "bocs/core/error.hpp"
#include "bocs/store/connection.hpp"

#ifdef BOCS_POSTGRESQL
#include <poll.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstring>

#include "bocs/store/libpq.hpp"

namespace bocs {
namespace {

using Result = std::unique_ptr<PGresult, void (*)(PGresult*)>;

// The types of the columns we use, by PostgreSQL's fixed numbers (pg_type).
constexpr Oid kBool = 16, kInt8 = 20, kInt4 = 23, kFloat8 = 701, kNumeric = 1700;

/// libpq's message in one line.
std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& c : text) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return text;
}

/// Errors that pass: the server starts, stops or recovers, the connection was cut, resources are short, two
/// transactions stood in each other's way.
bool passes(std::string_view sqlstate) {
  static constexpr std::array<std::string_view, 5> kClasses = {"08", "40", "53", "57", "58"};
  for (const auto prefix : kClasses) {
    if (sqlstate.starts_with(prefix)) return true;
  }
  return sqlstate.empty() || sqlstate == "55P03";  // no code: libpq itself lost the connection; 55P03: lock timeout
}

/// A refusal to connect that waiting does not help. Anything else is taken for a server that is away for now: there are
/// many words for that ("starting up", "shutting down", "not yet accepting connections", "Connection refused", ...).
bool is_final_refusal(std::string_view message) {
  static constexpr std::array<std::string_view, 5> kWords = {
      "password authentication failed", "no password supplied", "no pg_hba.conf entry",
      "is not permitted to log in",     "does not exist",
  };
  for (const auto words : kWords) {
    if (message.find(words) != std::string_view::npos) return true;
  }
  return false;
}

constexpr auto kConnectTime = std::chrono::seconds(10);

/// PQconnectdbParams, but silent from the start: a server that goes down while we connect makes libpq print on stderr,
/// unless there is a notice processor already. Whether it worked, PQstatus tells.
PGconn* open_quietly(const char* const* keys, const char* const* values) {
  PGconn* connection = libpq().connectStartParams(keys, values, 1);
  if (connection == nullptr) return nullptr;
  libpq().setNoticeProcessor(
      connection, [](void*, const char*) {}, nullptr);
  const auto deadline = std::chrono::steady_clock::now() + kConnectTime;
  if (libpq().status(connection) == CONNECTION_BAD) return connection;
  for (auto wanted = PGRES_POLLING_WRITING; wanted == PGRES_POLLING_READING || wanted == PGRES_POLLING_WRITING;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) break;
    pollfd socket{libpq().socket(connection), static_cast<short>(wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT),
                  0};
    if (poll(&socket, 1, static_cast<int>(left)) > 0) wanted = libpq().connectPoll(connection);
  }
  return connection;
}

class PostgresConnection : public Connection {
 public:
  explicit PostgresConnection(const std::string& url) : Connection(url), shown_url_(without_password(url)) {
    connect();
  }
  ~PostgresConnection() override { libpq().finish(connection_); }
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;

  using Connection::execute;
  Rows execute(std::string_view sql, std::span<const Value> arguments) override {
    if (!in_transaction_) connect();
    std::vector<std::string> texts;
    std::vector<const char*> pointers;
    for (const Value& value : arguments) texts.push_back(to_text(value));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      pointers.push_back(std::holds_alternative<std::nullptr_t>(arguments[i]) ? nullptr : texts[i].c_str());
    }
    const Result result(libpq().execParams(connection_, std::string(sql).c_str(), static_cast<int>(pointers.size()),
                                           nullptr, pointers.data(), nullptr, nullptr, 0),
                        libpq().clear);
    const auto status = libpq().resultStatus(result.get());
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) fail(result.get());
    Rows rows;
    for (int r = 0; r < libpq().ntuples(result.get()); ++r) {
      std::vector<Value> values;
      for (int c = 0; c < libpq().nfields(result.get()); ++c) values.push_back(read(result.get(), r, c));
      rows.emplace_back(std::move(values));
    }
    return rows;
  }

  using Connection::transaction;
  void transaction(Commit /*always durable*/, const std::function<void()>& body) override {
    execute("BEGIN ISOLATION LEVEL READ COMMITTED");
    in_transaction_ = true;  // a connection lost from here on must not come back as a new one before the end
    try {
      body();
      execute("COMMIT");
    } catch (...) {
      in_transaction_ = false;
      if (connection_ != nullptr) libpq().clear(libpq().exec(connection_, "ROLLBACK"));
      throw;
    }
    in_transaction_ = false;
  }

  [[nodiscard]] std::string_view now() const override {
    return "CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS DOUBLE PRECISION)";
  }
  bool has_table(const std::string& name) override {
    // Read from the catalogue's table itself: to_regclass() would answer from a cache that a wait for a lock leaves
    // stale.
    return !execute(
                "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = ANY (current_schemas(false)) "
                "AND tablename = $1",
                {name})
                .empty();
  }
  void lock_schema() override { execute("SELECT pg_advisory_xact_lock(6226915)"); }  // any number, the same for all

 private:
  void connect() {
    if (connection_ != nullptr && libpq().status(connection_) == CONNECTION_OK) return;
    libpq().finish(connection_);
    // What the URL says comes last and wins. A server that vanishes without a word is noticed within half a minute.
    const std::array<const char*, 8> keys = {
        "keepalives_idle",  "keepalives_interval", "keepalives_count", "tcp_user_timeout",
        "application_name", "client_encoding",     "dbname",           nullptr};
    const std::array<const char*, 8> values = {"10", "5", "3", "30000", "bocs", "UTF8", url().c_str(), nullptr};
    connection_ = open_quietly(keys.data(), values.data());
    if (connection_ != nullptr && libpq().status(connection_) == CONNECTION_OK) {
      // A process that is stopped in the middle of a transaction must not stop all others.
      libpq().clear(
          libpq().exec(connection_, "SET lock_timeout = 30000; SET idle_in_transaction_session_timeout = 20000"));
      return;
    }
    std::string said = connection_ == nullptr ? "out of memory" : one_line(libpq().errorMessage(connection_));
    if (said.empty()) said = "no answer in time";
    libpq().finish(connection_);
    connection_ = nullptr;
    const std::string message = "no connection to " + shown_url_ + ": " + said;
    if (is_final_refusal(said)) throw StoreError(message);
    throw StoreUnavailable(message);
  }

  static std::string to_text(const Value& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* real = std::get_if<double>(&value)) {
      std::array<char, 32> buffer{};
      const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), *real).ptr;  // to the last bit
      return {buffer.data(), end};
    }
    return {};
  }

  static Value read(PGresult* result, int row, int column) {
    if (libpq().getisnull(result, row, column) != 0) return nullptr;
    const char* text = libpq().getvalue(result, row, column);
    const char* end = text + libpq().getlength(result, row, column);
    switch (libpq().ftype(result, column)) {
      case kBool:
        return std::int64_t{*text == 't' ? 1 : 0};
      case kInt4:
      case kInt8: {
        std::int64_t whole = 0;
        std::from_chars(text, end, whole);
        return whole;
      }
      case kFloat8:
      case kNumeric: {
        double real = 0;
        std::from_chars(text, end, real);
        return real;
      }
      default:
        return std::string(text, end);
    }
  }

  [[noreturn]] void fail(const PGresult* result) {
    const char* code = libpq().resultErrorField(result, PG_DIAG_SQLSTATE);
    const std::string sqlstate = code == nullptr ? "" : code;
    const std::string said = one_line(libpq().errorMessage(connection_));
    const std::string message = shown_url_ + ": " + (said.empty() ? "the connection was lost" : said);
    if (libpq().status(connection_) != CONNECTION_OK || passes(sqlstate)) {
      libpq().finish(connection_);  // whatever is left of it: the next call makes a new one
      connection_ = nullptr;
      throw StoreUnavailable(message);
    }
    if (sqlstate == "25006") throw StoreError(shown_url_ + " is read-only");
    throw StoreError(message + " (PostgreSQL error " + sqlstate + ")");
  }

  std::string shown_url_;
  PGconn* connection_ = nullptr;
  bool in_transaction_ = false;
};

}  // namespace

std::unique_ptr<Connection> connect_postgres(const std::string& url) {
  PQconninfoOption* options = libpq().conninfoParse(url.c_str(), nullptr);  // its message would quote the password
  require(options != nullptr, [&] { return "the store " + without_password(url) + " is not a URL of PostgreSQL"; });
  libpq().conninfoFree(options);
  return std::make_unique<PostgresConnection>(url);
}

}  // namespace bocs

#else

namespace bocs {

std::unique_ptr<Connection> connect_postgres(const std::string& url) {
  throw StoreError(without_password(url) +
                   ": this bocs was built without PostgreSQL (CMake option BOCS_POSTGRESQL); use a store of SQLite");
}

}  // namespace bocs

#endif
