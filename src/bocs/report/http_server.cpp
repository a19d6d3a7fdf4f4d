#include "bocs/report/http_server.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <thread>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

constexpr std::size_t kMostHead = 16 * 1024;
constexpr std::size_t kMostBody = 4 * 1024 * 1024;  // a point of a million variables
constexpr int kMostConnections = 64;
constexpr int kPatienceSeconds = 10;  // for a request, and for a client that does not read

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 303:
      return "See Other";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// %41 -> A, + -> space. Throws InvalidArgument.
std::string decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    unsigned value = 0;
    const auto digits = text.substr(i + 1, 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    require(error == std::errc() && digits.size() == 2 && end == digits.data() + 2, "a % without two digits");
    result += static_cast<char>(value);
    i += 2;
  }
  return result;
}

void read_target(HttpRequest& request, std::string_view target) {
  const auto mark = target.find('?');
  request.path = decoded(target.substr(0, mark));
  if (mark == std::string_view::npos) return;
  std::string_view rest = target.substr(mark + 1);
  while (!rest.empty()) {
    const auto end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    const auto equal = std::min(pair.find('='), pair.size());
    request.query[decoded(pair.substr(0, equal))] = equal < pair.size() ? decoded(pair.substr(equal + 1)) : "";
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

bool send_all(int client, std::string_view text) {
  while (!text.empty()) {
    const auto sent = ::send(client, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

/// False: the client went away. Throws InvalidArgument for what is no request.
bool receive(int client, HttpRequest& request) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::seconds(kPatienceSeconds);
  std::string text;
  std::size_t head = std::string::npos, wanted = 0;
  char buffer[16384];
  for (;;) {
    if (head == std::string::npos) {
      head = text.find("\r\n\r\n");
      if (head != std::string::npos) {
        request = parse_http_head(std::string_view(text).substr(0, head + 2));
        const std::string length = request.header("content-length");
        if (!length.empty()) {
          const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), wanted);
          require(error == std::errc() && end == length.data() + length.size() && wanted <= kMostBody,
                  "the body is too long");
        }
        require(request.header("transfer-encoding").empty(), "a body needs a Content-Length");
      } else {
        require(text.size() < kMostHead, "the head of the request is too long");
      }
    }
    if (head != std::string::npos && text.size() >= head + 4 + wanted) {
      request.body = text.substr(head + 4, wanted);
      return true;
    }
    if (Clock::now() > deadline) return false;
    const auto got = ::recv(client, buffer, sizeof buffer, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

std::string head_of(const HttpResponse& response) {
  std::string text =
      "HTTP/1.1 " + std::to_string(response.status) + " " + reason(response.status) +
      "\r\nContent-Type: " + response.type +
      "\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\n"
      "Referrer-Policy: no-referrer\r\nCache-Control: no-store\r\nCross-Origin-Resource-Policy: same-origin\r\n";
  if (!response.stream) text += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
  for (const auto& [name, value] : response.headers) text += name + ": " + value + "\r\n";
  return text + "\r\n";
}

}  // namespace

HttpRequest parse_http_head(std::string_view text) {
  HttpRequest request;
  bool first = true;
  while (!text.empty()) {
    const auto end = text.find("\r\n");
    require(end != std::string_view::npos, "a line has no end");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 2);
    if (first) {
      const auto a = line.find(' '), b = line.rfind(' ');
      require(a != std::string_view::npos && b > a && line.substr(b + 1).starts_with("HTTP/1."),
              "this is no request of HTTP/1");
      request.method = line.substr(0, a);
      const std::string_view target = line.substr(a + 1, b - a - 1);
      require(target.starts_with('/'), "the target begins with /");
      read_target(request, target);
      first = false;
      continue;
    }
    const auto colon = line.find(':');
    require(colon != std::string_view::npos && colon > 0, "a header has no name");
    const std::string name = lower(line.substr(0, colon));
    // A second Host or Content-Length is how requests are smuggled.
    require(!request.headers.contains(name), "a header comes twice");
    request.headers[name] = trimmed(line.substr(colon + 1));
  }
  require(!first, "the request is empty");
  return request;
}

std::string HttpRequest::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

std::string HttpRequest::cookie(const std::string& name) const {
  const std::string all = header("cookie");
  std::string_view rest = all;
  while (!rest.empty()) {
    const auto end = std::min(rest.find(';'), rest.size());
    const std::string_view pair = trimmed(rest.substr(0, end));
    if (pair.size() > name.size() && pair.starts_with(name) && pair[name.size()] == '=') {
      return std::string(pair.substr(name.size() + 1));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return "";
}

HttpServer::HttpServer(const std::string& host, int port, HttpHandler handler) : handler_(std::move(handler)) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  require(code == 0, [&] { return "host " + host + ": " + gai_strerror(code); });
  std::string trouble = "no address";
  for (const addrinfo* at = found; at != nullptr && socket_ < 0; at = at->ai_next) {
    socket_ = ::socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
    if (socket_ < 0) continue;
    const int yes = 1;
    ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    if (::bind(socket_, at->ai_addr, at->ai_addrlen) == 0 && ::listen(socket_, 64) == 0 &&
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

HttpServer::~HttpServer() {
  ended_ = true;
  if (socket_ >= 0) ::close(socket_);
  while (connections_ > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

void HttpServer::run(const std::function<bool()>& stop) {
  while (!stop()) {
    pollfd waiting{socket_, POLLIN, 0};
    if (::poll(&waiting, 1, 200) <= 0) continue;
    const int client = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    const timeval patience{kPatienceSeconds, 0};
    ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connections_ >= kMostConnections) {
      send_all(client, head_of({.status = 503}));
      ::close(client);
      continue;
    }
    ++connections_;
    std::thread([this, client] {
      serve(client);
      ::close(client);
      --connections_;
    }).detach();
  }
  ended_ = true;
}

void HttpServer::serve(int client) {
  HttpRequest request;
  HttpResponse response;
  try {
    if (!receive(client, request)) return;
    response = handler_(request);
  } catch (const InvalidArgument& error) {
    response = {.status = 400, .body = error.what()};
  } catch (const std::exception& error) {
    response = {.status = 500, .body = error.what()};
  }
  if (!send_all(client, head_of(response))) return;
  if (!response.stream) {
    send_all(client, response.body);
    return;
  }
  try {
    response.stream([&](std::string_view text) { return !ended_ && send_all(client, text); });
  } catch (const std::exception&) {  // the stream ends; whoever listens asks again, and is told why
  }
}

}  // namespace bocs
