#include "bocs/base/text.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace bocs {
namespace {

struct Character {
  std::size_t bytes = 1;
  bool whole = false;  // valid and complete
};

/// What stands at the start of a text that is not empty. Of a character cut short, as many bytes as fit.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {1, lead != 0};
  const std::size_t length = lead < 0xC2 || lead > 0xF4 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The range of the second byte keeps out longer forms than needed, surrogates, and what is above U+10FFFF.
  unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  std::size_t n = 1;
  for (; n < length && n < text.size() && low <= byte(n) && byte(n) <= high; ++n) {
    low = 0x80;
    high = 0xBF;
  }
  return {n, length > 1 && n == length};
}

/// Letters to insert, delete, replace or swap with their neighbour to get from a to b.
int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> before_last, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const auto& part : parts) {
    if (&part != &parts.front()) text += separator;
    text += part;
  }
  return text;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  int distance = word.size() <= 1 ? 1 : word.size() <= 3 ? 2 : 3;  // what is as far as this is another word
  for (const auto& candidate : known) {
    const int d = edit_distance(word, candidate);
    if (d >= distance || d >= static_cast<int>(word.size())) continue;  // no letter in common
    distance = d;
    nearest = &candidate;
  }
  return nearest == nullptr ? "" : "; did you mean '" + *nearest + "'?";
}

bool is_nested_deeply(std::string_view text) {
  constexpr int kDeepest = 64;
  int depth = 0, parts = 1;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote || c == '\n') quote = 0;  // no text of JSON, and no key of TOML, has a line end
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (c == '.') {
      ++parts;
    } else if (c == '=' || c == ',' || c == '\n' || c == '[' || c == '{') {
      parts = 1;
    }
    if (depth > kDeepest || parts > kDeepest) return true;
  }
  return false;
}

std::string clean_utf8(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const Character next = first_character(text);
    clean += next.whole ? text.substr(0, next.bytes) : "\xEF\xBF\xBD";
    text.remove_prefix(next.bytes);
  }
  return clean;
}

}  // namespace bocs
