#include "study_output.hpp"

#include <fmt/core.h>

namespace bocs::cli {
namespace {

/// "station" of station[3]; the whole name when it is no element of an array.
std::string array_name(const std::string& name) {
  const auto bracket = name.rfind('[');
  return name.ends_with(']') && bracket != std::string::npos && bracket > 0 ? name.substr(0, bracket) : name;
}

}  // namespace

std::string describe_point(const Space& space, const Point& x) {
  std::string text;
  for (int i = 0; i < space.dimension();) {
    const std::string name = array_name(space[i].name);
    if (!text.empty()) text += ' ';
    text += name + '=';
    const bool packed = space[i].kind == Kind::binary;
    for (const int first = i; i < space.dimension() && (i == first || array_name(space[i].name) == name); ++i) {
      if (i > first && !packed) text += ',';
      text += format_level(space[i], x[i]);
      if (name == space[i].name) {  // not an array
        ++i;
        break;
      }
    }
  }
  return harmless(text);
}

bool is_penalized(const Study& study) { return study.task().l1 > 0 || study.task().l2 > 0; }

void print_value(const Study& study, const Trial& trial) {
  fmt::print("value        {:.10g}  at trial {}\n", study.shown(trial.y), trial.number);
  if (is_penalized(study)) fmt::print("with penalty {:.10g}\n", study.value(trial));
}

}  // namespace bocs::cli
