#pragma once
// Numbers as text.

#include <charconv>
#include <string>

namespace bocs {

/// The shortest text that reads back to the same number.
inline std::string shortest(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

}  // namespace bocs
