#pragma once
// As much of HTTP/1.1 as the dashboard needs: one request per connection, a thread each, small bounds on everything.

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bocs {

struct HttpRequest {
  std::string method;                          // "GET"
  std::string path;                            // "/api/live", decoded, without the query
  std::map<std::string, std::string> query;    // decoded
  std::map<std::string, std::string> headers;  // names in small letters
  std::string body;

  [[nodiscard]] std::string header(const std::string& name) const;  // empty: there is none
  [[nodiscard]] std::string cookie(const std::string& name) const;
};

/// Sends a piece of a stream; false: whoever listened is gone, or the server ends.
using HttpSend = std::function<bool(std::string_view)>;

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::function<void(const HttpSend&)> stream = {};  // instead of the body: sends until it returns
};

/// Never throws: a handler that does is answered with 500.
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
  void serve(int client);

  HttpHandler handler_;
  int socket_ = -1;
  int port_ = 0;
  std::atomic<bool> ended_ = false;
  std::atomic<int> connections_ = 0;
};

/// The request in `text`, as far as its body, whose length is then in "content-length"; throws InvalidArgument.
HttpRequest parse_http_head(std::string_view text);

}  // namespace bocs
