#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/variable/type/grid.hpp"

namespace bocs {
namespace {

constexpr int kUsualSteps = 100;

std::string range_text(double low, double high) { return format_number(low) + " to " + format_number(high); }

}  // namespace

std::string owner(const std::string& type, const std::string& name) {
  return type + (name.empty() ? "" : " '" + name + "'") + ": ";
}

void require_positive(const std::string& who, double low, bool log) {
  require(!log || low > 0,
          [&] { return who + "found low " + format_number(low) + " with log; allowed: a number above 0"; });
}

int step_count(const std::string& who, double low, double high, const Spacing& spacing) {
  require(spacing.steps >= 0 && spacing.steps <= Spacing::kMostSteps, [&] {
    return who + "found steps " + std::to_string(spacing.steps) + "; allowed: 1 to " +
           std::to_string(Spacing::kMostSteps);
  });
  require_positive(who, low, spacing.log);
  if (spacing.step == 0) return spacing.steps > 0 ? spacing.steps : kUsualSteps;
  require(spacing.steps == 0, [&] { return who + "found both step and steps; allowed: one of them"; });
  require(!spacing.log, [&] { return who + "found step with log; allowed: steps, which are then equal factors"; });
  const double exact = (high - low) / spacing.step;
  const double count = std::round(exact);
  require(std::isfinite(exact) && count >= 1 && std::abs(exact - count) <= 1e-9 * count, [&] {
    return who + "found step " + format_number(spacing.step) + "; allowed: one that leads from " +
           range_text(low, high) + " in a whole number of steps";
  });
  require(count <= Spacing::kMostSteps, [&] {
    return who + "found step " + format_number(spacing.step) + ", which makes " + format_number(count) +
           " steps; allowed: at most " + std::to_string(Spacing::kMostSteps);
  });
  return static_cast<int>(count);
}

double grid_value(double low, double high, int k, int n, bool log) {
  if (k == 0 || k == n) return k == 0 ? low : high;
  const double part = static_cast<double>(k) / n;
  return log ? low * std::pow(high / low, part) : low + (high - low) * part;
}

double simplest(double value, double tolerance) {
  if (std::abs(value) <= tolerance) return 0;
  for (int digits = 1; digits <= 16; ++digits) {
    char buffer[32];
    const char* end =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, digits - 1).ptr;
    double rounded = 0;
    std::from_chars(buffer, end, rounded);
    if (std::abs(rounded - value) <= tolerance) return rounded;
  }
  return value;
}

Variable listed(std::string name, bool whole, std::vector<double> values) {
  Coordinate c{.levels = static_cast<int>(values.size()), .values = std::move(values), .ordered = true, .whole = whole};
  return {std::move(name), std::make_shared<PlainType>(whole ? "integer" : "real", std::move(c))};
}

Variable listed_again(const Definition& definition, bool whole) {
  const Variable checked = ordinal(definition.name(), definition.numbers("values"));
  return listed(checked.name, whole, coordinate_of(checked).values);  // those of a real variable may all be whole
}

Spacing read_spacing(const Definition& definition) {
  return {definition.whole("steps", 0), definition.number("step", 0), definition.has("log") && definition.flag("log")};
}

Variable ordinal(std::string name, std::vector<double> values) {
  bool ascending = !values.empty(), whole = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    ascending = ascending && std::isfinite(values[i]) && (i == 0 || values[i] > values[i - 1]);
    whole = whole && values[i] == std::floor(values[i]) && std::abs(values[i]) <= std::numeric_limits<int>::max();
  }
  require(ascending && values.size() <= static_cast<std::size_t>(Spacing::kMostSteps) + 1, [&] {
    return owner("ordinal", name) + "its values must be finite numbers, each larger than the one before, 1 to " +
           std::to_string(Spacing::kMostSteps + 1) + " of them";
  });
  return listed(std::move(name), whole, std::move(values));
}

}  // namespace bocs
