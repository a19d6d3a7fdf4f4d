#include "bocs/report/http_server.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "bocs/base/error.hpp"
#include "bocs/platform/platform.hpp"

namespace bocs {
namespace {

constexpr std::size_t kMostHead = 16 * 1024;
constexpr std::size_t kMostConnections = 1000;
constexpr int kWorkers = 4;
constexpr auto kHeadTime = std::chrono::seconds(5);     // for the head of a request
constexpr auto kPatience = std::chrono::seconds(10);    // for its body, and for a client that does not read
constexpr auto kTurn = std::chrono::milliseconds(200);  // at most, until `stop` is asked again

std::string head_of(const HttpResponse& response) {
  std::string text =
      "HTTP/1.1 " + std::to_string(response.status) + " " + http_reason(response.status) +
      "\r\nContent-Type: " + response.type +
      "\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\n"
      "Referrer-Policy: no-referrer\r\nCache-Control: no-store\r\nCross-Origin-Resource-Policy: same-origin\r\n";
  if (!response.stream) text += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
  for (const auto& [name, value] : response.headers) text += name + ": " + value + "\r\n";
  return text + "\r\n";
}

/// What `make` returns, or what its exception says.
template <class Make>
HttpResponse response_of(const Make& make) {
  try {
    return make();
  } catch (const InvalidArgument& error) {
    return {.status = 400, .body = error.what()};
  } catch (const std::exception& error) {
    return {.status = 500, .body = error.what()};
  }
}

/// Of a descriptor that no other program shall have.
void never_block(int descriptor) {
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
}

}  // namespace

/// What other threads have for connections.
class HttpMailbox {
 public:
  struct Parcel {
    std::uint64_t connection = 0;
    std::optional<HttpResponse> response;  // or else:
    HttpPiece piece;                       // null: the stream ends
  };

  HttpMailbox() {
    if (!platform::make_pipe(bell_.data()))
      throw Error(std::string("the server cannot start: ") + std::strerror(errno));
    for (const int end : bell_) never_block(end);
  }
  ~HttpMailbox() {
    for (const int end : bell_) ::close(end);
  }
  HttpMailbox(const HttpMailbox&) = delete;
  HttpMailbox& operator=(const HttpMailbox&) = delete;

  [[nodiscard]] int event() const { return bell_[0]; }  // readable when something has come
  void put(Parcel parcel) {
    const std::lock_guard lock(mutex_);
    parcels_.push_back(std::move(parcel));
    wake();
  }
  bool put(std::uint64_t stream, HttpPiece piece) {
    const std::lock_guard lock(mutex_);
    if (!streams_.contains(stream)) return false;
    parcels_.push_back({stream, std::nullopt, std::move(piece)});
    wake();
    return true;
  }
  std::vector<Parcel> take() {
    const std::lock_guard lock(mutex_);
    std::array<char, 4096> rings{};
    while (::read(bell_[0], rings.data(), rings.size()) > 0) {
    }
    return std::exchange(parcels_, {});
  }
  void open(std::uint64_t stream) {
    const std::lock_guard lock(mutex_);
    streams_.insert(stream);
  }
  void close(std::uint64_t stream) {
    const std::lock_guard lock(mutex_);
    streams_.erase(stream);
  }

 private:
  void wake() const {
    (void)!::write(bell_[1], "!", 1);  // a full pipe is ringing already
  }

  std::mutex mutex_;
  std::array<int, 2> bell_{};  // a pipe: read, write
  std::vector<Parcel> parcels_;
  std::set<std::uint64_t> streams_;  // those that are open
};

bool HttpStream::send(HttpPiece piece) const { return mailbox_->put(connection_, std::move(piece)); }
void HttpStream::end() const { (void)mailbox_->put(connection_, nullptr); }

struct HttpServer::Connection {
  int socket = -1;
  Clock::time_point deadline;
  bool is_reading = true;   // the request; later what follows it, if anything
  bool is_stream = false;   // stays open when all is sent
  bool is_over = false;     // all is sent
  bool is_trusted = false;  // it got work or a stream
  std::string in;
  std::optional<HttpRequest> request;  // once its head has come
  std::size_t body_size = 0;
  std::deque<HttpPiece> out;
  std::size_t sent = 0;  // of out.front()
};

/// A few threads that do one job after the other. At the end, what has not begun is dropped.
class HttpServer::Workers {
 public:
  Workers() {
    for (int i = 0; i < kWorkers; ++i) {
      try {
        threads_.emplace_back([this](const std::stop_token& stop) { serve(stop); });
      } catch (const std::system_error& error) {  // fewer will do
        if (threads_.empty()) throw Error(std::string("the server cannot start a thread: ") + error.what());
        return;
      }
    }
  }
  void add(std::function<void()> job) {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    news_.notify_one();
  }

 private:
  void serve(const std::stop_token& stop) {
    for (;;) {
      std::unique_lock lock(mutex_);
      if (!news_.wait(lock, stop, [this] { return !jobs_.empty(); }) || stop.stop_requested()) return;
      const auto job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any news_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::jthread> threads_;  // last: they end first
};

HttpServer::HttpServer(const std::string& host, int port, HttpHandler handler)
    : handler_(std::move(handler)), mailbox_(std::make_shared<HttpMailbox>()) {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);  // the other half is for stores
  most_ = std::clamp<std::size_t>(files.rlim_cur / 2, 4, kMostConnections);
  listen(host, port);
}

HttpServer::~HttpServer() {
  while (!connections_.empty()) close(connections_.begin());
  ::close(socket_);
}

void HttpServer::listen(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  require(code == 0, [&] { return "host " + host + ": " + gai_strerror(code); });
  std::string trouble = "no address";
  for (const addrinfo* at = found; at != nullptr && socket_ < 0; at = at->ai_next) {
    socket_ = ::socket(at->ai_family, at->ai_socktype, at->ai_protocol);
    if (socket_ < 0) continue;
    never_block(socket_);
    const int yes = 1;
    ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    if (::bind(socket_, at->ai_addr, at->ai_addrlen) == 0 && ::listen(socket_, 128) == 0 &&
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&own), &length) == 0) {
      port_ = ntohs(own.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(own).sin6_port
                                              : reinterpret_cast<const sockaddr_in&>(own).sin_port);
      break;
    }
    trouble = std::strerror(errno);
    ::close(socket_);
    socket_ = -1;
  }
  ::freeaddrinfo(found);
  if (socket_ < 0) throw Error("cannot listen on " + host + " port " + std::to_string(port) + ": " + trouble);
}

void HttpServer::run(const std::function<bool()>& stop) {
  Workers workers;
  while (!stop()) turn(workers);
  while (!connections_.empty()) close(connections_.begin());  // before the workers end: streams hear of it
}

void HttpServer::turn(Workers& workers) {
  std::vector<pollfd> waiting = {{mailbox_->event(), POLLIN, 0},
                                 {Clock::now() < accept_from_ ? -1 : socket_, POLLIN, 0}};
  std::vector<std::uint64_t> ids = {0, 0};
  for (const auto& [id, connection] : connections_) {
    const int events = connection->is_reading ? POLLIN
                                              : (connection->is_stream ? platform::kPeerIsDone : 0) |
                                                    (connection->out.empty() ? 0 : POLLOUT);
    waiting.push_back({connection->socket, static_cast<short>(events), 0});
    ids.push_back(id);
  }
  if (::poll(waiting.data(), waiting.size(), static_cast<int>(kTurn.count())) < 0) {
    if (errno != EINTR) std::this_thread::sleep_for(kTurn);
    return;
  }
  for (auto& parcel : mailbox_->take()) {
    const auto at = connections_.find(parcel.connection);
    if (at == connections_.end()) continue;
    Connection& connection = *at->second;
    bool goes_on = true;
    if (parcel.response) {
      goes_on = respond(at->first, connection, std::move(*parcel.response), workers);
    } else if (parcel.piece) {
      connection.out.push_back(std::move(parcel.piece));
      if (connection.out.size() == 1) connection.deadline = Clock::now() + kPatience;
      goes_on = write(connection);
    } else {
      connection.is_stream = false;
      goes_on = write(connection);
    }
    if (!goes_on) close(at);
  }
  const auto now = Clock::now();
  for (std::size_t i = 2; i < waiting.size(); ++i) {
    const auto at = connections_.find(ids[i]);
    if (at == connections_.end()) continue;
    const bool goes_on = waiting[i].revents == 0 || serve(at->first, *at->second, waiting[i].revents, workers);
    if (!goes_on || at->second->deadline < now) close(at);
  }
  if (waiting[1].revents != 0) accept_some();
}

void HttpServer::accept_some() {
  for (std::size_t i = 0; i < most_; ++i) {
    const bool is_room = connections_.size() < most_ || make_room();
    const int client = is_room ? ::accept(socket_, nullptr, nullptr) : -1;
    if (client >= 0) {
      never_block(client);
      auto connection = std::make_unique<Connection>();
      connection->socket = client;
      connection->deadline = Clock::now() + kHeadTime;
      connections_.emplace(++next_, std::move(connection));
      continue;
    }
    const bool none_left = is_room && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM);
    // Polling again at once would find the same.
    if (!is_room || (none_left && !make_room())) accept_from_ = Clock::now() + kTurn;
    return;
  }
}

/// Closes the oldest connection that has not been given anything to wait for; false: there is none.
bool HttpServer::make_room() {
  const auto oldest =
      std::find_if(connections_.begin(), connections_.end(), [](const auto& one) { return !one.second->is_trusted; });
  if (oldest == connections_.end()) return false;
  close(oldest);
  return true;
}

void HttpServer::close(Connections::iterator at) {
  mailbox_->close(at->first);
  ::close(at->second->socket);
  connections_.erase(at);
}

/// Here and below: false when the connection is to be closed.
bool HttpServer::serve(std::uint64_t id, Connection& connection, short events, Workers& workers) {
  if ((events & POLLIN) != 0) return read(id, connection, workers);
  if ((events & (POLLERR | POLLHUP | POLLNVAL | platform::kPeerIsDone)) != 0) return false;
  return write(connection);
}

bool HttpServer::read(std::uint64_t id, Connection& connection, Workers& workers) {
  char buffer[16384];
  const auto got = ::recv(connection.socket, buffer, sizeof buffer, 0);
  if (got < 0) return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
  if (got == 0) return false;
  if (connection.is_over) return true;
  connection.in.append(buffer, static_cast<std::size_t>(got));
  const HttpResponse refused = response_of([&]() -> HttpResponse {
    if (connection.request) return {};
    const auto end = connection.in.find("\r\n\r\n");
    if (end == std::string::npos) {
      require(connection.in.size() < kMostHead, "the head of the request is too long");
      return {};
    }
    HttpRequest request = parse_http_head(std::string_view(connection.in).substr(0, end + 2));
    connection.body_size = request.body_size();
    connection.in.erase(0, end + 4);
    connection.request = std::move(request);
    connection.deadline = Clock::now() + kPatience;
    return {};
  });
  if (refused.status != 200) return respond(id, connection, refused, workers);
  if (!connection.request || connection.in.size() < connection.body_size) return true;
  connection.in.resize(connection.body_size);
  connection.request->body = std::move(connection.in);
  const HttpRequest request = *std::exchange(connection.request, std::nullopt);
  return respond(id, connection, response_of([&] { return handler_(request); }), workers);
}

bool HttpServer::respond(std::uint64_t id, Connection& connection, HttpResponse response, Workers& workers) {
  connection.is_reading = false;
  if (response.work) {
    connection.is_trusted = true;
    connection.deadline = Clock::time_point::max();
    workers.add([mailbox = mailbox_, id, work = std::move(response.work)] {
      mailbox->put({id, response_of(work), nullptr});
    });
    return true;
  }
  if (response.stream) {
    const auto streams =
        std::count_if(connections_.begin(), connections_.end(), [](const auto& one) { return one.second->is_stream; });
    if (static_cast<std::size_t>(streams) >= most_ / 2) {  // the other half is for requests
      response = {.status = 503, .body = "too many pages of this dashboard are open\n"};
    }
  }
  connection.out.push_back(std::make_shared<const std::string>(head_of(response) + response.body));
  connection.deadline = Clock::now() + kPatience;
  if (response.stream) {
    connection.is_trusted = connection.is_stream = true;
    mailbox_->open(id);
    response.stream(HttpStream(mailbox_, id));
  }
  return write(connection);
}

bool HttpServer::write(Connection& connection) const {
  while (!connection.out.empty()) {
    const std::string& piece = *connection.out.front();
    const auto sent =
        platform::send_quietly(connection.socket, piece.data() + connection.sent, piece.size() - connection.sent);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    connection.deadline = Clock::now() + kPatience;
    connection.sent += static_cast<std::size_t>(sent);
    if (connection.sent < piece.size()) continue;
    connection.out.pop_front();
    connection.sent = 0;
  }
  if (connection.is_stream) {
    connection.deadline = Clock::time_point::max();
  } else {  // who is still sending would lose the answer if the connection were closed before that is read
    ::shutdown(connection.socket, SHUT_WR);
    connection.is_over = connection.is_reading = true;
    connection.is_trusted = false;
  }
  return true;
}

}  // namespace bocs
