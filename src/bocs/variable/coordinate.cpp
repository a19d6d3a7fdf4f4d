#include "bocs/variable/coordinate.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"

namespace bocs {
namespace {

std::string range_text(double low, double high) { return format_number(low) + " to " + format_number(high); }

/// A number as people and pandas write it, spaces around it allowed.
std::optional<double> parse_number(const std::string& text) {
  const char *begin = text.data(), *end = begin + text.size();
  while (begin < end && *begin == ' ') ++begin;
  while (begin < end && end[-1] == ' ') --end;
  if (begin < end && *begin == '+') ++begin;
  double value = 0;
  const auto [stopped, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stopped != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::int32_t parse_binary(const Coordinate& v, const std::string& text) {
  for (const char* word : {"true", "True", "TRUE"}) {
    if (text == word) return 1;
  }
  for (const char* word : {"false", "False", "FALSE"}) {
    if (text == word) return 0;
  }
  const auto value = parse_number(text);
  require(value == 0.0 || value == 1.0,
          [&] { return v.name + ": " + quoted(text) + " is neither 0 (false) nor 1 (true)"; });
  return value == 1.0 ? 1 : 0;
}

std::int32_t parse_choice(const Coordinate& v, const std::string& text) {
  const auto exact = std::find(v.labels.begin(), v.labels.end(), text);
  if (exact != v.labels.end()) return static_cast<std::int32_t>(exact - v.labels.begin());
  std::vector<std::int32_t> meant;
  for (std::size_t level = 0; level < v.typed.size(); ++level) {
    if (may_mean(text, v.typed[level])) meant.push_back(static_cast<std::int32_t>(level));
  }
  require(meant.size() == 1, [&] {
    return v.name + ": " + quoted(text) +
           (meant.empty() ? " is not one of its levels: " : " can mean several of its levels: ") + joined(v.labels);
  });
  return meant.front();
}

int present(const Coordinate& v) { return v.levels - (v.optional ? 1 : 0); }

/// The place in `values` of the one that is nearest.
int nearest_listed(const Coordinate& v, double value) {
  const auto above = std::lower_bound(v.values.begin(), v.values.end(), value);
  const int level = static_cast<int>(above - v.values.begin());
  if (level == 0) return 0;
  if (level == present(v)) return level - 1;
  return *above - value < value - v.values[level - 1] ? level : level - 1;
}

std::int32_t parse_listed(const Coordinate& v, const std::string& text) {
  constexpr double kSame = 0.01;  // of the distance to the neighbour
  const auto value = parse_number(text);
  const std::string range = range_text(v.values.front(), v.values.back());
  require(value.has_value(), [&] { return v.name + ": " + quoted(text) + " is not a number from " + range; });
  const int level = nearest_listed(v, *value);
  const double distance = *value - v.values[level];
  const int other = std::clamp(level + (distance < 0 ? -1 : 1), 0, present(v) - 1);
  const double gap = std::abs(v.values[other] - v.values[level]);
  const double tolerance = v.whole ? 0 : kSame * gap;
  const double rounding = 1e-12 * std::abs(v.values[level]);  // of an end of the grid, too
  require(std::abs(distance) <= std::max(tolerance, v.whole ? 0 : rounding), [&] {
    const std::string nearest = other == level ? "the nearest is " + format_number(v.values[level])
                                               : "the nearest are " + format_number(v.values[std::min(level, other)]) +
                                                     " and " + format_number(v.values[std::max(level, other)]);
    return v.name + ": " + quoted(text) + " is not one of its " + std::to_string(present(v)) + " values from " + range +
           "; " + nearest;
  });
  return level;
}

std::int32_t parse_whole(const Coordinate& v, const std::string& text) {
  const auto value = parse_number(text);
  const double low = v.low, high = static_cast<double>(v.low) + present(v) - 1;
  require(value && *value == std::floor(*value) && *value >= low && *value <= high,
          [&] { return v.name + ": " + quoted(text) + " is not a whole number from " + range_text(low, high); });
  return static_cast<std::int32_t>(*value - low);
}

/// Of a variable without a step any number between its ends.
std::int32_t parse_fine(const Coordinate& v, const std::string& text) {
  const auto value = parse_number(text);
  require(value && v.scale->holds(*value), [&] {
    return v.name + ": " + quoted(text) + " is not a number from " + range_text(v.scale->low(), v.scale->high());
  });
  return v.scale->nearest(*value);
}

}  // namespace

std::string format_number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return std::to_string(static_cast<long long>(value));
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general).ptr};
}

std::int32_t parse_level(const Coordinate& c, const std::string& text) {
  if (c.optional && text == kAbsent) return 0;
  const std::int32_t first = c.optional ? 1 : 0;
  if (c.flag) return first + parse_binary(c, text);
  if (!c.has_value()) return first + parse_choice(c, text);
  if (c.scale) return first + parse_fine(c, text);
  return first + (c.values.empty() ? parse_whole(c, text) : parse_listed(c, text));
}

std::string format_level(const Coordinate& c, std::int32_t level) {
  if (c.is_absent(level)) return kAbsent;
  return c.has_value() ? format_number(c.value(level))
                       : c.labels[static_cast<std::size_t>(level - (c.optional ? 1 : 0))];
}

}  // namespace bocs
