#include "bocs/run/loop.hpp"

#include <algorithm>

#include "bocs/base/clock.hpp"
#include "bocs/base/error.hpp"
#include "bocs/numeric/parallel.hpp"
#include "bocs/run/failure_watch.hpp"

namespace bocs {
namespace {

constexpr double kShortestPause = 0.05, kLongestPause = 1;  // while all trials run elsewhere

/// Gives back what was asked for; a store that is away finds it by itself.
void release_all(Session& session, const std::vector<Trial>& trials) noexcept {
  for (const Trial& trial : trials) {
    try {
      session.release(trial.number);
    } catch (...) {  // the error that led here is the one to report
    }
  }
}

}  // namespace

std::string to_string(Reason reason) {
  switch (reason) {
    case Reason::trials:
      return "trial budget reached";
    case Reason::seconds:
      return "the time is up";
    case Reason::target:
      return "the target has been reached";
    case Reason::failures:
      return "evaluations keep failing";
    case Reason::stopped:
      return "it was interrupted";
    case Reason::exhausted:
      return "the whole space has been evaluated";
    case Reason::gave_up:
      return "no new point that the constraints allow was found; there may be one";
    case Reason::converged:
      return "converged: hardly anything is left to gain";
  }
  return {};
}

void Limits::check() const {
  const auto at_least = [](const char* name, double value, double low) {
    require(std::isfinite(value) && value >= low, [&] {
      return std::string(name) + "=" + std::to_string(value) + ": allowed is a finite number, at least " +
             std::to_string(static_cast<int>(low));
    });
  };
  at_least("trials", trials, 0);
  at_least("seconds", seconds, 0);
  at_least("failures", failures, 0);
  at_least("batch", batch, 1);
  at_least("threads", threads, 1);
  at_least("attempts", attempts, 1);
  if (target) require(std::isfinite(*target), "the target must be a finite number");
  require(trials > 0 || seconds > 0 || target || failures > 0 || stop,
          "no limit is set: give trials, seconds, target, failures or stop");
}

Loop::Loop(Limits limits)
    : limits_(std::move(limits)), start_(std::chrono::steady_clock::now()), pause_seconds_(kShortestPause) {
  limits_.check();
}

Loop::~Loop() = default;

double Loop::seconds() const { return seconds_since(start_); }

/// A limit that depends on what this thread's session knows, or on nothing but the loop.
std::optional<Reason> Loop::limit_reached(const Session& session) {
  if (limits_.target) {
    require(!session.task().has_front(), "a target needs one goal; this task has several: leave the target out");
    const Trial* best = session.history().best(session.task());
    if (best && total(session.task(), *best) <= oriented(session.sense(), *limits_.target)) return Reason::target;
  }
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return ended_;
    if (limits_.trials > 0 && begun_ >= limits_.trials) return Reason::trials;
    if (limits_.failures > 0 && result_.failures >= limits_.failures) return Reason::failures;
  }
  if (limits_.seconds > 0 && seconds() >= limits_.seconds) return Reason::seconds;
  if (limits_.stop && limits_.stop()) return Reason::stopped;
  if (limits_.until && has_converged(session)) return Reason::converged;
  return std::nullopt;
}

/// The gain that is left is a fit and some hundred draws: once for each complete trial, by one thread.
bool Loop::has_converged(const Session& session) {
  const std::size_t complete = session.history().complete().size();
  {
    const std::lock_guard lock(mutex_);
    if (complete <= judged_) return false;
    judged_ = complete;
  }
  return limits_.until->is_met(remaining_gain(session.method(), session.task(), session.history()));
}

Loop::Next Loop::next(Session& session, int slots) {
  Next next;
  next.ended = limit_reached(session);
  int wanted = 0;
  {
    const std::lock_guard lock(mutex_);
    if (next.ended == Reason::converged) ended_ = next.ended;  // for all threads
    if (!watch_) watch_ = std::make_unique<FailureWatch>(session.history());
    if (next.ended) {
      result_.reason = *next.ended;
      return next;
    }
    wanted = limits_.trials > 0 ? std::min(slots, limits_.trials - begun_) : slots;
    begun_ += wanted;
  }
  const auto asked = std::chrono::steady_clock::now();
  bool wait = false;
  try {
    const UseThreads threads(limits_.threads);
    while (static_cast<int>(next.begin.size()) < wanted) next.begin.push_back(session.ask());
  } catch (const SearchGaveUp&) {
    next.ended = Reason::gave_up;
  } catch (const SpaceExhausted&) {
    next.ended = Reason::exhausted;
  } catch (const BudgetReached&) {
    next.ended = Reason::trials;
  } catch (const AllRunning&) {
    wait = true;
  } catch (...) {
    release_all(session, next.begin);
    const std::lock_guard lock(mutex_);
    begun_ -= wanted;
    throw;
  }
  if (!next.begin.empty()) next.ended.reset();  // they may still be evaluated; the next call sees the end again

  const std::lock_guard lock(mutex_);
  for (const Trial& trial : next.begin) open_.emplace(&session, trial.number);
  result_.suggest_seconds += seconds_since(asked);
  begun_ -= wanted - static_cast<int>(next.begin.size());
  if (next.ended) result_.reason = *next.ended;
  if (!next.begin.empty()) {
    pause_seconds_ = kShortestPause;
  } else if (wait) {
    next.wait_seconds = pause_seconds_;
    pause_seconds_ = std::min(2 * pause_seconds_, kLongestPause);
  }
  return next;
}

void Loop::judge(const Session& session, const Trial& told) {
  const std::lock_guard lock(mutex_);
  ++result_.trials;
  if (told.state != State::failed) return;
  ++result_.failures;
  if (limits_.keep_going || ended_ || !watch_) return;
  if (const auto verdict = watch_->verdict(session.history())) {
    result_.failing = *verdict;
    ended_ = Reason::failures;
  }
}

/// The trial has been reported; it counts as begun unless it was given back.
void Loop::close(const Session& session, int number, bool counts) {
  const std::lock_guard lock(mutex_);
  open_.erase({&session, number});
  begun_ -= counts ? 0 : 1;
}

Trial Loop::finished(Session& session, int number, const Outcome& outcome, Told* told) {
  const Told what = session.tell(number, outcome);
  close(session, number, true);
  if (told != nullptr) *told = what;
  Trial trial = *session.history().find(number);
  if (what == Told::stands) judge(session, trial);
  return trial;
}

void Loop::no_outcome(Session& session, int number) {
  session.release(number);
  close(session, number, false);
}

std::optional<Trial> Loop::evaluator_died(Session& session, int number, const std::string& how) {
  const Trial* trial = session.history().find(number);
  const int attempts = trial == nullptr ? 0 : trial->attempts;
  if (attempts >= limits_.attempts) {
    return finished(session, number, Outcome::failure(how + " (" + std::to_string(attempts) + " times)"));
  }
  session.release(number, Attempt::counted);
  close(session, number, false);
  return std::nullopt;
}

std::vector<int> Loop::open(const Session& session) const {
  const std::lock_guard lock(mutex_);
  std::vector<int> numbers;
  for (const auto& [holder, number] : open_) {
    if (holder == &session) numbers.push_back(number);
  }
  return numbers;
}

void Loop::abandon(Session& session) noexcept {
  for (const int number : open(session)) {
    try {
      no_outcome(session, number);
    } catch (...) {  // the store is away: the trial is found by its silent worker
    }
  }
}

void Loop::stop(Reason reason) {
  const std::lock_guard lock(mutex_);
  if (!ended_) ended_ = reason;
}

WorkResult Loop::result() const {
  const std::lock_guard lock(mutex_);
  WorkResult result = result_;
  if (ended_) result.reason = *ended_;
  result.seconds = seconds();
  return result;
}

}  // namespace bocs
