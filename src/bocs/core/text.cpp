#include "bocs/core/text.hpp"

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

}  // namespace

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
