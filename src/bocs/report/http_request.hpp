#pragma once
// Requests of HTTP/1.1, as much as the dashboard needs.

#include <map>
#include <string>
#include <string_view>

namespace bocs {

struct HttpRequest {
  std::string method;                          // "GET"
  std::string path;                            // "/api/live", decoded, without the query
  std::map<std::string, std::string> query;    // decoded
  std::map<std::string, std::string> headers;  // names in small letters
  std::string body;

  [[nodiscard]] std::string header(const std::string& name) const;  // empty: there is none
  [[nodiscard]] std::size_t body_size() const;                      // by its head; throws InvalidArgument
};

/// The request in `text`, as far as its body; throws InvalidArgument.
HttpRequest parse_http_head(std::string_view text);

/// "Not Found" of 404.
const char* http_reason(int status);

}  // namespace bocs
