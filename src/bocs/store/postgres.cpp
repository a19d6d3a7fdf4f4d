// PostgreSQL: any number of machines.

#include "bocs/base/error.hpp"
#include "bocs/store/connection.hpp"

#ifdef BOCS_POSTGRESQL
#include <poll.h>

#include <array>
#include <charconv>
#include <chrono>
#include <map>

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

/// No machine of that name. Final for a process that was never connected; for others the name service may be down.
bool is_unknown_host(std::string_view message) {
  return message.find("Name or service not known") != std::string_view::npos ||
         message.find("No address associated with hostname") != std::string_view::npos;
}

using Clock = std::chrono::steady_clock;
constexpr auto kConnectTime = std::chrono::seconds(10);
constexpr auto kSilence = std::chrono::seconds(20);          // of the server, in the middle of a call
constexpr auto kSlice = std::chrono::milliseconds(100);      // after which it is asked whether to go on waiting
constexpr const char* kSettings[] = {                        // of a session
    "SET lock_timeout = 15000",                              // less than kSilence: a lock is not a server that hangs
    "SET idle_in_transaction_session_timeout = 20000",       // a process that is stopped must not stop all others
    "SET default_transaction_isolation = 'read committed'",  // a session that waited for a lock sees what the others
                                                             // did
    // Every statement has its index, which a small table would not be searched by; scans of bitmaps never mark index
    // entries as dead, of which every trial leaves some.
    "SET plan_cache_mode = force_generic_plan", "SET enable_seqscan = off", "SET enable_bitmapscan = off",
    "SET jit = off"};

class PostgresConnection : public Connection {
 public:
  PostgresConnection(const std::string& url, const StoreOptions& options)
      : Connection(url), shown_url_(without_password(url)) {
    give_up_when(options.stop);
    connect();
  }
  ~PostgresConnection() override { libpq().finish(connection_); }
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;

  using Connection::execute;
  Rows execute(std::string_view sql, std::span<const SqlValue> arguments) override {
    const Statement statement{std::string(sql), {arguments.begin(), arguments.end()}};
    return std::move(execute_together(Commit::durable, {&statement, 1}).front());
  }

  /// What is sent between two synchronization points is one transaction, unless one was begun before.
  std::vector<Rows> execute_together(Commit /*always durable*/, std::span<const Statement> statements) override {
    if (!in_transaction_) connect();
    if (connection_ == nullptr) lose("the connection was lost");
    prepare(statements);
    for (const Statement& statement : statements) send(statement);
    std::vector<Rows> answers = receive();
    replan();
    return answers;
  }

  using Connection::transaction;
  void transaction(Commit /*always durable*/, const std::function<void()>& body) override {
    execute("BEGIN");
    in_transaction_ = true;  // a connection lost from here on must not come back as a new one before the end
    try {
      body();
      execute("COMMIT");
    } catch (...) {
      try {
        if (connection_ != nullptr) execute("ROLLBACK");
      } catch (const StoreError&) {  // lost, and the transaction with it
      }
      in_transaction_ = false;
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
  void backup(const std::string& /*file*/) override {
    throw StoreError("a store of PostgreSQL is backed up by PostgreSQL's own pg_dump: see docs/store.md");
  }
  void lock_schema() override { execute("SELECT pg_advisory_xact_lock(6226915)"); }  // any number, the same for all
  [[nodiscard]] std::string_view wait_in_line() const override { return "SELECT pg_advisory_xact_lock($1)"; }

 private:
  void connect() {
    if (connection_ != nullptr && libpq().status(connection_) == CONNECTION_OK) return;
    libpq().finish(connection_);
    prepared_.clear();
    calls_ = 0;
    next_plans_ = 32;
    // What the URL says comes last and wins. A server that vanishes without a word is noticed within half a minute.
    const std::array<const char*, 8> keys = {
        "keepalives_idle",  "keepalives_interval", "keepalives_count", "tcp_user_timeout",
        "application_name", "client_encoding",     "dbname",           nullptr};
    const std::array<const char*, 8> values = {"10", "5", "3", "30000", "bocs", "UTF8", url().c_str(), nullptr};
    open_quietly(keys.data(), values.data());
    if (connection_ != nullptr && libpq().status(connection_) == CONNECTION_OK &&
        libpq().setnonblocking(connection_, 1) == 0 && libpq().enterPipelineMode(connection_) == 1) {
      std::vector<Statement> settings;
      for (const char* setting : kSettings) settings.push_back({setting, {}});
      prepare(settings);
      for (const Statement& setting : settings) send(setting);
      receive();
      was_connected_ = true;
      return;
    }
    std::string said = connection_ == nullptr ? "out of memory" : one_line(libpq().errorMessage(connection_));
    if (said.empty()) said = "no answer in time";
    const std::string message = "no connection to " + shown_url_ + ": " + said;
    libpq().finish(connection_);
    connection_ = nullptr;
    if (is_final_refusal(said) || (is_unknown_host(said) && !was_connected_)) throw StoreError(message);
    throw StoreUnavailable(message);
  }

  /// PQconnectdbParams, but silent from the start: a server that goes down while we connect makes libpq print on
  /// stderr, unless there is a notice processor already. And with an end. Whether it worked, PQstatus tells.
  void open_quietly(const char* const* keys, const char* const* values) {
    connection_ = libpq().connectStartParams(keys, values, 1);
    if (connection_ == nullptr) return;
    libpq().setNoticeProcessor(
        connection_, [](void*, const char*) {}, nullptr);
    if (libpq().status(connection_) == CONNECTION_BAD) return;
    const auto deadline = Clock::now() + kConnectTime;
    for (auto wanted = PGRES_POLLING_WRITING; wanted == PGRES_POLLING_READING || wanted == PGRES_POLLING_WRITING;) {
      if (Clock::now() > deadline || is_given_up()) return;
      const auto events = static_cast<short>(wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT);
      if (is_ready(events)) wanted = libpq().connectPoll(connection_);
    }
  }

  /// Whether the socket is, within a slice of time.
  bool is_ready(short events) {
    pollfd socket{libpq().socket(connection_), events, 0};
    return poll(&socket, 1, static_cast<int>(kSlice.count())) > 0;
  }

  /// Those that are new to this session.
  void prepare(std::span<const Statement> statements) {
    std::map<std::string, std::string> added;
    for (const Statement& statement : statements) {
      if (prepared_.contains(statement.sql)) continue;
      const std::string name = "bocs" + std::to_string(prepared_.size() + added.size());
      if (!added.try_emplace(statement.sql, name).second) continue;
      check_sent(libpq().sendPrepare(connection_, name.c_str(), statement.sql.c_str(), 0, nullptr));
    }
    if (added.empty()) return;
    receive();
    prepared_.merge(added);
  }

  /// A plan is made once, perhaps while the tables are empty, when all indices look alike: made again as they grow.
  void replan() {
    if (++calls_ < next_plans_ || in_transaction_) return;
    next_plans_ *= 2;
    const Statement discard{"DISCARD PLANS", {}};
    prepare({&discard, 1});
    send(discard);
    receive();
  }

  void send(const Statement& statement) {
    std::vector<std::string> texts;
    std::vector<const char*> pointers;
    for (const SqlValue& value : statement.arguments) texts.push_back(to_text(value));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      pointers.push_back(std::holds_alternative<std::nullptr_t>(statement.arguments[i]) ? nullptr : texts[i].c_str());
    }
    check_sent(libpq().sendQueryPrepared(connection_, prepared_.at(statement.sql).c_str(),
                                         static_cast<int>(pointers.size()), pointers.data(), nullptr, nullptr, 0));
  }

  void check_sent(int sent) {
    if (sent != 1) lose(one_line(libpq().errorMessage(connection_)));
  }

  /// The answers to all that was sent. The first error counts: what was sent after it, the server did not do.
  std::vector<Rows> receive() {
    check_sent(libpq().pipelineSync(connection_));
    std::vector<Rows> answers;
    Result error(nullptr, libpq().clear);
    for (int ends = 0; ends < 2;) {  // two in a row: nothing comes any more
      wait_for_answer();
      Result result(libpq().getResult(connection_), libpq().clear);
      ends = result == nullptr ? ends + 1 : 0;
      if (result == nullptr) continue;
      switch (libpq().resultStatus(result.get())) {
        case PGRES_PIPELINE_SYNC:
          if (error != nullptr) fail(error.get());
          return answers;
        case PGRES_TUPLES_OK:
        case PGRES_COMMAND_OK:
          answers.push_back(read(result.get()));
          break;
        default:
          if (error == nullptr) error = std::move(result);
      }
    }
    if (error != nullptr) fail(error.get());
    lose("the connection was lost");
  }

  void wait_for_answer() {
    auto deadline = Clock::now() + kSilence;
    int unsent = libpq().flush(connection_);
    while (unsent == 1 || libpq().isBusy(connection_) == 1) {
      if (is_ready(static_cast<short>(unsent == 1 ? POLLIN | POLLOUT : POLLIN))) {
        if (libpq().consumeInput(connection_) != 1) return;  // lost, and getResult has the reason
        deadline = Clock::now() + kSilence;
      } else if (Clock::now() > deadline) {
        lose("the server has not answered for " + std::to_string(kSilence.count()) + " s");
      } else if (is_given_up()) {
        lose("stopped while the server did not answer");
      }
      unsent = libpq().flush(connection_);
    }
  }

  static Rows read(PGresult* result) {
    Rows rows;
    for (int r = 0; r < libpq().ntuples(result); ++r) {
      std::vector<SqlValue> values;
      for (int c = 0; c < libpq().nfields(result); ++c) values.push_back(read(result, r, c));
      rows.emplace_back(std::move(values));
    }
    return rows;
  }

  static std::string to_text(const SqlValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* real = std::get_if<double>(&value)) {
      std::array<char, 32> buffer{};
      const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), *real).ptr;  // to the last bit
      return {buffer.data(), end};
    }
    return {};
  }

  static SqlValue read(PGresult* result, int row, int column) {
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
    const std::string said = one_line(libpq().resultErrorMessage(result));
    if (libpq().status(connection_) != CONNECTION_OK || passes(sqlstate)) {
      lose(said.empty() ? "the connection was lost" : said);
    }
    if (sqlstate == "25006") throw StoreError(shown_url_ + " is read-only");
    throw StoreError(shown_url_ + ": " + said + " (PostgreSQL error " + sqlstate + ")");
  }

  /// Whatever is left of the connection goes: the next call makes a new one.
  [[noreturn]] void lose(const std::string& why) {
    libpq().finish(connection_);
    connection_ = nullptr;
    throw StoreUnavailable(shown_url_ + ": " + why);
  }

  std::string shown_url_;
  PGconn* connection_ = nullptr;
  std::map<std::string, std::string> prepared_;  // SQL -> its name in this session
  std::int64_t calls_ = 0, next_plans_ = 32;     // in this session
  bool was_connected_ = false;                   // ever
  bool in_transaction_ = false;
};

}  // namespace

std::unique_ptr<Connection> connect_postgres(const std::string& url, const StoreOptions& options) {
  PQconninfoOption* parts = libpq().conninfoParse(url.c_str(), nullptr);  // its message would quote the password
  require(parts != nullptr, [&] { return "the store " + without_password(url) + " is not a URL of PostgreSQL"; });
  libpq().conninfoFree(parts);
  return std::make_unique<PostgresConnection>(url, options);
}

}  // namespace bocs

#else

namespace bocs {

std::unique_ptr<Connection> connect_postgres(const std::string& url, const StoreOptions& /*options*/) {
  throw StoreError(without_password(url) +
                   ": this bocs was built without PostgreSQL (CMake option BOCS_POSTGRESQL); use a store of SQLite");
}

}  // namespace bocs

#endif
