#include "run_display.hpp"

#include <fmt/core.h>

#include "bocs/base/clock.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr auto kMinute = std::chrono::minutes(1);
constexpr auto kTroubleAgain = std::chrono::minutes(10);

}  // namespace

RunDisplay::RunDisplay(const RunArguments& arguments, const Study& study, int workers)
    : arguments_(arguments), status_(arguments.quiet || arguments.json), workers_(workers) {
  look_at(study);
  begun_ = progress_.finished();
  if (!arguments.quiet && !arguments.json) ticker_ = std::thread([this] { tick(); });
}

RunDisplay::~RunDisplay() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wake_.notify_all();
  if (ticker_.joinable()) ticker_.join();
  status_.clear();
}

/// The body of the ticker's thread.
void RunDisplay::tick() {
  std::unique_lock lock(mutex_);
  const bool terminal = status_.is_visible();
  if (terminal) status_.show(line());
  const auto pause = terminal ? std::chrono::seconds(1) : std::chrono::duration_cast<std::chrono::seconds>(kMinute);
  while (!wake_.wait_for(lock, pause, [this] { return ended_; })) terminal ? status_.show(line()) : say(line());
}

void RunDisplay::look_at(const Study& study) {
  progress_ = progress_of(study.task(), study.history());
  budget_ = study.mirror().budget();
  counts_ = describe_progress(progress_.finished(), study);
  paused_ = study.mirror().paused();
  best_ = progress_.best == nullptr ? kUnknown : study.value(*progress_.best);
  on_front_ = progress_.front.size();
  progress_.best = progress_.nearest = nullptr;  // the history it points into moves
  progress_.front.clear();
}

void RunDisplay::say(const std::string& line) const {
  status_.clear();
  warn(line);
}

std::string RunDisplay::line() const {
  const int finished = progress_.finished();
  const double elapsed = seconds_since(start_);
  const int current = running_.empty() ? finished : running_.begin()->first;
  std::string text = counts_ + " finished";
  text += "  " + shown_clock(elapsed);
  if (on_front_ > 0) text += fmt::format("  {} on the front", on_front_);
  if (std::isfinite(best_) && on_front_ == 0) text += fmt::format("  best {:.6g}", best_);
  if (progress_.failed > 0) text += fmt::format("  {} failed", progress_.failed);
  if (!waiting_for_.empty()) return text + "  waiting: " + waiting_for_;
  if (running_.empty()) {
    text += paused_ ? "  paused: bocs resume ends that" : "  choosing a point";
  } else {
    const double longest = seconds_since(running_.begin()->second);
    text += running_.size() == 1 && workers_ == 1
                ? fmt::format("  trial {} runs for {}", current, shown_clock(longest))
                : fmt::format("  {} of {} workers evaluate, for {}", running_.size(), workers_, shown_clock(longest));
  }
  const int told = finished - begun_;
  if (told > 0 && budget_ > finished) {
    const double each = std::chrono::duration<double>(told_ - start_).count() / told;
    const double left = each * (budget_ - finished) - seconds_since(told_);
    text += fmt::format("  about {} left", shown_duration(std::max(0.0, left)));
  }
  return text;
}

void RunDisplay::on_begin(const Study& /*study*/, const Trial& trial) {
  const std::lock_guard lock(mutex_);
  running_[trial.number] = Clock::now();
  waiting_for_.clear();
  status_.is_visible() ? status_.show(line()) : void();
}

void RunDisplay::on_trial(const Study& study, const Trial& trial) {
  if (arguments_.json) print_json(trial_json(study, trial));
  const std::lock_guard lock(mutex_);
  running_.erase(trial.number);
  waiting_for_.clear();
  told_ = Clock::now();
  look_at(study);
  if (arguments_.verbose) {
    say(fmt::format("trial {}  {}  {:.3g} s  {}", trial.number, describe_point(study.task().space, trial.x),
                    trial.seconds, describe_outcome(study, trial)));
  } else if (ticker_.joinable() && !status_.is_visible() && !study.task().has_front() && study.best() != nullptr &&
             study.best()->number == trial.number) {
    say(fmt::format("trial {}  best {:.6g}  {}", trial.number, best_, describe_point(study.task().space, trial.x)));
  }
  if (status_.is_visible()) status_.show(line());
}

void RunDisplay::on_late(const Study& /*study*/, const Trial& trial) {
  const std::lock_guard lock(mutex_);
  running_.erase(trial.number);
  waiting_for_.clear();
}

void RunDisplay::on_trouble(const std::string& what) {
  const std::lock_guard lock(mutex_);
  running_.clear();  // whatever it is, it is waited for
  waiting_for_ = what;
  if (arguments_.quiet || (what == last_trouble_ && Clock::now() - trouble_told_ < kTroubleAgain)) return;
  last_trouble_ = what;
  trouble_told_ = Clock::now();
  say("bocs: " + what);
}

}  // namespace bocs::cli
