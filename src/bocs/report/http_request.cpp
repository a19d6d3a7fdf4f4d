#include "bocs/report/http_request.hpp"

#include <algorithm>
#include <charconv>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

constexpr std::size_t kMostBody = 4 * 1024 * 1024;  // a point of a million variables

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

}  // namespace

const char* http_reason(int status) {
  switch (status) {
    case 200:
      return "OK";
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
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

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

std::size_t HttpRequest::body_size() const {
  require(header("transfer-encoding").empty(), "a body needs a Content-Length");
  const std::string length = header("content-length");
  if (length.empty()) return 0;
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), size);
  require(error == std::errc() && end == length.data() + length.size() && size <= kMostBody, "the body is too long");
  return size;
}

}  // namespace bocs
