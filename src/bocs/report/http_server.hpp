#pragma once
// As much of an HTTP/1.1 server as the dashboard needs (docs/decisions/0002-http-server.md). One thread reads and
// writes all connections, so that a slow or silent one costs no thread; a few others do what takes time. One request
// per connection, small bounds on everything.

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bocs/report/http_request.hpp"

namespace bocs {

/// A piece of a stream. All who are sent it share it.
using HttpPiece = std::shared_ptr<const std::string>;
class HttpMailbox;

/// One that listens. Any thread may send to it; pieces arrive in order.
class HttpStream {
 public:
  HttpStream(std::shared_ptr<HttpMailbox> mailbox, std::uint64_t connection)
      : mailbox_(std::move(mailbox)), connection_(connection) {}
  [[nodiscard]] bool send(HttpPiece piece) const;  // false: it is gone, or the server ends
  void end() const;

 private:
  std::shared_ptr<HttpMailbox> mailbox_;
  std::uint64_t connection_;
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::function<HttpResponse()> work = {};      // instead of all of it: makes the response, and may take its time
  std::function<void(HttpStream)> stream = {};  // instead of the body: told who listens from now on
};

/// Called in the thread that serves all: it answers at once, or returns `work`. Connections that got neither work nor a
/// stream are closed first when there are too many. What throws is answered with 400 or 500.
using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

class HttpServer {
 public:
  /// Listens. port 0: one that is free. Throws Error that says why it cannot.
  HttpServer(const std::string& host, int port, HttpHandler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] int port() const { return port_; }
  /// Serves until `stop` says so, asked several times a second. Streams end then, too.
  void run(const std::function<bool()>& stop);

 private:
  using Clock = std::chrono::steady_clock;
  struct Connection;
  class Workers;
  using Connections = std::map<std::uint64_t, std::unique_ptr<Connection>>;  // the oldest first

  void listen(const std::string& host, int port);
  void turn(Workers& workers);
  void accept_some();
  bool make_room();
  void close(Connections::iterator at);
  bool serve(std::uint64_t id, Connection& connection, short events, Workers& workers);
  bool read(std::uint64_t id, Connection& connection, Workers& workers);
  bool respond(std::uint64_t id, Connection& connection, HttpResponse response, Workers& workers);
  bool write(Connection& connection) const;

  HttpHandler handler_;
  int socket_ = -1;
  int port_ = 0;
  std::size_t most_;  // connections at once
  std::shared_ptr<HttpMailbox> mailbox_;
  Connections connections_;
  std::uint64_t next_ = 0;
  Clock::time_point accept_from_ = {};  // later: there was no descriptor for another connection
};

}  // namespace bocs
