#include "bocs/store/connection.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

constexpr std::string_view kSqlite = "sqlite:";
constexpr std::string_view kSpace = " \t\r\n";

bool is_one_of(char c, std::string_view characters) { return characters.find(c) != std::string_view::npos; }

/// "pass%57ord" -> "password"
std::string plain_key(std::string_view text) {
  std::string key;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    int code = 0;
    if (c == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, code, 16).ptr == text.data() + i + 3) {
      c = static_cast<char>(code);
      i += 2;
    }
    key += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return key;
}

/// Where the user's name begins in the next URL: after "://", or after "postgresql:" of one that lacks the slashes.
std::size_t find_user(const std::string& text, std::size_t from) {
  const std::size_t slashes = text.find("://", from);
  if (slashes != std::string::npos) return slashes + 3;
  const std::size_t colon = text.find(':', text.find("postgres", from));
  return colon == std::string::npos ? colon : colon + 1;
}

/// user:PASSWORD@host. Up to the last @: a password may contain the characters that end it, even if it should not.
void mask_authority(std::string& text) {
  const std::size_t at = text.rfind('@');
  if (at == std::string::npos) return;
  for (std::size_t user = find_user(text, 0); user < at; user = find_user(text, user)) {
    const std::size_t colon = text.find(':', user);
    if (colon > at) return;
    if (text.compare(colon + 1, 4, "***@") != 0) {  // unless it was masked before, where its end was known
      text.replace(colon + 1, at - colon - 1, "***");
      return;
    }
    user = colon;
  }
}

/// password=PASSWORD; `ends` are the characters that end a value.
void mask_parameters(std::string& text, std::string_view ends) {
  for (std::size_t equals = text.find('='); equals != std::string::npos; equals = text.find('=', equals + 1)) {
    std::size_t key_end = equals;
    while (key_end > 0 && is_one_of(text[key_end - 1], kSpace)) --key_end;
    std::size_t key = key_end;
    while (key > 0 && !is_one_of(text[key - 1], "?&#'\"") && !is_one_of(text[key - 1], kSpace)) --key;
    const std::string name = plain_key(std::string_view(text).substr(key, key_end - key));
    if (name != "password" && name != "sslpassword" && name != "passfile") continue;
    const std::size_t value = std::min(text.find_first_not_of(kSpace, equals + 1), text.size());
    std::size_t end = value;
    if (value < text.size() && text[value] == '\'') {  // 'a \' quoted one'
      for (++end; end < text.size() && text[end] != '\''; ++end) end += text[end] == '\\' ? 1 : 0;
      end = std::min(end + 1, text.size());
    } else {
      end = std::min(text.find_first_of(ends, value), text.size());
      while (end > value && is_one_of(text[end - 1], ":;,.")) --end;  // of the sentence around it
    }
    text.replace(value, end - value, "***");
    equals = value;
  }
}

}  // namespace

template <class T>
const T& Row::get(int column, const char* wanted) const {
  if (const T* found = std::get_if<T>(&values_[column])) return *found;
  throw StoreError("the store holds something else where " + std::string(wanted) + " belongs");
}

int Row::whole(int column, int low, int high) const {
  const std::int64_t value = integer(column);
  if (value >= low && value <= high) return static_cast<int>(value);
  throw StoreError("the store is damaged: it holds " + std::to_string(value) + " where a number from " +
                   std::to_string(low) + " to " + std::to_string(high) + " belongs");
}

double Row::real(int column) const {
  if (const auto* whole = std::get_if<std::int64_t>(&values_[column])) return static_cast<double>(*whole);
  return get<double>(column, "a number");
}

template const std::int64_t& Row::get(int, const char*) const;
template const std::string& Row::get(int, const char*) const;

std::string sqlite_url(const std::string& file) { return std::string(kSqlite) + file; }

std::optional<std::string> sqlite_file(const std::string& url) {
  return url.starts_with(kSqlite) ? std::optional(url.substr(kSqlite.size())) : std::nullopt;
}

void check_url(const std::string& url) {
  const bool is_file = !sqlite_file(url).value_or("").empty();
  require(is_file || url.starts_with("postgresql://") || url.starts_with("postgres://"), [&] {
    return "found the store '" + without_password(url) + "'; allowed: sqlite:FILE and postgresql://HOST/DATABASE";
  });
  const bool is_special = is_file && (url.starts_with("sqlite::memory:") || url.starts_with("sqlite:file:"));
  require(!is_special, [&] {
    return "found the store '" + url + "': a store in memory is lost with its process; allowed: sqlite:FILE";
  });
}

std::unique_ptr<Connection> connect(const std::string& url, const StoreOptions& options) {
  check_url(url);
  if (const auto file = sqlite_file(url)) return connect_sqlite(*file, options);
  return connect_postgres(url, options);
}

std::string without_password(const std::string& url) {
  std::string shown = url;
  mask_authority(shown);
  const bool is_url = url.find("://") != std::string::npos;  // else the form host=... password=...
  mask_parameters(shown, is_url ? "&#" : kSpace);
  return shown;
}

std::string without_passwords(const std::string& message) {
  std::string shown = message;
  mask_authority(shown);
  mask_parameters(shown, "&#'\" \t\r\n");
  return shown;
}

}  // namespace bocs
