#include "bocs/study/worker.hpp"

#include <chrono>
#include <system_error>

#include "bocs/base/clock.hpp"
#include "bocs/store/patience.hpp"
#include "bocs/store/process.hpp"

namespace bocs {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

constexpr double kGrace = 2;  // seconds for what must still be said when the worker is asked to stop

}  // namespace

struct Worker::Grace {
  std::function<bool()> stop;
  bool is_over = false;  // the store did not answer in it
};

/// As `stop`, but only after a while: a result is not thrown away because the worker is in a hurry, unless the store
/// does not answer. One call waits for that, those after it do not.
std::function<bool()> Worker::stop_with_grace() const {
  return [grace = grace_, asked = std::make_shared<double>(0)] {
    if (!grace->stop || !grace->stop()) return false;
    if (*asked == 0) *asked = steady_seconds();
    grace->is_over = grace->is_over || steady_seconds() >= *asked + kGrace;
    return grace->is_over;
  };
}

template <class Call>
auto Worker::retry_while_unavailable(const std::function<bool()>& stop, const Call& call) {
  const auto watched = [&] {
    try {
      return call();
    } catch (const StoreUnavailable&) {
      last_trouble_ = steady_seconds();
      throw;
    }
  };
  if (study_ != nullptr) study_->table().connection().give_up_when(stop);
  return bocs::retry_while_unavailable({options_.patience_seconds, stop, options_.on_trouble}, watched);
}

Worker::Worker(const std::string& url, const std::string& study, WorkerOptions options)
    : options_(std::move(options)), name_(name_worker()), last_reclaim_(kNever), last_trouble_(kNever) {
  owned_ = retry_while_unavailable(options_.stop, [&] { return std::make_unique<Study>(Store(url).open(study)); });
  study_ = owned_.get();
  begin();
}

Worker::Worker(Study& study, WorkerOptions options)
    : options_(std::move(options)), study_(&study), name_(name_worker()), last_reclaim_(kNever), last_trouble_(kNever) {
  begin();
}

void Worker::begin() {
  study_->ledger().sign(name_);
  grace_ = std::make_shared<Grace>(Grace{options_.stop});
  try {
    heart_ = std::thread([this] { beat(); });
  } catch (const std::system_error& error) {
    throw Error(std::string("the thread of a worker's heartbeat cannot be started: ") + error.what());
  }
}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wake_.notify_all();
  heart_.join();
  try {
    grace_->stop = [] { return true; };  // whatever ended the work
    study_->table().connection().give_up_when(stop_with_grace());
    study_->release_all();
  } catch (...) {  // the store is away: the others will find the heart silent
  }
  grace_->stop = options_.stop;
  study_->table().connection().give_up_when(stop_with_grace());
  study_->ledger().sign({});
}

/// The body of the heart's thread. Whatever goes wrong here, it tries again at the next beat: nothing may leave a
/// thread.
void Worker::beat() {
  std::shared_ptr<Connection> connection;
  const auto is_ended = [this] {
    const std::lock_guard guard(mutex_);
    return ended_;
  };
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, std::chrono::duration<double>(options_.beat_seconds), [this] { return ended_; })) {
    lock.unlock();
    try {
      if (!connection) connection = connect(study_->table().connection().url(), {.busy_seconds = 2, .stop = is_ended});
      TrialTable(connection, study_->table().study()).beat(name_);
    } catch (...) {
      last_trouble_ = steady_seconds();
      connection.reset();
    }
    lock.lock();
  }
}

Trial Worker::ask(const std::vector<Constraint>& rules) {
  const auto attempt = [&] {
    if (steady_seconds() >= last_reclaim_ + options_.beat_seconds) reclaim();
    return study_->ask(rules);
  };
  try {
    return retry_while_unavailable(options_.stop, attempt);
  } catch (const StoreUnavailable&) {
    if (options_.stop && options_.stop()) throw AllRunning("stopped while the store was away");
    throw;
  }
}

void Worker::reclaim() {
  // After an outage nobody has beaten for a while: give the others time to, before they count as dead.
  const bool is_settled = steady_seconds() > last_trouble_ + options_.silent_seconds;
  study_->table().reclaim(is_settled ? options_.silent_seconds : std::numeric_limits<double>::infinity(),
                          study_->spec().attempts, &silent_);
  last_reclaim_ = steady_seconds();
}

Told Worker::tell(int number, const Outcome& outcome) {
  try {
    retry_while_unavailable(stop_with_grace(), [&] { study_->tell(number, outcome); });
  } catch (const Overtaken& error) {
    if (options_.on_trouble) options_.on_trouble(error.what());
    return Told::late;
  }
  return Told::stands;
}

int Worker::tell(const Point& x, const Outcome& outcome, Origin origin) {
  return retry_while_unavailable(stop_with_grace(), [&] { return study_->tell(x, outcome, origin); });
}

bool Worker::release(int number, Attempt attempt) {
  return retry_while_unavailable(stop_with_grace(), [&] { return study_->release(number, attempt); });
}

int Worker::enqueue(const Point& x) {
  return retry_while_unavailable(stop_with_grace(), [&] { return study_->enqueue(x); });
}

void Worker::strike(int number, const std::string& why) {
  retry_while_unavailable(stop_with_grace(), [&] { study_->strike(number, why); });
}

void Worker::refresh() {
  retry_while_unavailable(stop_with_grace(), [&] { study_->refresh(); });
}

void Worker::hand_over(int number) {
  retry_while_unavailable(stop_with_grace(), [&] { study_->ledger().hand_over(number, study_->table()); });
}

void Worker::release_all() {
  retry_while_unavailable(stop_with_grace(), [&] { study_->release_all(); });
}

}  // namespace bocs
