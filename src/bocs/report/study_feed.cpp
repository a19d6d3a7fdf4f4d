#include "bocs/report/study_feed.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "bocs/report/study_data.hpp"

namespace bocs {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr auto kLook = std::chrono::milliseconds(500);  // between two looks at the store
constexpr auto kHeartbeats = std::chrono::seconds(3);   // at the latest, so that those of workers are fresh
constexpr auto kIdle = std::chrono::seconds(10);        // without a viewer: a page may be loaded again

HttpPiece line_of(const Json& data) {
  return std::make_shared<const std::string>(data.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

/// Something else whenever viewers should see something else of the trial.
std::size_t print_of(const Trial& trial) {
  const auto small = static_cast<std::size_t>(8 * (trial.attempts + 1)) + static_cast<std::size_t>(trial.state);
  return std::hash<std::string>()(trial.error) ^ (small * 0x9e3779b97f4a7c15U);
}

/// What reading a study or a fit needed for a moment would stay with its thread: half of all there is.
void give_back_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace

std::optional<Json> Thinking::news(const Study& study) {
  std::optional<Json> news;
  const auto now = Clock::now();
  if (thought_.valid()) {
    if (thought_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return news;
    news = thought_.get();
    next_ = learns_ ? now : now + 9 * (now - begin_);
    give_back_memory();
  }
  const std::size_t complete = study.history().complete().size();
  if (complete == complete_ || now < next_) return news;
  learns_ = complete >= 2 && (complete < learnt_ || 10 * complete >= 11 * learnt_);  // fewer: one was struck
  begin_ = now;
  try {
    thought_ = std::async(std::launch::async,
                          [study, learn = learns_, threads = threads_] { return think(study, learn, threads); });
  } catch (const std::system_error&) {  // no thread just now
    next_ = now + kIdle;
    return news;
  }
  complete_ = complete;
  if (learns_) learnt_ = complete;
  return news;
}

Json Thinking::think(const Study& study, bool learn, int threads) {
  try {
    Json out = {{"recommended", recommended_data(study)}};
    if (learn) out.update(learnt_data(study, threads));
    return out;
  } catch (const std::exception& error) {
    return {{"trouble", error.what()}};
  }
}

/// What the viewers know.
class StudyFeed::View {
 public:
  explicit View(const FeedOptions& options)
      : options_(options), store_(options.store), study_(store_.open(options.study)), thinking_(options.threads) {
    settings_ = settings();
    (void)changed();
    give_back_memory();
  }

  Study& study() { return study_; }

  /// What has changed since the last call, if anything is to be told.
  std::vector<HttpPiece> news() {
    std::vector<HttpPiece> pieces;
    study_.refresh();
    const std::set<int> numbers = changed();
    if (!numbers.empty() || settings_ != settings()) {
      settings_ = settings();
      Json data = study_news(study_, numbers);
      data["paused"] = study_.mirror().paused();
      pieces.push_back(line_of(data));
      whole_ = nullptr;
    } else if (Clock::now() - told_ > kHeartbeats) {
      pieces.push_back(line_of(claims_news(study_)));
    }
    if (const auto thought = thinking_.news(study_)) {
      learnt_.update(*thought);
      pieces.push_back(line_of(*thought));
    }
    if (!pieces.empty()) told_ = Clock::now();
    return pieces;
  }

  /// All that is known, as of the last news.
  std::vector<HttpPiece> whole() {
    if (!whole_) {
      Json data = study_data(study_, {.command = "--store " + store_.shown_url() + " --study " + options_.study});
      data["whole"] = true;
      data["paused"] = study_.mirror().paused();
      data["writable"] = options_.writable;
      whole_ = line_of(data);
      data = nullptr;
      give_back_memory();
    }
    std::vector<HttpPiece> pieces = {whole_};
    if (!learnt_.empty()) pieces.push_back(line_of(learnt_));
    return pieces;
  }

 private:
  [[nodiscard]] std::string settings() const {
    return std::to_string(study_.mirror().budget()) + (study_.mirror().paused() ? "p" : "") +
           std::to_string(study_.spec().parallel);
  }
  /// The trials that are not what they were at the last call.
  std::set<int> changed() {
    std::set<int> numbers;
    for (const Trial& trial : study_.history().trials()) {
      const auto number = static_cast<std::size_t>(trial.number);
      if (prints_.size() <= number) prints_.resize(number + 1, 0);
      if (const std::size_t print = print_of(trial); std::exchange(prints_[number], print) != print) {
        numbers.insert(trial.number);
      }
    }
    return numbers;
  }

  const FeedOptions& options_;
  Store store_;
  Study study_;
  Thinking thinking_;
  std::vector<std::size_t> prints_;  // of the trials, by number
  std::string settings_;
  HttpPiece whole_;               // null: not what is known by now
  Json learnt_ = Json::object();  // recommended, explanation, posterior
  Clock::time_point told_ = {};
};

StudyFeed::StudyFeed(FeedOptions options)
    : options_(std::move(options)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

bool StudyFeed::add(HttpStream viewer) {
  const std::lock_guard lock(mutex_);
  if (is_over_) return false;
  newcomers_.push_back(std::move(viewer));
  news_.notify_one();
  return true;
}

bool StudyFeed::is_over() {
  const std::lock_guard lock(mutex_);
  return is_over_;
}

void StudyFeed::run(const std::stop_token& stop) {
  HttpPiece last;  // what is said at the end
  try {
    View view(options_);
    view.study().table().connection().give_up_when([&stop] { return stop.stop_requested(); });
    do {
      look(view);
    } while (wait(stop));
  } catch (const std::exception& error) {
    last = line_of({{"trouble", error.what()}});
  }
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  viewers_.insert(viewers_.end(), newcomers_.begin(), newcomers_.end());
  for (const HttpStream& viewer : viewers_) {
    if (last) (void)viewer.send(last);
    viewer.end();
  }
}

void StudyFeed::look(View& view) {
  const auto send = [](const HttpStream& viewer, const std::vector<HttpPiece>& pieces) {
    return std::all_of(pieces.begin(), pieces.end(), [&](const HttpPiece& piece) { return viewer.send(piece); });
  };
  const std::vector<HttpPiece> news = view.news();
  std::erase_if(viewers_, [&](const HttpStream& viewer) { return !send(viewer, news); });
  std::unique_lock lock(mutex_);
  std::vector<HttpStream> newcomers = std::exchange(newcomers_, {});
  lock.unlock();
  for (const HttpStream& viewer : newcomers) {
    if (send(viewer, view.whole())) viewers_.push_back(viewer);
  }
}

/// For the next look; false: there is none.
bool StudyFeed::wait(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, stop, kLook, [this] { return !newcomers_.empty(); });
  if (!viewers_.empty() || !newcomers_.empty()) listened_to_ = Clock::now();
  return !stop.stop_requested() && Clock::now() - listened_to_ < kIdle;
}

}  // namespace bocs
