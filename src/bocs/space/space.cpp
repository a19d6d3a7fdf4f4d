#include "bocs/space/space.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <sstream>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"

namespace bocs {
namespace {

constexpr int kUsualSteps = 100;

std::string quoted(const std::string& text) { return "'" + text + "'"; }

/// "real 'rate': "; a variable that has no name yet is just "real: ".
std::string owner(const std::string& type, const std::string& name) {
  return type + (name.empty() ? "" : " " + quoted(name)) + ": ";
}

void check_count(std::int64_t variables) {
  require(variables >= 1 && variables <= Space::kMaxVariables, [&] {
    return "a space has 1 to " + std::to_string(Space::kMaxVariables) + " variables, not " + std::to_string(variables);
  });
}

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

/// The shortest text that reads back to the same number; 0.0001 and 100000 are written out.
std::string format_number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return std::to_string(static_cast<long long>(value));
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general).ptr};
}

std::int32_t parse_binary(const Variable& v, const std::string& text) {
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

std::int32_t parse_choice(const Variable& v, const std::string& text) {
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

/// The level in `values` that is nearest.
int nearest_level(const Variable& v, double value) {
  const auto above = std::lower_bound(v.values.begin(), v.values.end(), value);
  const int level = static_cast<int>(above - v.values.begin());
  if (level == 0) return 0;
  if (level == v.levels) return v.levels - 1;
  return *above - value < value - v.values[level - 1] ? level : level - 1;
}

std::int32_t parse_listed(const Variable& v, const std::string& text) {
  constexpr double kSame = 0.01;  // of the distance to the neighbour
  const auto value = parse_number(text);
  const std::string range = format_level(v, 0) + " to " + format_level(v, v.levels - 1);
  require(value.has_value(), [&] { return v.name + ": " + quoted(text) + " is not a number from " + range; });
  const int level = nearest_level(v, *value);
  const double distance = *value - v.values[level];
  const int other = std::clamp(level + (distance < 0 ? -1 : 1), 0, v.levels - 1);
  const double gap = std::abs(v.values[other] - v.values[level]);
  const double tolerance = v.kind == Kind::real ? kSame * gap : 0;
  const double rounding = 1e-12 * std::abs(v.values[level]);  // of an end of the grid, too
  require(std::abs(distance) <= std::max(tolerance, v.kind == Kind::real ? rounding : 0), [&] {
    const std::string nearest = other == level ? "the nearest is " + format_level(v, level)
                                               : "the nearest are " + format_level(v, std::min(level, other)) +
                                                     " and " + format_level(v, std::max(level, other));
    return v.name + ": " + quoted(text) + " is not one of its " + std::to_string(v.levels) + " values from " + range +
           "; " + nearest;
  });
  return level;
}

std::string range_text(double low, double high) { return format_number(low) + " to " + format_number(high); }

/// The number of steps that lead from low to high.
int step_count(const std::string& who, double low, double high, const Spacing& spacing) {
  require(spacing.steps >= 0 && spacing.steps <= Spacing::kMostSteps, [&] {
    return who + "found steps " + std::to_string(spacing.steps) + "; allowed: 1 to " +
           std::to_string(Spacing::kMostSteps);
  });
  require(!spacing.log || low > 0,
          [&] { return who + "found low " + format_number(low) + " with log; allowed: a number above 0"; });
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

/// The value after k of n steps, with all its digits.
double grid_value(double low, double high, int k, int n, bool log) {
  if (k == 0 || k == n) return k == 0 ? low : high;
  const double part = static_cast<double>(k) / n;
  return log ? low * std::pow(high / low, part) : low + (high - low) * part;
}

/// The number of fewest digits that is no further away.
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

Variable listed(std::string name, Kind kind, std::vector<double> values) {
  const int levels = static_cast<int>(values.size());
  return {std::move(name), kind, levels, 0, {}, std::move(values)};
}

}  // namespace

std::int32_t parse_level(const Variable& v, const std::string& text) {
  if (v.kind == Kind::binary) return parse_binary(v, text);
  if (v.kind == Kind::categorical) return parse_choice(v, text);
  if (!v.values.empty()) return parse_listed(v, text);
  const auto value = parse_number(text);
  const double low = v.value(0), high = v.value(v.levels - 1);
  require(value && *value == std::floor(*value) && *value >= low && *value <= high,
          [&] { return v.name + ": " + quoted(text) + " is not a whole number from " + range_text(low, high); });
  return static_cast<std::int32_t>(*value - low);
}

std::string format_level(const Variable& v, std::int32_t level) {
  return v.kind == Kind::categorical ? v.labels[level] : format_number(v.value(level));
}

Variable binary(std::string name) { return {std::move(name), Kind::binary, 2, 0, {}}; }

Variable integer(std::string name, int low, int high, const Spacing& spacing) {
  const std::string who = owner("integer", name);
  require(low <= high, [&] { return who + "low " + std::to_string(low) + " is above high " + std::to_string(high); });
  const long levels = static_cast<long>(high) - low + 1;
  if (spacing.steps == 0 && (spacing.step == 0 || spacing.step == 1) && !spacing.log) {
    require(levels <= 1'000'000, [&] { return who + std::to_string(levels) + " values; at most 1000000 are allowed"; });
    return {std::move(name), Kind::integer, static_cast<int>(levels), low, {}};
  }
  const int n = step_count(who, low, high, spacing);
  require(spacing.log || (levels - 1) % n == 0, [&] {
    return who + "found " + (spacing.step != 0 ? "step " + format_number(spacing.step) : "steps " + std::to_string(n)) +
           "; allowed: steps of a whole number that lead from " + range_text(low, high);
  });
  std::vector<double> values;
  for (int k = 0; k <= n; ++k) {
    const double value = std::round(grid_value(low, high, k, n, spacing.log));
    if (values.empty() || value > values.back()) values.push_back(value);
  }
  return listed(std::move(name), Kind::integer, std::move(values));
}

Variable real(std::string name, double low, double high, const Spacing& spacing) {
  const std::string who = owner("real", name);
  require(std::isfinite(low) && std::isfinite(high) && low < high && std::isfinite(high - low), [&] {
    return who + "found low " + format_number(low) + " and high " + format_number(high) +
           "; allowed: finite numbers, low below high";
  });
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
  return listed(std::move(name), Kind::real, std::move(values));
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
  return listed(std::move(name), whole ? Kind::integer : Kind::real, std::move(values));
}

Variable categorical(std::string name, const std::vector<std::string>& labels) {
  for (const auto& label : labels) {
    require(label.find(',') == std::string::npos,
            [&] { return "categorical " + quoted(name) + ": the level " + quoted(label) + " has a comma in it"; });
  }
  return choice(std::move(name), {labels.begin(), labels.end()});
}

Variable choice(std::string name, std::vector<LevelValue> levels) {
  require(!levels.empty(), [&] { return "categorical " + quoted(name) + " needs at least one level"; });
  std::vector<std::string> labels;
  std::set<std::string> distinct;
  for (const LevelValue& level : levels) {
    std::string& label = labels.emplace_back(text_of(level));
    std::replace(label.begin(), label.end(), ',', ';');
    require(distinct.insert(label).second, [&] {
      return "categorical " + quoted(name) + ": the levels must be distinct, their texts, too; found " + quoted(label) +
             " twice";
    });
  }
  const int count = static_cast<int>(labels.size());
  return {std::move(name), Kind::categorical, count, 0, std::move(labels), {}, std::move(levels)};
}

Point point_of_code(std::uint64_t code, int dimension) {
  Point x(static_cast<std::size_t>(dimension));
  for (int i = 0; i < dimension; ++i) x[i] = static_cast<std::int32_t>(code >> i & 1);
  return x;
}

std::size_t PointHash::operator()(const Point& x) const {
  std::uint64_t h = 0xcbf29ce484222325ULL;  // FNV-1a over the levels
  for (const auto level : x) h = (h ^ static_cast<std::uint32_t>(level)) * 0x100000001b3ULL;
  return h ^ (h >> 29);
}

Space::Space(std::vector<Variable> variables) : variables_(std::move(variables)) {
  check_count(variables_.size());
  auto indices = std::make_shared<std::unordered_map<std::string, int>>();
  for (const auto& v : variables_) {
    require(!v.name.empty(), "a variable needs a name");
    require(indices->emplace(v.name, static_cast<int>(indices->size())).second,
            [&] { return "two variables are called " + quoted(v.name); });
    require(v.levels >= 1, [&] { return "variable " + quoted(v.name) + " has no values"; });
    require(v.levels - 1L <= std::numeric_limits<int>::max() - static_cast<long>(v.low),
            [&] { return "the values of variable " + quoted(v.name) + " go beyond 2147483647"; });
    require(v.kind != Kind::categorical || v.labels.size() == static_cast<std::size_t>(v.levels),
            [&] { return "variable " + quoted(v.name) + " needs one label for each of its levels"; });
    require(v.typed.empty() || v.typed.size() == v.labels.size(),
            [&] { return "variable " + quoted(v.name) + " needs a typed level for each of its labels"; });
    const bool listed = is_number(v.kind) && !v.values.empty();
    require(listed ? v.values.size() == static_cast<std::size_t>(v.levels) : v.values.empty() && v.kind != Kind::real,
            [&] { return "variable " + quoted(v.name) + " needs one value for each of its levels"; });
    require(std::adjacent_find(v.values.begin(), v.values.end(), std::greater_equal<>()) == v.values.end(),
            [&] { return "the values of variable " + quoted(v.name) + " do not ascend"; });
    require(v.kind != Kind::binary || (v.levels == 2 && v.low == 0),
            [&] { return "binary variable " + quoted(v.name) + " has the values 0 and 1"; });
    all_binary_ = all_binary_ && v.kind == Kind::binary;
  }
  indices_ = std::move(indices);
}

Space Space::binary(int dimension) {
  check_count(dimension);
  std::vector<Variable> variables;
  for (int i = 0; i < dimension; ++i) variables.push_back(bocs::binary("x" + std::to_string(i)));
  return Space(std::move(variables));
}

int Space::index(const std::string& name) const {
  const auto found = indices_->find(name);
  require(found != indices_->end(), [&] { return "there is no variable " + quoted(name); });
  return found->second;
}

bool Space::contains(const Point& x) const {
  if (x.size() != variables_.size()) return false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < 0 || x[i] >= variables_[i].levels) return false;
  }
  return true;
}

void Space::check(const Point& x) const {
  require(x.size() == variables_.size(), [&] {
    return "the point has " + std::to_string(x.size()) + " entries, the space has " + std::to_string(dimension()) +
           " variables";
  });
  for (std::size_t i = 0; i < x.size(); ++i) {
    require(x[i] >= 0 && x[i] < variables_[i].levels, [&] {
      return variables_[i].name + ": level " + std::to_string(x[i]) + " is outside 0 to " +
             std::to_string(variables_[i].levels - 1);
    });
  }
}

Point Space::random(Rng& rng) const {
  Point x(variables_.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(variables_[i].levels)));
  }
  return x;
}

double Space::log2_size() const {
  double bits = 0;
  for (const auto& v : variables_) bits += std::log2(v.levels);
  return bits;
}

bool Space::no_larger_than(double count) const {
  double size = 1;
  for (const auto& v : variables_) {
    size *= v.levels;
    if (size > count) return false;
  }
  return true;
}

std::string Space::format(const Point& x) const {
  check(x);
  std::string text;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i > 0 && !all_binary_) text += ',';
    text += format_level(variables_[i], x[i]);
  }
  return text;
}

Point Space::parse(const std::string& text) const {
  std::vector<std::string> parts;
  if (all_binary_ && text.find(',') == std::string::npos) {
    for (const char c : text) parts.emplace_back(1, c);
  } else {
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
    if (text.ends_with(',')) parts.emplace_back();  // so that it is counted, and refused
  }
  require(parts.size() == variables_.size(), [&] {
    return "the point " + quoted(text) + " has " + std::to_string(parts.size()) + " entries, the space has " +
           std::to_string(dimension()) + " variables";
  });
  Point x;
  for (std::size_t i = 0; i < parts.size(); ++i) x.push_back(parse_level(variables_[i], parts[i]));
  return x;
}

}  // namespace bocs
