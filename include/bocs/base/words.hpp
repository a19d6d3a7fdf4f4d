#pragma once
// The words of an enum, once: in spec strings, files, stores and on the page.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bocs {

template <class Enum>
struct Word {
  Enum value;
  std::string_view text;
};

/// One row per value, in the order in which they are listed. Specialized beside the enum:
/// std::to_array<Word<E>>({...}).
template <class Enum>
inline constexpr std::array<Word<Enum>, 0> kWords{};

template <class Enum>
std::string_view word_of(Enum value) {
  for (const Word<Enum>& word : kWords<Enum>) {
    if (word.value == value) return word.text;
  }
  return {};
}

template <class Enum>
std::optional<Enum> value_of(std::string_view text) {
  for (const Word<Enum>& word : kWords<Enum>) {
    if (word.text == text) return word.value;
  }
  return std::nullopt;
}

template <class Enum>
std::vector<std::string> words_of() {
  std::vector<std::string> words;
  for (const Word<Enum>& word : kWords<Enum>) words.emplace_back(word.text);
  return words;
}

}  // namespace bocs
