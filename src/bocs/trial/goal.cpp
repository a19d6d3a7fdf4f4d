#include "bocs/trial/goal.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"

namespace bocs {
namespace {

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t") + 1 - begin));
}

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

[[noreturn]] void refuse_limit(const std::string& text) {
  throw InvalidArgument("the outcome '" + text +
                        "' cannot be read: write a metric and a bound, such as growth >= 0.1 or 0.1 <= growth <= 0.5");
}

}  // namespace

Goal known_goal(const Space& space, const std::string& name, const std::string& sum, Sense sense) {
  try {
    return {name, sense, std::numeric_limits<double>::quiet_NaN(), std::make_shared<const KnownSum>(space, sum), sum};
  } catch (const InvalidArgument& error) {
    throw InvalidArgument("the goal '" + name + "': " + error.what());
  }
}

OutcomeLimit parse_outcome_limit(const std::string& text) {
  std::vector<std::string> parts;  // sides, each but the last followed by its relation
  std::string_view rest = text;
  for (auto at = rest.find_first_of("<>"); at != std::string_view::npos; at = rest.find_first_of("<>")) {
    if (rest.substr(at + 1, 1) != "=") refuse_limit(text);
    parts.push_back(trimmed(rest.substr(0, at)));
    parts.emplace_back(rest.substr(at, 2));
    rest.remove_prefix(at + 2);
  }
  parts.push_back(trimmed(rest));
  if (parts.size() != 3 && parts.size() != 5) refuse_limit(text);
  const std::size_t place = number_of(parts[0]) ? 2 : 0;  // of the metric
  OutcomeLimit limit{parts[place]};
  if (limit.metric.empty() || number_of(limit.metric) || (parts.size() == 5 && place == 0)) refuse_limit(text);
  for (std::size_t k = 1; k < parts.size(); k += 2) {
    const bool metric_is_left = k > place;
    const auto bound = number_of(parts[metric_is_left ? k + 1 : k - 1]);
    if (!bound) refuse_limit(text);
    double& side = (parts[k] == ">=") == metric_is_left ? limit.low : limit.high;
    if (std::isfinite(side)) refuse_limit(text);
    side = *bound;
  }
  require(limit.low <= limit.high, [&] { return "the outcome '" + text + "': no number is within these bounds"; });
  return limit;
}

std::string to_string(const OutcomeLimit& limit) {
  const bool low = std::isfinite(limit.low), high = std::isfinite(limit.high);
  if (low && high) return shortest(limit.low) + " <= " + limit.metric + " <= " + shortest(limit.high);
  return limit.metric + (low ? " >= " + shortest(limit.low) : " <= " + shortest(limit.high));
}

}  // namespace bocs
