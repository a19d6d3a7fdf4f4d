#include "bocs/report/dashboard.hpp"

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <system_error>

#include "bocs/report/http_server.hpp"
#include "bocs/report/page.hpp"
#include "bocs/report/study_feed.hpp"
#include "bocs/store/process.hpp"
#include "bocs/study/point_json.hpp"
#include "bocs/study/store.hpp"
#include "bocs/study/untrusted_json.hpp"

namespace bocs {
namespace {

using Json = nlohmann::ordered_json;

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

class Dashboard {
 public:
  explicit Dashboard(DashboardOptions options) : options_(std::move(options)) {
    if (options_.token.empty()) {
      require(is_loopback(options_.host), [&] {
        return "--host " + options_.host +
               " can be reached from other machines: choose a token, too (--token-file FILE)";
      });
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
    const std::string host = options_.host.find(':') == std::string::npos ? options_.host : "[" + options_.host + "]";
    if (options_.on_ready)
      options_.on_ready("http://" + host + ":" + std::to_string(server.port()) + "/#token=" + options_.token);
    server.run(options_.stop ? options_.stop : [] { return false; });
  }

 private:
  HttpResponse answer(const HttpRequest& request);
  static HttpResponse file(const HttpRequest& request);
  HttpResponse api(const HttpRequest& request);
  HttpResponse route(const HttpRequest& request);
  [[nodiscard]] Store open() const { return Store(options_.store, {.check = false}); }  // it was when we began
  Json list();
  HttpResponse live(const std::string& name);
  HttpResponse act(const HttpRequest& request);
  void add_viewer(const std::string& name, const HttpStream& viewer);

  DashboardOptions options_;
  bool writable_ = false;
  std::map<std::string, std::unique_ptr<StudyFeed>> feeds_;  // by study
};

/// The page itself holds nothing of a study: only what it asks for needs the token, which a browser sends in no other
/// way than by this page.
HttpResponse Dashboard::answer(const HttpRequest& request) {
  const std::string authority = request.header("host"), origin = request.header("origin");
  if (!is_ours(without_port(authority), options_.host)) {
    return {.status = 403, .body = "this dashboard is not called that\n"};
  }
  if (!origin.empty() && origin != "http://" + authority) {
    return {.status = 403, .body = "only the dashboard's own page is answered\n"};
  }
  return request.path.starts_with("/api/") ? api(request) : file(request);
}

HttpResponse Dashboard::file(const HttpRequest& request) {
  if (request.method != "GET") return {.status = 405, .body = "GET\n"};
  const std::string name = request.path == "/" ? "dashboard.html" : request.path.substr(1);
  const auto text = web_file(name);
  if (!text) return {.status = 404, .body = "there is no " + name};
  const std::string type = name.ends_with(".js")    ? "text/javascript"
                           : name.ends_with(".css") ? "text/css"
                                                    : "text/html";
  return {
      .type = type + "; charset=utf-8", .body = std::string(*text), .headers = {{"Content-Security-Policy", kPolicy}}};
}

HttpResponse Dashboard::api(const HttpRequest& request) {
  const std::string given = request.header("authorization");
  if (given.empty()) return {.status = 401, .body = "open the URL that bocs dashboard printed: it holds the token\n"};
  if (!same(given, "Bearer " + options_.token)) {
    return {.status = 403, .body = "the token is that of another dashboard: open the URL that was printed last\n"};
  }
  return {.work = [this, request]() -> HttpResponse {
    try {
      return route(request);
    } catch (const InvalidArgument& error) {
      return {.status = 409, .body = error.what()};
    } catch (const StoreError& error) {
      return {.status = 503, .body = error.what()};
    }
  }};
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
  if (request.path == "/api/act") return {.status = 405, .body = "changes are made by POST"};
  return {.status = 404, .body = "there is no " + request.path};
}

Json Dashboard::list() {
  Store store = open();
  Json studies = Json::array();
  for (const auto& study : store.list()) {
    studies.push_back({{"name", study.spec.name},
                       {"direction", word_of(study.spec.sense)},
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

HttpResponse Dashboard::live(const std::string& name) {
  if (Store store = open(); !store.contains(name)) store.open(name);  // which says what there is
  return {.type = "application/x-ndjson",
          .stream = [this, name](const HttpStream& viewer) { add_viewer(name, viewer); }};
}

/// In the thread of the server, as all streams begin.
void Dashboard::add_viewer(const std::string& name, const HttpStream& viewer) {
  std::erase_if(feeds_, [](const auto& one) { return one.second->is_over(); });
  auto& feed = feeds_[name];
  if (feed && feed->add(viewer)) return;
  try {
    feed = std::make_unique<StudyFeed>(
        FeedOptions{.store = options_.store, .study = name, .writable = writable_, .threads = options_.threads});
    (void)feed->add(viewer);
  } catch (const std::system_error&) {  // no thread just now: the page tries again
    feeds_.erase(name);
    viewer.end();
  }
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
  Store store = open();
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
