#include <cmath>

#include "bocs/base/error.hpp"
#include "bocs/variable/type/grid.hpp"

namespace bocs {

Variable integer(std::string name, int low, int high, const Spacing& spacing) {
  const std::string who = owner("integer", name);
  require(low <= high, [&] { return who + "low " + std::to_string(low) + " is above high " + std::to_string(high); });
  const long levels = static_cast<long>(high) - low + 1;
  if (spacing.steps == 0 && (spacing.step == 0 || spacing.step == 1) && !spacing.log) {
    require(levels <= 1'000'000, [&] { return who + std::to_string(levels) + " values; at most 1000000 are allowed"; });
    Coordinate c{.levels = static_cast<int>(levels), .low = low, .ordered = true};
    return {std::move(name), std::make_shared<PlainType>("integer", std::move(c))};
  }
  const int n = step_count(who, low, high, spacing);
  require(spacing.log || (levels - 1) % n == 0, [&] {
    return who + "found " + (spacing.step != 0 ? "step " + format_number(spacing.step) : "steps " + std::to_string(n)) +
           "; allowed: steps of a whole number that lead from " + format_number(low) + " to " + format_number(high);
  });
  std::vector<double> values;
  for (int k = 0; k <= n; ++k) {
    const double value = std::round(grid_value(low, high, k, n, spacing.log));
    if (values.empty() || value > values.back()) values.push_back(value);
  }
  return listed(std::move(name), true, std::move(values));
}

Variable read_integer(const Definition& definition) {
  definition.allow({"low", "high", "steps", "step", "log", "values"});
  if (definition.has("values")) return listed_again(definition, true);
  return integer(definition.name(), definition.whole("low"), definition.whole("high"), read_spacing(definition));
}

}  // namespace bocs
