#pragma once
// Numbers as text, and text that others can read.

#include <charconv>
#include <string>
#include <string_view>

namespace bocs {

/// The shortest text that reads back to the same number.
inline std::string shortest(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

/// The text with whatever is not UTF-8, and NUL, replaced by U+FFFD: what people, JSON and databases take.
std::string clean_utf8(std::string_view text);

}  // namespace bocs
