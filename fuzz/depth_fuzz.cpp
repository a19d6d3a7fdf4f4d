// Deep nesting, which overflowed the stack: the first byte says which reader gets it, the second how often the rest, up
// to its first line end, comes before and, in reverse, after the rest of it.

#include <algorithm>

#include "bocs/store/json.hpp"
#include "bocs/study/command.hpp"
#include "bocs/study/point_json.hpp"
#include "bocs/study/spec_json.hpp"
#include "bocs/study/study_file.hpp"
#include "bocs/study/untrusted_json.hpp"
#include "fuzz.hpp"

using namespace bocs;

namespace {

std::string mirrored(std::string text) {
  std::reverse(text.begin(), text.end());
  for (char& c : text) c = c == '[' ? ']' : c == '{' ? '}' : c;
  return text;
}

}  // namespace

FUZZ(text) {
  if (text.size() < 3) return;
  const std::size_t end = std::min(text.find('\n', 2), text.size());
  const std::string unit = text.substr(2, std::min<std::size_t>(end - 2, 16));
  std::string deep;
  for (int i = 0; i < 256 * static_cast<unsigned char>(text[1]); ++i) deep += unit;
  const std::string json = deep + text.substr(end) + mirrored(deep);
  switch (text[0] % 7) {
    case 0:
      (void)parse_output(json);
      break;
    case 1:
      (void)metrics_from_json(json);
      break;
    case 2:
      (void)trial_from_json(json);
      break;
    case 3:
      (void)spec_from_json(json);
      break;
    case 4:
      (void)parse_untrusted_json<nlohmann::ordered_json>(json).dump();
      break;
    case 5:
      (void)load_study_file(fuzz::as_file(json));
      break;
    default: {
      static const Space space({binary("a"), integer("crew", -2, 9)});
      (void)point_from_named_json(space, json);
    }
  }
}
