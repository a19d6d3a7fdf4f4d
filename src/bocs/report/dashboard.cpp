#include "bocs/report/dashboard.hpp"

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <mutex>
#include <thread>

#include "bocs/report/http_server.hpp"
#include "bocs/report/page.hpp"
#include "bocs/report/study_data.hpp"
#include "bocs/run/point_json.hpp"
#include "bocs/run/untrusted_json.hpp"
#include "bocs/store/process.hpp"
#include "bocs/store/store.hpp"

namespace bocs {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto kLook = std::chrono::milliseconds(500);  // between two looks at the store
constexpr double kNewsSeconds = 3;                      // at the latest, so that heartbeats are fresh

constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

std::string text_of(const Json& data) { return data.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// In a time that does not tell how much of it is right.
bool same(const std::string& a, const std::string& b) {
  unsigned different = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    different |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return different == 0;
}

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" ||
         (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos);
}

/// "localhost" of "localhost:80", "::1" of "[::1]:80".
std::string without_port(const std::string& authority) {
  if (authority.starts_with('[')) return authority.substr(1, std::min(authority.find(']'), authority.size()) - 1);
  return authority.substr(0, authority.find(':'));
}

/// A page of a stranger whose name was made to mean this machine sends that name: only addresses and our own names are
/// answered.
bool is_ours(const std::string& name, const std::string& host) {
  in6_addr address{};
  if (is_loopback(name) || name == host) return true;
  if (inet_pton(AF_INET, name.c_str(), &address) == 1 || inet_pton(AF_INET6, name.c_str(), &address) == 1) return true;
  char own[256] = {};
  return gethostname(own, sizeof own - 1) == 0 && name == own;
}

/// What is recommended under noise, kept fresh for one viewer: it takes a fit of the model, which is made when more
/// trials are complete, but for at most a tenth of the time.
class Recommending {
 public:
  void add_to(Json& data, const Study& study) {
    using Clock = std::chrono::steady_clock;
    const std::size_t complete = study.history().complete().size();
    const auto start = Clock::now();
    if (complete == complete_ || start < next_) return;
    data["recommended"] = recommended_data(study);
    complete_ = complete;
    const auto end = Clock::now();
    next_ = end + 9 * (end - start);
  }

 private:
  std::size_t complete_ = std::numeric_limits<std::size_t>::max();  // trials that the last one knew
  std::chrono::steady_clock::time_point next_ = {};                 // not before
};

class Dashboard {
 public:
  explicit Dashboard(DashboardOptions options) : options_(std::move(options)) {
    if (options_.token.empty()) {
      require(is_loopback(options_.host),
              [&] { return "--host " + options_.host + " can be reached from other machines: choose a --token, too"; });
      constexpr const char* kDigits = "0123456789abcdef";
      for (int word = 0; word < 2; ++word) {
        std::uint64_t bits = random_bits();
        for (int i = 0; i < 16; ++i, bits >>= 4) options_.token += kDigits[bits & 15U];
      }
    }
    require(options_.token.size() >= 16 &&
                options_.token.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz"
                                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_") == std::string::npos,
            "a token has at least 16 letters, digits, - and _");
    Store store(options_.store);  // before anybody is told the URL
    writable_ = store.is_writable();
  }

  void run() {
    HttpServer server(options_.host, options_.port, [this](const HttpRequest& request) { return answer(request); });
    port_ = server.port();
    const std::string host = options_.host.find(':') == std::string::npos ? options_.host : "[" + options_.host + "]";
    if (options_.on_ready)
      options_.on_ready("http://" + host + ":" + std::to_string(port_) + "/?token=" + options_.token);
    server.run(options_.stop ? options_.stop : [] { return false; });
  }

 private:
  HttpResponse answer(const HttpRequest& request);
  HttpResponse route(const HttpRequest& request);
  [[nodiscard]] std::string cookie_name() const { return "bocs_" + std::to_string(port_); }
  HttpResponse file(const std::string& name) const;
  Json list();
  HttpResponse live(const std::string& name);
  HttpResponse learnt(const std::string& name);
  HttpResponse act(const HttpRequest& request);

  DashboardOptions options_;
  bool writable_ = false;
  int port_ = 0;
  std::mutex fitting_;                                                  // one fit at a time
  std::map<std::int64_t, std::pair<std::size_t, std::string>> learnt_;  // by study: complete trials, what was learnt
};

HttpResponse Dashboard::answer(const HttpRequest& request) {
  HttpResponse response;
  const std::string authority = request.header("host");
  const auto given = request.query.find("token");
  const std::string cookie = request.cookie(cookie_name());
  if (!is_ours(without_port(authority), options_.host)) {
    response = {.status = 403, .body = "this dashboard is not called that\n"};
  } else if (request.method == "GET" && request.path == "/" && given != request.query.end()) {
    response = same(given->second, options_.token)
                   ? HttpResponse{.status = 303,
                                  .headers = {{"Location", "/"},
                                              {"Set-Cookie", cookie_name() + "=" + options_.token +
                                                                 "; Path=/; HttpOnly; SameSite=Strict"}}}
                   : HttpResponse{.status = 403, .body = "the token is wrong\n"};
  } else if (cookie.empty()) {
    response = {.status = 401, .body = "open the URL that bocs dashboard printed: it holds the token\n"};
  } else if (!same(cookie, options_.token)) {
    response = {.status = 403,
                .body = "the token is that of an earlier dashboard: open the URL that was printed last\n"};
  } else if (request.method != "GET" && request.header("origin") != "http://" + authority) {
    response = {.status = 403, .body = "changes are made from the dashboard's own page\n"};
  } else {
    try {
      response = route(request);
    } catch (const InvalidArgument& error) {
      response = {.status = 409, .body = error.what()};
    } catch (const StoreError& error) {
      response = {.status = 503, .body = error.what()};
    }
  }
  response.headers.emplace_back("Content-Security-Policy", kPolicy);
  return response;
}

HttpResponse Dashboard::route(const HttpRequest& request) {
  const auto study = [&] {
    const auto found = request.query.find("study");
    require(found != request.query.end(), "name a study");
    return found->second;
  };
  if (request.method == "POST" && request.path == "/api/act") return act(request);
  if (request.method != "GET") return {.status = 405, .body = "GET, or POST of /api/act"};
  if (request.path == "/api/studies") return {.type = "application/json", .body = text_of(list())};
  if (request.path == "/api/live") return live(study());
  if (request.path == "/api/learnt") return learnt(study());
  if (request.path == "/api/act") return {.status = 405, .body = "changes are made by POST"};
  return file(request.path == "/" ? "dashboard.html" : request.path.substr(1));
}

HttpResponse Dashboard::file(const std::string& name) const {
  const auto text = web_file(name);
  if (!text) return {.status = 404, .body = "there is no " + name};
  const std::string type = name.ends_with(".js")    ? "text/javascript"
                           : name.ends_with(".css") ? "text/css"
                                                    : "text/html";
  return {.type = type + "; charset=utf-8", .body = std::string(*text)};
}

Json Dashboard::list() {
  Store store(options_.store);
  Json studies = Json::array();
  for (const auto& study : store.list()) {
    studies.push_back({{"name", study.spec.name},
                       {"direction", study.spec.sense == Sense::maximize ? "maximize" : "minimize"},
                       {"variables", study.spec.task.space.dimension()},
                       {"method", study.spec.method},
                       {"budget", study.budget},
                       {"past", study.past},
                       {"complete", study.complete},
                       {"failed", study.failed},
                       {"running", study.running},
                       {"waiting", study.waiting},
                       {"paused", study.paused},
                       {"best", study.best ? Json(*study.best) : Json(nullptr)}});
  }
  return {{"store", store.shown_url()}, {"writable", writable_}, {"studies", std::move(studies)}};
}

/// Server-sent events: first the whole study, then what may have changed: the trials from the first unfinished one on.
HttpResponse Dashboard::live(const std::string& name) {
  Store(options_.store).open(name);  // refuses an unknown name while there is still an answer to be given
  const auto stream = [this, name](const HttpSend& send) {
    Store store(options_.store);
    Study study = store.open(name);
    const auto fingerprint = [&study] {
      std::string print =
          std::to_string(study.budget()) + (study.paused() ? "p" : "") + std::to_string(study.spec().parallel);
      for (const auto& trial : study.history().trials()) {
        if (trial.state == State::waiting || trial.state == State::running) print += " " + std::to_string(trial.number);
      }
      return print + ":" + std::to_string(study.history().size()) + ":" +
             std::to_string(study.history().complete().size());
    };
    // Those before it have ended. A failed one may be tried again: then it is the first one again.
    const auto first_open = [&study] {
      const auto trials = study.history().trials();
      const auto open = std::find_if(trials.begin(), trials.end(), [](const Trial& trial) {
        return trial.state == State::waiting || trial.state == State::running;
      });
      return open != trials.end() ? open->number : trials.empty() ? 0 : trials.back().number + 1;
    };
    std::string last = "nothing";
    int from = 0;
    auto sent = std::chrono::steady_clock::now();
    Recommending recommending;
    for (;;) {
      study.refresh();
      const auto now = std::chrono::steady_clock::now();
      const std::string print = fingerprint();
      const bool is_news = print != last;  // else only heartbeats are: no trial is sent again
      if (is_news || std::chrono::duration<double>(now - sent).count() > kNewsSeconds) {
        const int open = first_open();
        const ReportOptions options{.command = "--store " + store.shown_url() + " --study " + name};
        const auto trials = study.history().trials();
        const int end = trials.empty() ? 0 : trials.back().number + 1;
        Json data = study_data(study, options, is_news ? std::min(from, open) : end);
        data["paused"] = study.paused();
        data["writable"] = writable_;
        recommending.add_to(data, study);
        if (!send("data: " + text_of(data) + "\n\n")) return;
        last = print;
        sent = now;
        from = open;
      } else if (!send(": \n\n")) {
        return;
      }
      std::this_thread::sleep_for(kLook);
    }
  };
  return {.type = "text/event-stream", .stream = stream};
}

HttpResponse Dashboard::learnt(const std::string& name) {
  Store store(options_.store);
  const Study study = [&] {
    Study opened = store.open(name);
    opened.refresh();
    return opened;
  }();
  const std::lock_guard lock(fitting_);
  auto& [complete, text] = learnt_[study.id()];
  if (text.empty() || complete != study.history().complete().size()) {
    complete = study.history().complete().size();
    text = text_of(learnt_data(study, options_.threads));
  }
  return {.type = "application/json", .body = text};
}

HttpResponse Dashboard::act(const HttpRequest& request) {
  require(request.header("content-type").starts_with("application/json"), "an act is JSON");
  const auto wanted = parse_untrusted_json<Json>(request.body);
  const auto text = [&](const char* key) {
    require(wanted.is_object() && wanted.contains(key) && wanted[key].is_string(),
            [&] { return std::string(key) + " is missing"; });
    return wanted[key].get<std::string>();
  };
  const auto whole = [&](const char* key) {
    require(wanted.contains(key) && wanted[key].is_number_integer() && wanted[key] >= 0 && wanted[key] <= 1'000'000'000,
            [&] {
              return std::string(key) + ": found " + (wanted.contains(key) ? wanted[key].dump() : "nothing") +
                     "; allowed: a whole number from 0 on";
            });
    return wanted[key].get<int>();
  };
  const std::string what = text("act");
  Store store(options_.store);
  Study study = store.open(text("study"));
  study.refresh();
  Json done = {{"done", what}};
  if (what == "pause" || what == "resume") {
    study.pause(what == "pause");
  } else if (what == "budget") {
    StudySpec spec = study.spec();
    spec.trials = whole("trials");
    study.amend(spec);
  } else if (what == "tell") {
    require(wanted.contains("value") && wanted["value"].is_number(), "value: a number is missing");
    study.tell(whole("trial"), wanted["value"].get<double>());
  } else if (what == "release") {
    const int number = whole("trial");
    require(study.release(number), [&] { return "trial " + std::to_string(number) + " is not running"; });
  } else if (what == "strike") {
    study.strike(whole("trial"), text("why"));
  } else if (what == "enqueue") {
    require(wanted.contains("point"), "point is missing");
    done["trial"] = study.enqueue(point_from_named_json(study.task().space, wanted["point"].dump()));
  } else {
    throw InvalidArgument("act: found " + what + "; allowed: pause, resume, budget, tell, release, strike, enqueue");
  }
  return {.type = "application/json", .body = text_of(done)};
}

}  // namespace

void run_dashboard(const DashboardOptions& options) { Dashboard(options).run(); }

}  // namespace bocs
