#include "bocs/store/connection.hpp"

#include <regex>

#include "bocs/core/error.hpp"

namespace bocs {
namespace {

constexpr std::string_view kSqlite = "sqlite:";

}  // namespace

double Row::real(int column) const {
  const Value& value = at(column);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

void check_url(const std::string& url) {
  const bool is_file = url.starts_with(kSqlite) && url.size() > kSqlite.size();
  require(is_file || url.starts_with("postgresql://") || url.starts_with("postgres://"), [&] {
    return "found the store '" + without_password(url) +
           "'; allowed: sqlite:FILE and postgresql://USER:PASSWORD@HOST/DATABASE";
  });
}

std::unique_ptr<Connection> connect(const std::string& url, const StoreOptions& options) {
  check_url(url);
  if (url.starts_with(kSqlite)) return connect_sqlite(url.substr(kSqlite.size()), options);
  return connect_postgres(url);
}

std::string without_password(const std::string& url) {
  // Up to the last @: a password may contain the characters that end it, even if it should not.
  static const std::regex authority(R"((://[^:/?#]*):.*@)");
  static const std::regex parameter(R"(([?&](?:password|sslpassword|passfile)=)[^&#]*)", std::regex::icase);
  static const std::regex keyword(R"((\b(?:ssl)?password\s*=\s*)('(?:[^'\\]|\\.)*'|\S+))", std::regex::icase);
  std::string shown = std::regex_replace(url, authority, "$1:***@");
  shown = std::regex_replace(shown, parameter, "$1***");
  return url.find("://") == std::string::npos ? std::regex_replace(shown, keyword, "$1***") : shown;
}

}  // namespace bocs
