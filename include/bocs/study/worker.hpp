#pragma once
// A study as one worker sees it: a session for work() (run/work.hpp) that beats, waits out a store that is away, and
// gives back what it held when it ends.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "bocs/study/store.hpp"

namespace bocs {

struct WorkerOptions {
  double beat_seconds = 5;        // between heartbeats, and between two looks for dead workers
  double silent_seconds = 60;     // without a heartbeat, a worker counts as dead at the second look
  double patience_seconds = 600;  // how long a store may be away before the worker gives up (StoreUnavailable)
  /// Asked while the store is away. True: the constructor gives up, and ask() throws AllRunning, so that work() finds
  /// its own limit. What was evaluated is told all the same.
  std::function<bool()> stop = {};
  /// Told what is being waited for, and of results that came too late.
  std::function<void(const std::string&)> on_trouble = {};
};

/// One per thread. Worker worker(url, "stations"); work(worker, objective, {.stop = ...}).
class Worker : public Session {
 public:
  Worker(const std::string& url, const std::string& study, WorkerOptions options = {});
  /// Through a session that is open already and outlives the worker.
  explicit Worker(Study& study, WorkerOptions options = {});
  ~Worker() override;  // releases what is still running; what cannot be reached is found dead by the others
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// As of Study. Before it, once per beat, the trials of dead workers are reclaimed.
  Trial ask() override { return ask(std::vector<Constraint>()); }
  Trial ask(const std::vector<Constraint>& rules) override;
  /// As of Study; but if another worker was faster (Overtaken), that is only noted.
  Told tell(int number, const Outcome& outcome) override;
  int tell(const Point& x, const Outcome& outcome, Origin origin = Origin::told) override;
  using Session::tell;
  bool release(int number, Attempt attempt = Attempt::not_counted) override;
  int enqueue(const Point& x) override;
  void strike(int number, const std::string& why) override;
  void refresh() override;
  /// As of Study.
  void hand_over(int number);
  /// Gives back what this worker holds and has not told.
  void release_all();

  [[nodiscard]] const Task& task() const override { return study_->task(); }
  [[nodiscard]] Sense sense() const override { return study_->sense(); }
  [[nodiscard]] const History& history() const override { return study_->history(); }
  [[nodiscard]] const Method& method() const override { return study_->method(); }
  [[nodiscard]] const Study& study() const { return *study_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  struct Grace;
  void begin();
  [[nodiscard]] std::function<bool()> stop_with_grace() const;
  template <class Call>
  auto retry_while_unavailable(const std::function<bool()>& stop, const Call& call);
  void beat();
  void reclaim();

  WorkerOptions options_;
  std::unique_ptr<Study> owned_;  // unless the session belongs to the caller
  Study* study_ = nullptr;
  std::shared_ptr<Grace> grace_;
  std::string name_;                  // of this worker: see name_worker
  Beats silent_;                      // at the last look
  double last_reclaim_;               // by the steady clock, in seconds
  std::atomic<double> last_trouble_;  // likewise: when the store was last away

  std::mutex mutex_;
  std::condition_variable wake_;
  bool ended_ = false;  // guarded by mutex_
  std::thread heart_;
};

}  // namespace bocs
