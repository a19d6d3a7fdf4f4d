#include "bocs/store/worker.hpp"

#include <algorithm>
#include <chrono>

#include "bocs/core/error.hpp"
#include "bocs/store/process.hpp"

namespace bocs {
namespace {

constexpr double kShortestPause = 0.1, kLongestPause = 5;  // seconds between two attempts to reach the store
constexpr double kSlice = 0.1;                             // of a pause, after which `stop` is asked

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

/// Calls until it is not the store's absence that ends the call.
template <class Call>
auto Worker::patiently(const std::function<bool()>& stop, const Call& call) {
  const double deadline = steady_seconds() + options_.patience_seconds;
  for (double pause = kShortestPause;; pause = std::min(2 * pause, kLongestPause)) {
    try {
      return call();
    } catch (const StoreUnavailable& trouble) {
      last_trouble_ = steady_seconds();
      if (last_trouble_ > deadline || (stop && stop())) throw;
      if (options_.on_trouble) options_.on_trouble(trouble.what());
    }
    for (const double end = steady_seconds() + pause; steady_seconds() < end && !(stop && stop());) {
      std::this_thread::sleep_for(std::chrono::duration<double>(kSlice));
    }
  }
}

Worker::Worker(const std::string& url, const std::string& study, WorkerOptions options)
    : options_(std::move(options)),
      url_(url),
      name_(name_worker()),
      last_trouble_(-std::numeric_limits<double>::infinity()) {
  patiently(options_.stop, [&] {
    store_ = std::make_unique<Store>(url_);
    study_ = std::make_unique<Study>(store_->open(study));
  });
  study_->sign(name_);
  heart_ = std::thread([this] { beat(); });
}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wake_.notify_all();
  heart_.join();
  try {
    study_->release_all();
  } catch (...) {  // the store is away: the others will find the heart silent
  }
}

/// The body of the heart's thread. Whatever goes wrong here, it tries again at the next beat: nothing may leave a
/// thread.
void Worker::beat() {
  std::shared_ptr<Connection> connection;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, std::chrono::duration<double>(options_.beat_seconds), [this] { return ended_; })) {
    lock.unlock();
    try {
      if (!connection) connection = connect(url_, {.create = false, .busy_seconds = 2});
      TrialTable(connection, study_->id()).beat(name_);
    } catch (...) {
      last_trouble_ = steady_seconds();
      connection.reset();
    }
    lock.lock();
  }
}

Trial Worker::ask() {
  const auto attempt = [&] {
    // After an outage nobody has beaten for a while: give the others time to, before they count as dead.
    const bool is_settled = steady_seconds() > last_trouble_ + options_.silent_seconds;
    study_->reclaim(is_settled ? options_.silent_seconds : std::numeric_limits<double>::infinity());
    return study_->ask();
  };
  try {
    return patiently(options_.stop, attempt);
  } catch (const StoreUnavailable&) {
    if (options_.stop && options_.stop()) throw AllRunning("stopped while the store was away");
    throw;
  }
}

void Worker::tell(int number, const Outcome& outcome) {
  patiently({}, [&] {  // a result is not thrown away because somebody is in a hurry
    try {
      study_->tell(number, outcome);
    } catch (const InvalidArgument&) {
      study_->refresh();
      const Trial* trial = history().find(number);
      if (trial == nullptr || (trial->state != State::complete && trial->state != State::failed)) throw;
      // Taken for dead, this worker was overtaken by another: the first result stands.
    }
  });
}

}  // namespace bocs
