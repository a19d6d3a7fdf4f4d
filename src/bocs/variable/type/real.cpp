#include <algorithm>
#include <cmath>
#include <functional>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/variable/type/grid.hpp"

namespace bocs {
namespace {

Variable fine(const std::string& who, std::string name, double low, double high, bool log) {
  require_positive(who, low, log);
  const Scale scale(who, low, high, log);
  Coordinate c{.levels = scale.levels(), .scale = scale, .ordered = true, .whole = false};
  return {std::move(name), std::make_shared<PlainType>("real", std::move(c))};
}

}  // namespace

Variable real(std::string name, double low, double high, const Spacing& spacing) {
  const std::string who = owner("real", name);
  require(std::isfinite(low) && std::isfinite(high) && low < high && std::isfinite(high - low), [&] {
    return who + "found low " + format_number(low) + " and high " + format_number(high) +
           "; allowed: finite numbers, low below high";
  });
  if (spacing.steps == 0 && spacing.step == 0) return fine(who, std::move(name), low, high, spacing.log);
  const int n = step_count(who, low, high, spacing);
  constexpr double kRounding = 2e-4;  // of a step
  std::vector<double> values;
  for (int k = 0; k <= n; ++k) {
    const double value = grid_value(low, high, k, n, spacing.log);
    const double step = value - grid_value(low, high, k - 1, n, spacing.log);
    const bool end = k == 0 || k == n;
    values.push_back(end ? value : simplest(value, kRounding * step));
  }
  require(std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end(), [&] {
    return who + "found " + std::to_string(n) + " steps from " + shortest(low) + " to " + shortest(high) +
           "; allowed: so few that its values are different numbers";
  });
  return listed(std::move(name), false, std::move(values));
}

Variable read_real(const Definition& definition) {
  definition.allow({"low", "high", "steps", "step", "log", "values"});
  if (definition.has("values")) return listed_again(definition, false);
  return real(definition.name(), definition.number("low"), definition.number("high"), read_spacing(definition));
}

}  // namespace bocs
