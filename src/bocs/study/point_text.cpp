#include "bocs/study/point_text.hpp"

#include <algorithm>

#include "bocs/base/text.hpp"

namespace bocs {
namespace {

/// Where the index of an array's element begins: its '['.
std::size_t index_of(const std::string& variable) {
  const auto bracket = variable.find('[');
  return variable.ends_with(']') && bracket > 0 ? bracket : std::string::npos;
}

bool has_space(const std::string& text) { return text.find(' ') != std::string::npos; }

/// With commas where a space would not tell the words apart.
std::string listed(const std::vector<std::string>& words, bool spaced) {
  return words.empty() ? "none" : joined(words, spaced ? ", " : " ");
}

}  // namespace

std::string array_name(const std::string& variable) { return variable.substr(0, index_of(variable)); }

std::string element_name(const std::string& variable) {
  const auto bracket = index_of(variable);
  return bracket == std::string::npos ? "" : variable.substr(bracket + 1, variable.size() - bracket - 2);
}

std::vector<PointPart> point_parts(const Space& space, const Point& x) {
  std::vector<PointPart> parts;
  for (int i = 0; i < space.dimension();) {
    const std::string name = array_name(space[i].name);
    const bool is_array = name != space[i].name;
    const Kind kind = space[i].kind;
    if (!is_array) {
      parts.push_back({name, format_level(space[i], x[i]), kind == Kind::binary && x[i] == 0});
      ++i;
      continue;
    }
    std::vector<std::string> words;
    bool spaced = false;
    for (; i < space.dimension() && space[i].kind == kind && space[i].name != name && array_name(space[i].name) == name;
         ++i) {
      const std::string word = kind == Kind::binary ? element_name(space[i].name) : format_level(space[i], x[i]);
      spaced = spaced || has_space(word);
      if (kind != Kind::binary || x[i] == 1) words.push_back(word);
    }
    parts.push_back({name, listed(words, spaced)});
  }
  return parts;
}

std::string point_text(const Space& space, const Point& x) {
  std::vector<std::string> texts;
  for (const PointPart& part : point_parts(space, x)) {
    if (!part.off) texts.push_back(part.name + ": " + part.value);
  }
  return texts.empty() ? "all are 0" : joined(texts, "; ");
}

}  // namespace bocs
