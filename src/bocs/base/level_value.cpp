#include "bocs/base/level_value.hpp"

#include <charconv>
#include <cmath>
#include <optional>

namespace bocs {
namespace {

/// As Python's repr writes it: all digits from 1e-4 to 1e16, and always a point or an exponent.
std::string text_of(double value) {
  const double size = std::abs(value);
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
  char buffer[64];
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, format).ptr);
  return plain && text.find('.') == std::string::npos && std::isfinite(value) ? text + ".0" : text;
}

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

}  // namespace

std::string text_of(const LevelValue& value) {
  return std::visit(
      Match{[](std::monostate) { return std::string("None"); },
            [](bool b) { return std::string(b ? "True" : "False"); },
            [](std::int64_t n) { return std::to_string(n); },  //
            [](double x) { return text_of(x); },               //
            [](const std::string& text) { return text; }, [](const Unstorable& object) { return object.text; }},
      value);
}

bool may_mean(const std::string& text, const LevelValue& value) {
  if (text == text_of(value)) return true;
  return std::visit(
      Match{[&](std::monostate) { return text.empty() || lower(text) == "null" || lower(text) == "none"; },
            [&](bool b) { return lower(text) == (b ? "true" : "false"); },
            [&](std::int64_t n) { return number_in(text) == static_cast<double>(n); },
            [&](double x) { return number_in(text) == x; },  //
            [](const auto&) { return false; }},
      value);
}

}  // namespace bocs
