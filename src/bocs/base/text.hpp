#pragma once
// Numbers as text, and text that others can read.

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace bocs {

/// The shortest text that reads back to the same number.
inline std::string shortest(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

/// In quotes; one inside is doubled.
inline std::string quoted(std::string_view text, char quote = '\'') {
  std::string result(1, quote);
  for (const char c : text) result += c == quote ? std::string(2, c) : std::string(1, c);
  return result + quote;
}

/// "a, b, c"
std::string joined(const std::vector<std::string>& parts, std::string_view separator = ", ");

/// "; did you mean 'x'?" for the one of `known` that differs from `word` in a letter or two; empty if none does.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

/// True for the characters that are no text: line ends, tabs, escapes and the like.
inline bool is_control(char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }

/// True if brackets and braces stand in each other more than 64 deep, or a dotted key has more than 64 parts: parsers
/// of JSON and TOML follow them by recursion, and nothing of ours needs more than five. What stands in quotes does not
/// count.
bool is_nested_deeply(std::string_view text);

/// The text with whatever is not UTF-8, and NUL, replaced by U+FFFD: what people, JSON and databases take.
std::string clean_utf8(std::string_view text);

}  // namespace bocs
