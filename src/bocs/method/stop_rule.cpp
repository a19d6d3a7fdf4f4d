// The text of a stop rule: "gain < 0.01".

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/method/remaining.hpp"

namespace bocs {

StopRule StopRule::parse(const std::string& text) {
  std::string bare;
  std::copy_if(text.begin(), text.end(), std::back_inserter(bare), [](char c) { return c != ' '; });
  constexpr std::string_view kHead = "gain<";
  StopRule rule;
  const char* end = bare.data() + bare.size();
  const bool has_head = bare.starts_with(kHead);
  const auto [at, error] = std::from_chars(bare.data() + (has_head ? kHead.size() : 0), end, rule.gain);
  require(has_head && error == std::errc() && at == end && std::isfinite(rule.gain) && rule.gain > 0, [&] {
    return "the stop rule '" + text + "' cannot be read: write the gain that is not worth a search, as in gain < 0.01";
  });
  return rule;
}

std::string StopRule::text() const { return "gain < " + shortest(gain); }

}  // namespace bocs
