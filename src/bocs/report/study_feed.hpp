#pragma once
// A study as all its viewers see it: one session and one copy of its data, however many look.

#include <condition_variable>
#include <future>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "bocs/report/http_server.hpp"
#include "bocs/study/store.hpp"

namespace bocs {

struct FeedOptions {
  std::string store;  // URL
  std::string study;  // its name
  bool writable = true;
  int threads = 1;  // for what was learnt
};

/// What takes a fit of the model, beside everything else: what was learnt, when a tenth more trials are complete or one
/// was struck, and what is recommended under noise, when any more are, but for at most a tenth of the time.
class Thinking {
 public:
  explicit Thinking(int threads) : threads_(threads) {}
  /// What was found since the last call; begins to think when there is a reason.
  std::optional<nlohmann::ordered_json> news(const Study& study);

 private:
  using Clock = std::chrono::steady_clock;
  static nlohmann::ordered_json think(const Study& study, bool learn, int threads);

  int threads_;
  std::future<nlohmann::ordered_json> thought_;
  Clock::time_point begin_ = {}, next_ = {};  // of the last thought; not before
  bool learns_ = false;                       // the last one
  std::size_t complete_ = 0, learnt_ = 0;     // trials that the last one knew, and the last one that learnt
};

/// Lines of JSON, each to all viewers: first the whole study ("whole": true) and what was learnt, then news. A thread
/// looks at the store as long as anybody listens.
class StudyFeed {
 public:
  explicit StudyFeed(FeedOptions options);
  [[nodiscard]] bool add(HttpStream viewer);  // false: nobody listened for long, or the store failed: make another one
  [[nodiscard]] bool is_over();

 private:
  class View;  // of the study, in the thread
  void run(const std::stop_token& stop);
  void look(View& view);
  bool wait(const std::stop_token& stop);

  FeedOptions options_;
  std::mutex mutex_;
  std::condition_variable_any news_;
  std::vector<HttpStream> viewers_, newcomers_;
  std::chrono::steady_clock::time_point listened_to_ = std::chrono::steady_clock::now();  // last
  bool is_over_ = false;
  std::jthread thread_;  // last: it ends first
};

}  // namespace bocs
