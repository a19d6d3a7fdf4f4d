#pragma once
// The same tests on SQLite and on PostgreSQL: TEST_P(StoreTest, ...). Those on PostgreSQL are skipped unless
// BOCS_TEST_POSTGRES names a server (scripts/with_postgres).

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "bocs/base/error.hpp"
#include "bocs/store/process.hpp"
#include "bocs/study/store.hpp"

namespace bocs {

/// Waits for something to become true, for as long as a slow machine may need.
template <class Condition>
bool eventually(const Condition& condition, double seconds = 120) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

/// What the call throws says.
template <class Exception, class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing of that kind was thrown";
  return {};
}

/// Repeats a call while the store is away, as a client must when a server restarts.
template <class Call>
auto insist(const Call& call) {
  for (int attempt = 0;; ++attempt) {
    try {
      return call();
    } catch (const StoreUnavailable&) {
      if (attempt == 600) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
}

/// body() in a process of its own, which has no open connections; returns its number.
template <class Body>
pid_t spawn(const Body& body) {
  const pid_t child = fork();
  if (child != 0) return child;
  int code = 1;
  try {
    body();
    code = 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "child: %s\n", error.what());
  }
  _exit(code);
}

/// The exit code of a child; -1 when a signal ended it.
inline int wait_for(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) return -2;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

inline std::filesystem::path new_folder() {
  const auto folder = std::filesystem::temp_directory_path() / ("bocs-store-" + unique_name());
  std::filesystem::create_directories(folder);
  return folder;
}

class StoreTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (GetParam() == std::string("sqlite")) {
      folder_ = new_folder();
      url_ = "sqlite:" + (folder_ / "studies.db").string();
      return;
    }
    const char* server = std::getenv("BOCS_TEST_POSTGRES");
    if (server == nullptr) GTEST_SKIP() << "BOCS_TEST_POSTGRES names no server";
    server_ = server;
    database_ = "test_" + unique_name();
    insist([&] { connect(server_)->execute("CREATE DATABASE " + database_); });
    url_ = server_.substr(0, server_.rfind('/') + 1) + database_;
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
    if (!database_.empty()) {
      try {
        connect(server_)->execute("DROP DATABASE " + database_ + " WITH (FORCE)");
      } catch (const StoreError&) {  // somebody is slow to leave: the whole server is thrown away in the end
      }
    }
  }

  [[nodiscard]] bool is_postgres() const { return !database_.empty(); }
  [[nodiscard]] const std::string& url() const { return url_; }
  Store store() const {
    return insist([&] { return Store(url_, {.create = true}); });
  }
  std::unique_ptr<Connection> connection() const {
    return insist([&] { return connect(url_, {.create = true}); });
  }
  /// After all clients were killed: a server may still be about to commit the last thing one of them said.
  void wait_for_the_server() const {
    if (!is_postgres()) return;
    const auto database = connection();
    EXPECT_TRUE(eventually([&] {
      return database
          ->execute("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
          .empty();
    }));
  }

 private:
  std::filesystem::path folder_;
  std::string server_, database_, url_;
};

inline std::string store_name(const testing::TestParamInfo<const char*>& info) { return info.param; }

/// A study of random search on 12 bits, which proposes fast.
inline StudySpec small_study(int trials, const std::string& name = "small") {
  StudySpec spec{name, {Space::binary(12), 0, 0, 7}};
  spec.method = "random";
  spec.trials = trials;
  return spec;
}

inline double count_ones(const Point& x) {
  double sum = 0;
  for (const auto level : x) sum += level;
  return sum;
}

}  // namespace bocs
