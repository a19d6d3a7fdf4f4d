#pragma once
// What is shown while a study runs: never silence.

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "bocs/study/progress.hpp"
#include "bocs/study/run_study.hpp"
#include "study_run.hpp"
#include "terminal.hpp"

namespace bocs::cli {

/// On a terminal one line that is rewritten every second: trial, elapsed, best, failures, what runs, time left. On a
/// pipe a line for every new best, and one every minute. With --verbose a line for every trial, with --json an object.
class RunDisplay : public StudyObserver {
 public:
  RunDisplay(const RunArguments& arguments, const Study& study, int workers);
  ~RunDisplay() override;
  RunDisplay(const RunDisplay&) = delete;
  RunDisplay& operator=(const RunDisplay&) = delete;

  void on_begin(const Study& study, const Trial& trial) override;
  void on_trial(const Study& study, const Trial& trial) override;
  void on_late(const Study& study, const Trial& trial) override;
  /// Once per change, and again after ten minutes.
  void on_trouble(const std::string& what) override;

 private:
  using Clock = std::chrono::steady_clock;

  void tick();
  void look_at(const Study& study);
  void say(const std::string& line) const;
  [[nodiscard]] std::string line() const;  // the state in words

  const RunArguments& arguments_;
  const StatusLine status_;
  const int workers_;
  const Clock::time_point start_ = Clock::now();

  // Guarded by the mutex: the ticker shows what the workers tell.
  mutable std::mutex mutex_;
  std::map<int, Clock::time_point> running_;  // trials of this process
  Progress progress_;
  int budget_ = 0;
  bool paused_ = false;
  std::string counts_;               // "14 of 20"
  std::string waiting_for_;          // trouble that has not passed yet
  Clock::time_point told_ = start_;  // the last trial of this process
  double best_ = kUnknown;           // in the user's sense, penalty included
  std::size_t on_front_ = 0;         // trials, where there are several goals
  int begun_ = 0;                    // finished trials when this run began
  std::string last_trouble_;
  Clock::time_point trouble_told_ = {};
  bool ended_ = false;

  std::condition_variable wake_;
  std::thread ticker_;
};

}  // namespace bocs::cli
