#include "bocs/report/http_server.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

TEST(HttpHead, IsRead) {
  const HttpRequest r =
      parse_http_head("GET /api/live?study=a%20b%26c+d&x HTTP/1.1\r\nHost:  localhost:80 \r\nContent-Length: 12\r\n");
  EXPECT_EQ(r.method, "GET");
  EXPECT_EQ(r.path, "/api/live");
  EXPECT_EQ(r.query.at("study"), "a b&c d");
  EXPECT_EQ(r.query.at("x"), "");
  EXPECT_EQ(r.header("host"), "localhost:80");
  EXPECT_EQ(r.body_size(), 12U);
}

TEST(HttpHead, WhatIsNoneIsRefused) {
  for (const char* text : {"", "GET\r\n", "GET / HTTP/2\r\n", "GET x HTTP/1.1\r\n", "GET / HTTP/1.1\r\nno name\r\n",
                           "GET / HTTP/1.1\r\n: x\r\n", "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n",
                           "GET /%4 HTTP/1.1\r\n", "GET /%zz HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a"}) {
    EXPECT_THROW((void)parse_http_head(text), InvalidArgument) << text;
  }
  for (const char* text :
       {"Content-Length: -1", "Content-Length: 1x", "Content-Length: 99999999999", "Transfer-Encoding: chunked"}) {
    const HttpRequest r = parse_http_head("GET / HTTP/1.1\r\n" + std::string(text) + "\r\n");
    EXPECT_THROW((void)r.body_size(), InvalidArgument) << text;
  }
}

/// A server in a thread of its own, which ends with the test.
class RunningServer {
 public:
  explicit RunningServer(HttpHandler handler)
      : server_("127.0.0.1", 0, std::move(handler)),
        thread_([this] { server_.run([this] { return ended_.load(); }); }) {}
  ~RunningServer() {
    ended_ = true;
    thread_.join();
  }

  /// What is answered to `text`, sent in pieces of `piece` bytes, until the connection is closed.
  std::string answer(const std::string& text, std::size_t piece = 1 << 20) const {
    const int client = connected();
    std::string got;
    for (std::size_t i = 0; i < text.size(); i += piece) {
      if (::send(client, text.data() + i, std::min(piece, text.size() - i), MSG_NOSIGNAL) < 0) break;
    }
    char buffer[4096];
    for (ssize_t n = 0; (n = ::recv(client, buffer, sizeof buffer, 0)) > 0;) got.append(buffer, n);
    ::close(client);
    return got;
  }
  [[nodiscard]] int connected() const {
    const int client = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(server_.port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return client;
  }

 private:
  HttpServer server_;
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

std::string post(const std::string& body) {
  return "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

TEST(HttpServer, AnswersWhateverThePiecesInItsThread) {
  const RunningServer server([](const HttpRequest& r) { return HttpResponse{.body = r.path + "=" + r.body}; });
  for (const std::size_t piece : {1, 2, 7, 1000}) {
    const std::string answer = server.answer(post("body\r\n\r\nand more"), piece);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
    EXPECT_TRUE(answer.ends_with("\r\n\r\n/x=body\r\n\r\nand more")) << answer;
  }
  const std::string large(3'000'000, 'a');
  EXPECT_EQ(server.answer(post(large)).size(), server.answer(post("")).size() + large.size() + 6);
}

TEST(HttpServer, SaysWhatIsWrongInItsThread) {
  const RunningServer server([](const HttpRequest& r) -> HttpResponse {
    if (r.path == "/bad") throw InvalidArgument("no such thing");
    if (r.path == "/work") return {.work = []() -> HttpResponse { throw Error("broken"); }};
    return {};
  });
  EXPECT_TRUE(server.answer("nonsense\r\n\r\n").starts_with("HTTP/1.1 400 "));
  EXPECT_TRUE(server.answer("GET /bad HTTP/1.1\r\n\r\n").ends_with("\r\n\r\nno such thing"));
  const std::string broken = server.answer("GET /work HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(broken.starts_with("HTTP/1.1 500 ")) << broken;
  EXPECT_TRUE(broken.ends_with("broken")) << broken;
  EXPECT_TRUE(server.answer("GET /" + std::string(20000, 'a')).starts_with("HTTP/1.1 400 "));
  EXPECT_TRUE(server.answer("GET / HTTP/1.1\r\nContent-Length: 9999999\r\n\r\n").starts_with("HTTP/1.1 400 "));
}

TEST(HttpServer, WorkThatWaitsStopsNobodyElseInItsThreads) {
  std::atomic<bool> is_done = false;
  const RunningServer server([&](const HttpRequest& r) -> HttpResponse {
    if (r.path == "/now") return {.body = "now"};
    return {.work = [&]() -> HttpResponse {
      while (!is_done) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      return {.body = "late"};
    }};
  });
  std::vector<std::jthread> clients;
  std::atomic<int> late = 0;
  for (int i = 0; i < 10; ++i) {
    clients.emplace_back([&] { late += server.answer("GET /late HTTP/1.1\r\n\r\n").ends_with("late") ? 1 : 0; });
  }
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(server.answer("GET /now HTTP/1.1\r\n\r\n").ends_with("now"));
  is_done = true;
  clients.clear();
  EXPECT_EQ(late, 10);
}

TEST(HttpServer, StreamsArriveInOrderAndEndInItsThreads) {
  std::vector<std::jthread> senders;
  std::atomic<bool> heard_of_the_end = false;
  const RunningServer server([&](const HttpRequest& r) -> HttpResponse {
    return {.stream = [&, ends = r.path == "/ends"](const HttpStream& listener) {
      senders.emplace_back([&, ends, listener] {
        for (int i = 0; i < 1000; ++i) {
          (void)listener.send(std::make_shared<const std::string>(std::to_string(i) + "\n"));
        }
        if (ends) {
          listener.end();
          return;
        }
        while (listener.send(std::make_shared<const std::string>("more\n"))) {
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        heard_of_the_end = true;
      });
    }};
  });
  std::string wanted;
  for (int i = 0; i < 1000; ++i) wanted += std::to_string(i) + "\n";
  EXPECT_TRUE(server.answer("GET /ends HTTP/1.1\r\n\r\n").ends_with("\r\n\r\n" + wanted));

  const int client = server.connected();
  const std::string request = "GET /goes-on HTTP/1.1\r\n\r\n";
  EXPECT_EQ(::send(client, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
  char byte = 0;
  EXPECT_EQ(::recv(client, &byte, 1, 0), 1);
  ::close(client);
  while (!heard_of_the_end) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace
}  // namespace bocs
