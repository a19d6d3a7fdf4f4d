#include "bocs/report/http_server.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

TEST(HttpHead, IsRead) {
  const HttpRequest r = parse_http_head(
      "GET /api/live?study=a%20b%26c+d&x HTTP/1.1\r\nHost:  localhost:80 \r\nCookie: a=1; bocs_80=t=2; c=3\r\n");
  EXPECT_EQ(r.method, "GET");
  EXPECT_EQ(r.path, "/api/live");
  EXPECT_EQ(r.query.at("study"), "a b&c d");
  EXPECT_EQ(r.query.at("x"), "");
  EXPECT_EQ(r.header("host"), "localhost:80");
  EXPECT_EQ(r.cookie("bocs_80"), "t=2");
  EXPECT_EQ(r.cookie("bocs"), "");
  EXPECT_EQ(r.cookie("d"), "");
}

TEST(HttpHead, WhatIsNoneIsRefused) {
  for (const char* text : {"", "GET\r\n", "GET / HTTP/2\r\n", "GET x HTTP/1.1\r\n", "GET / HTTP/1.1\r\nno name\r\n",
                           "GET / HTTP/1.1\r\n: x\r\n", "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n",
                           "GET /%4 HTTP/1.1\r\n", "GET /%zz HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a"}) {
    EXPECT_THROW((void)parse_http_head(text), InvalidArgument) << text;
  }
}

}  // namespace
}  // namespace bocs
