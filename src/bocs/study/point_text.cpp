#include "bocs/study/point_text.hpp"

#include <algorithm>

#include "bocs/base/text.hpp"
#include "bocs/variable/type.hpp"

namespace bocs {
namespace {

bool has_space(const std::string& text) { return text.find(' ') != std::string::npos; }

/// With commas where a space would not tell the words apart.
std::string listed(const std::vector<std::string>& words, bool spaced) {
  return words.empty() ? "none" : joined(words, spaced ? ", " : " ");
}

}  // namespace

std::vector<PointPart> point_parts(const Space& space, const Point& x) {
  const auto& variables = space.variables();
  std::vector<PointPart> parts;
  for (std::size_t v = 0; v < variables.size();) {
    const auto level = [&] { return x[static_cast<std::size_t>(space.first(static_cast<int>(v)))]; };
    const auto coordinate = [&]() -> const Coordinate& { return space[space.first(static_cast<int>(v))]; };
    const std::string name = array_name(variables[v].name);
    const bool flag = coordinate().flag;
    const std::string_view word_of_type = variables[v].type->word();
    if (name == variables[v].name || !space.is_plain(static_cast<int>(v))) {
      const bool off = space.is_plain(static_cast<int>(v)) &&
                       ((coordinate().is_bit() && level() == 0) || coordinate().is_absent(level()));
      parts.push_back({variables[v].name, space.text(x, static_cast<int>(v)), off});
      ++v;
      continue;
    }
    std::vector<std::string> words;
    bool spaced = false;
    const auto belongs = [&] {
      return v < variables.size() && variables[v].type->word() == word_of_type && variables[v].name != name &&
             array_name(variables[v].name) == name;
    };
    for (; belongs(); ++v) {
      const std::string word = flag ? element_name(variables[v].name) : format_level(coordinate(), level());
      spaced = spaced || has_space(word);
      if (!flag || coordinate().value(level()) == 1) words.push_back(word);
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
