#include "bocs/core/space.hpp"

#include <cmath>
#include <limits>
#include <set>
#include <sstream>

#include "bocs/core/error.hpp"
#include "bocs/core/text.hpp"

namespace bocs {
namespace {

std::string quoted(const std::string& text) { return "'" + text + "'"; }

void check_count(std::int64_t variables) {
  require(variables >= 1 && variables <= Space::kMaxVariables, [&] {
    return "a space has 1 to " + std::to_string(Space::kMaxVariables) + " variables, not " + std::to_string(variables);
  });
}

}  // namespace

std::int32_t parse_level(const Variable& v, const std::string& text) {
  if (v.kind == Kind::categorical) {
    for (int level = 0; level < v.levels; ++level) {
      if (v.labels[level] == text) return level;
    }
    throw InvalidArgument(v.name + ": " + quoted(text) + " is not one of its levels: " + joined(v.labels));
  }
  const std::string range = std::to_string(v.low) + " to " + std::to_string(v.high());
  std::size_t used = 0;
  long value = 0;
  try {
    value = std::stol(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  require(used == text.size() && !text.empty() && value >= v.low && value <= v.high(),
          [&] { return v.name + ": " + quoted(text) + " is not a whole number from " + range; });
  return static_cast<std::int32_t>(value - v.low);
}

std::string format_level(const Variable& v, std::int32_t level) {
  if (v.kind == Kind::categorical) return v.labels[level];
  return std::to_string(v.low + level);
}

Variable binary(std::string name) { return {std::move(name), Kind::binary, 2, 0, {}}; }

Variable integer(std::string name, int low, int high) {
  require(low <= high, [&] {
    return "integer " + quoted(name) + ": low " + std::to_string(low) + " is above high " + std::to_string(high);
  });
  const long levels = static_cast<long>(high) - low + 1;
  require(levels <= 1'000'000, [&] {
    return "integer " + quoted(name) + ": " + std::to_string(levels) + " values; at most 1000000 are allowed";
  });
  return {std::move(name), Kind::integer, static_cast<int>(levels), low, {}};
}

Variable categorical(std::string name, std::vector<std::string> labels) {
  const std::set<std::string> distinct(labels.begin(), labels.end());
  require(!labels.empty() && distinct.size() == labels.size(),
          [&] { return "categorical " + quoted(name) + ": the levels must be distinct, and at least one"; });
  for (const auto& label : labels) {  // points are written with commas between the values
    require(label.find(',') == std::string::npos,
            [&] { return "categorical " + quoted(name) + ": the level " + quoted(label) + " has a comma in it"; });
  }
  const int levels = static_cast<int>(labels.size());
  return {std::move(name), Kind::categorical, levels, 0, std::move(labels)};
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
