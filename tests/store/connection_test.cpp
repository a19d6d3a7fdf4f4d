#include "bocs/store/connection.hpp"

#include <netdb.h>
#include <signal.h>

#include "bocs/store/upgrade.hpp"
#include "bocs/study/worker.hpp"
#include "store/store_fixture.hpp"

namespace bocs {
namespace {

using ConnectionTest = StoreTest;
INSTANTIATE_TEST_SUITE_P(Store, ConnectionTest, testing::Values("sqlite", "postgresql"), store_name);

TEST_P(ConnectionTest, ValuesComeBackAsTheyWent) {
  const auto database = connection();
  database->execute("CREATE TABLE t (k BIGINT, i BIGINT, r DOUBLE PRECISION, s TEXT)");
  const std::string hostile = "'; DROP TABLE t; -- \" \\ \xE2\x98\x83 $1 :a ?1 %s \n\t";
  const std::int64_t large = std::numeric_limits<std::int64_t>::min() + 1;
  std::int64_t k = 0;
  const double reals[] = {0.1, 1.0 / 3, 1e300, 5e-324, -2.5, 4, 1e22, 123456789.123456789};
  for (const double real : reals) {
    database->execute("INSERT INTO t VALUES ($1, $2, $3, $4)", {k++, large, real, hostile});
  }
  database->execute("INSERT INTO t VALUES ($1, $2, $3, $4)", {k++, nullptr, nullptr, nullptr});
  const Rows rows = database->execute("SELECT i, r, s FROM t ORDER BY k");
  ASSERT_EQ(rows.size(), 9U);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(rows[i].integer(0), large);
    EXPECT_EQ(rows[i].real(1), reals[i]);
    EXPECT_EQ(rows[i].text(2), hostile);
  }
  for (int column = 0; column < 3; ++column) EXPECT_TRUE(rows[8].null(column));
}

TEST_P(ConnectionTest, ATransactionIsAllOrNothing) {
  const auto database = connection();
  database->execute("CREATE TABLE t (i BIGINT)");
  EXPECT_THROW(database->transaction([&] {
    database->execute("INSERT INTO t VALUES (1)");
    throw std::runtime_error("half-way");
  }),
               std::runtime_error);
  EXPECT_THROW(database->transaction([&] {
    database->execute("INSERT INTO t VALUES (2)");
    database->execute("SELECT nonsense");
  }),
               StoreError);
  database->transaction([&] { database->execute("INSERT INTO t VALUES (3)"); });
  const Rows rows = database->execute("SELECT i FROM t");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].integer(0), 3);
}

TEST_P(ConnectionTest, TheClockIsInSecondsSince1970) {
  const auto database = connection();
  const double before = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  const double now = database->execute("SELECT " + std::string(database->now())).front().real(0);
  EXPECT_NEAR(now, before, 60);
}

TEST_P(ConnectionTest, AnOlderSchemaBecomesTodaysAndKeepsItsStudies) {
  const auto database = connection();
  migrate(*database, 1);
  EXPECT_EQ(schema_version(*database), 1);
  database->execute(
      "INSERT INTO bocs_study (id, name, spec, trials, parallel, created) VALUES (5, 'old', $1, 3, 0, 0)",
      {std::string(
          R"({"attempts":10,"labels":{},"method":"random","name":"old","objective":{"command":[],"retries":0,)"
          R"("timeout_seconds":0.0},"parallel":0,"sense":"minimize","task":{"constraints":[],"l1":0.0,"l2":0.0,)"
          R"("seed":0,"variables":[{"kind":"binary","name":"x"}]},"trials":3})")});
  Store looking(url());
  EXPECT_FALSE(looking.is_writable());
  Study old = looking.open("old");
  EXPECT_TRUE(old.table().is_outdated());
  EXPECT_EQ(old.mirror().budget(), 3);
  EXPECT_EQ(looking.list().size(), 1U);
  EXPECT_TRUE(old.table().claims().empty() && old.table().late().empty() && old.table().records().empty());
  const auto message = message_of<StoreOutdated>([&] { old.ask(); });
  EXPECT_NE(message.find("bocs upgrade --store"), std::string::npos) << message;
  EXPECT_THROW(Store(url(), {.create = true}).create(small_study(3)), StoreOutdated);
  EXPECT_THROW(old.table().beat(old.ledger().worker()), StoreOutdated);
  EXPECT_THROW(old.session_opener()().pause(true), StoreOutdated);
  EXPECT_EQ(schema_version(*database), 1);  // nothing of this has changed it
  if (is_postgres()) {
    EXPECT_THROW(upgrade_store(url()), InvalidArgument);
  }
  EXPECT_EQ(upgrade_store(url(), true).from, 1);
  EXPECT_EQ(upgrade_store(url()).from, kSchemaVersion);
  EXPECT_EQ(schema_version(*database), kSchemaVersion);
  EXPECT_EQ(Store(url()).open("old").ask().number, 0);
}

TEST_P(ConnectionTest, ANewerSchemaIsRefused) {
  store();
  connection()->execute("UPDATE bocs_schema SET version = 99");
  const auto message = message_of<StoreError>([&] { Store(this->url(), {.create = true}); });
  EXPECT_NE(message.find("newer"), std::string::npos) << message;
  EXPECT_NE(message.find("99"), std::string::npos) << message;
  EXPECT_EQ(connection()->execute("SELECT version FROM bocs_schema").front().integer(0), 99);
}

TEST_P(ConnectionTest, WithoutCreateAnEmptyDatabaseIsNoStore) {
  connection();
  EXPECT_NE(message_of<StoreError>([&] { Store{url()}; }).find("no studies"), std::string::npos);
}

TEST_P(ConnectionTest, ManyProcessesMayCreateTheTablesAtOnce) {
  std::vector<pid_t> children;
  for (int i = 0; i < 6; ++i) children.push_back(spawn([&] { store(); }));
  for (const pid_t child : children) EXPECT_EQ(wait_for(child), 0);
  EXPECT_EQ(schema_version(*connection()), kSchemaVersion);
}

TEST(Url, PasswordsAreNeverShown) {
  EXPECT_EQ(without_password("postgresql://ann:s3:c@r/e?t@host:5432/db"), "postgresql://ann:***@host:5432/db");
  EXPECT_EQ(without_password("postgresql://host/db?user=ann&password=secret&x=1"),
            "postgresql://host/db?user=ann&password=***&x=1");
  EXPECT_EQ(without_password("host=h password=secret dbname=d"), "host=h password=*** dbname=d");
  EXPECT_EQ(without_password("host=h password='se cret' dbname=d"), "host=h password=*** dbname=d");
  EXPECT_EQ(without_password("host=h password = secret dbname=d"), "host=h password = *** dbname=d");
  EXPECT_EQ(without_password("postgresql://an/n:secret@host/db"), "postgresql://an/n:***@host/db");
  EXPECT_EQ(without_password("postgresql:ann:secret@host/db"), "postgresql:ann:***@host/db");
  EXPECT_EQ(without_password("postgresql://ann:sec\nret@host/db"), "postgresql://ann:***@host/db");
  EXPECT_EQ(without_password("postgresql://host/db?pass%77ord=secret&x=1"), "postgresql://host/db?pass%77ord=***&x=1");
  EXPECT_EQ(without_password("postgresql://host/db?PassWord=se cret"), "postgresql://host/db?PassWord=***");
  EXPECT_EQ(without_password("postgresql://host/db?sslpassword=secret&passfile=secret"),
            "postgresql://host/db?sslpassword=***&passfile=***");
  for (const char* plain : {"postgresql://ann@host:5432/db", "postgresql://host/db", "sqlite:/a/b.db",
                            "postgresql://[::1]:5432/db", "postgresql://ann@[::1]:5432/db?user=a&bypass=1"}) {
    EXPECT_EQ(without_password(plain), plain);
  }
  for (const char* url :
       {"postgresql://ann:hunter2@127.0.0.1:1/db", "postgresql://ann:hunter2@[::1/db",
        "postgresql://ann:hunter2@127.0.0.1:port/db", "mysql://ann:hunter2@host/db",
        "postgresql://ann:%zzhunter2@host/db", "postgresql://127.0.0.1:1/db?password=hunter2&nonsense=1"}) {
    const auto message = message_of<Error>([&] { Store{url}; });
    EXPECT_EQ(message.find("hunter2"), std::string::npos) << message;
  }
}

TEST(Url, TheRestOfAMessageIsKept) {
  EXPECT_EQ(without_passwords("no connection to postgresql://h/db?password=***: connection refused"),
            "no connection to postgresql://h/db?password=***: connection refused");
  EXPECT_EQ(without_passwords("'postgresql://h/db?password=secret' is not known here; bocs takes FILE"),
            "'postgresql://h/db?password=***' is not known here; bocs takes FILE");
  EXPECT_EQ(without_passwords("no connection to postgresql://a:***@h/db: user \"a@b\" is unknown"),
            "no connection to postgresql://a:***@h/db: user \"a@b\" is unknown");
  EXPECT_EQ(without_passwords("postgresql://a:***@h, postgresql://b:secret@h"),
            "postgresql://a:***@h, postgresql://b:***@h");
  EXPECT_EQ(without_passwords("compass=north is not allowed"), "compass=north is not allowed");
}

TEST(Url, LengthDoesNotMatter) {
  const std::string name(1000000, 'a');
  EXPECT_EQ(without_password("postgresql://" + name + ":secret@host/" + name),
            "postgresql://" + name + ":***@host/" + name);
  EXPECT_THROW(check_url(name), InvalidArgument);
  EXPECT_THROW(Store("postgresql://host/" + name + "?nonsense=1"), Error);
}

TEST(Url, OthersAreRefused) {
  EXPECT_THROW(Store{"mysql://host/db"}, InvalidArgument);
  EXPECT_THROW(Store{"studies.db"}, InvalidArgument);
  EXPECT_THROW(Store{"sqlite:"}, InvalidArgument);
  EXPECT_THROW(Store{""}, InvalidArgument);
  EXPECT_THROW(check_url("postgres"), InvalidArgument);
  EXPECT_NO_THROW(check_url("postgresql:///studies"));
}

// --- a real server only
// -----------------------------------------------------------------------------------------------

class ServerTest : public StoreTest {};
INSTANTIATE_TEST_SUITE_P(Store, ServerTest, testing::Values("postgresql"), store_name);

TEST_P(ServerTest, AWrongPasswordIsFinalAndNotShown) {
  std::string wrong = url();
  const auto colon = wrong.find(':', wrong.find("://") + 3), at = wrong.find('@');
  wrong.replace(colon + 1, at - colon - 1, "hunter2");
  try {
    Store{wrong};
    ADD_FAILURE() << "was let in";
  } catch (const StoreUnavailable& error) {
    ADD_FAILURE() << "would be tried again: " << error.what();
  } catch (const StoreError& error) {
    EXPECT_EQ(std::string(error.what()).find("hunter2"), std::string::npos);
  }
}

TEST_P(ServerTest, ThePasswordIsNotStored) {
  const auto colon = url().find(':', url().find("://") + 3), at = url().find('@');
  const std::string password = url().substr(colon + 1, at - colon - 1);
  ASSERT_GT(password.size(), 5U);
  store().create(small_study(2));
  {
    Worker worker(url(), "small");
    worker.tell(worker.ask().number, Outcome::value(1));
    worker.ask();
  }
  const Rows rows =
      connection()->execute("SELECT s::text FROM bocs_study s UNION ALL SELECT t::text FROM bocs_trial t");
  ASSERT_EQ(rows.size(), 3U);
  for (const Row& row : rows) EXPECT_EQ(row.text(0).find(password), std::string::npos) << row.text(0);
}

TEST_P(ServerTest, ALostConnectionIsUnavailableThenConnectsAnew) {
  const auto database = connection();
  const auto backend = database->execute("SELECT pg_backend_pid()").front().integer(0);
  connection()->execute("SELECT pg_terminate_backend($1::int)", {backend});
  EXPECT_TRUE(eventually([&] {
    try {
      database->execute("SELECT 1");
      return false;
    } catch (const StoreUnavailable&) {
      return true;
    }
  }));
  EXPECT_NE(insist([&] { return database->execute("SELECT pg_backend_pid()"); }).front().integer(0), backend);
}

TEST_P(ServerTest, AConnectionLostInATransactionEndsIt) {
  const auto database = connection();
  database->execute("CREATE TABLE t (i BIGINT)");
  EXPECT_THROW(database->transaction([&] {
    database->execute("INSERT INTO t VALUES (1)");
    const auto backend = database->execute("SELECT pg_backend_pid()").front().integer(0);
    connection()->execute("SELECT pg_terminate_backend($1::int)", {backend});
    eventually([&] {
      try {
        database->execute("SELECT 1");
        return false;
      } catch (const StoreUnavailable&) {
        return true;
      }
    });
    database->execute("INSERT INTO t VALUES (2)");  // must not run on a new connection, outside the transaction
  }),
               StoreUnavailable);
  EXPECT_EQ(database->execute("SELECT COUNT(*) FROM t").front().integer(0), 0);
}

// --- files only
// -------------------------------------------------------------------------------------------------------

/// A server that hangs: it is there, but does not answer. Of the call, the process that serves the connection is
/// stopped.
class HangingServer : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    if (IsSkipped()) return;
    database_ = connection();
    backend_ = static_cast<pid_t>(database_->execute("SELECT CAST(pg_backend_pid() AS BIGINT)").front().integer(0));
    if (kill(backend_, SIGSTOP) != 0) GTEST_SKIP() << "the server is another user's";
  }
  void TearDown() override {
    if (backend_ > 0) kill(backend_, SIGCONT);
    database_.reset();
    ServerTest::TearDown();
  }
  std::unique_ptr<Connection> database_;
  pid_t backend_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Store, HangingServer, testing::Values("postgresql"), store_name);

double seconds_of(const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST_P(HangingServer, IsUnavailableAfterAWhile) {
  std::string message;
  const double seconds =
      seconds_of([&] { message = message_of<StoreUnavailable>([&] { database_->execute("SELECT 1"); }); });
  EXPECT_NE(message.find("not answered"), std::string::npos) << message;
  EXPECT_GE(seconds, 19);
  EXPECT_EQ(database_->execute("SELECT CAST(7 AS BIGINT)").front().integer(0), 7);  // by a new connection
}

TEST_P(HangingServer, IsLeftAtOnceWhenStopped) {
  std::atomic<bool> stopped = false;
  database_->give_up_when([&] { return stopped.load(); });
  std::jthread signal([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    stopped = true;
  });
  const double seconds = seconds_of([&] { EXPECT_THROW(database_->execute("SELECT 1"), StoreUnavailable); });
  EXPECT_LT(seconds, 15);  // long before its own limit
}

TEST_P(HangingServer, DoesNotHoldUpAWorkerThatIsToStop) {
  kill(backend_, SIGCONT);
  store().create(small_study(10));
  std::atomic<bool> stopped = false;
  Worker worker(url(), "small", {.patience_seconds = 600, .stop = [&] { return stopped.load(); }});
  worker.tell(worker.ask().number, Outcome::value(1));
  std::vector<pid_t> backends;
  for (const Row& row : database_->execute("SELECT CAST(pid AS BIGINT) FROM pg_stat_activity WHERE application_name = "
                                           "'bocs' AND datname = current_database() AND pid <> pg_backend_pid()")) {
    backends.push_back(static_cast<pid_t>(row.integer(0)));
    kill(backends.back(), SIGSTOP);
  }
  EXPECT_FALSE(backends.empty());
  std::jthread signal([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    stopped = true;
  });
  EXPECT_THROW(worker.ask(), AllRunning);
  for (const pid_t backend : backends) kill(backend, SIGCONT);
}

TEST(Server, AnUnknownHostIsSaidAtOnce) {
  addrinfo* found = nullptr;
  const int code = getaddrinfo("no-such-host.invalid", "5432", nullptr, &found);
  if (code != EAI_NONAME) GTEST_SKIP() << "no name service here that knows what there is not: " << gai_strerror(code);
  const auto message =
      message_of<StoreError>([&] { Worker("postgresql://u@no-such-host.invalid/db", "s", {.patience_seconds = 600}); });
  EXPECT_NE(message.find("no-such-host.invalid"), std::string::npos) << message;
}

}  // namespace
}  // namespace bocs
