#include "bocs/space/space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <sstream>
#include <unordered_map>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/space/condition.hpp"
#include "bocs/space/steps.hpp"

namespace bocs {
namespace {

void check_count(std::int64_t variables) {
  require(variables >= 1 && variables <= Space::kMaxVariables, [&] {
    return "a space has 1 to " + std::to_string(Space::kMaxVariables) + " variables, not " + std::to_string(variables);
  });
}

/// A condition seen from the coordinate it is about.
struct Child {
  int coordinate;
  std::vector<char> holds;  // by level of the parent
};

}  // namespace

struct Space::Parts {
  std::vector<Variable> variables;
  std::vector<Coordinate> coordinates;
  std::vector<int> first;                           // by variable, and the dimension at the end
  std::vector<int> variable_of;                     // by coordinate; empty: the same numbers
  std::unordered_map<std::string, int> indices;     // of coordinates, by name
  std::unordered_map<std::string, int> structures;  // of variables that are structures, by name
  std::vector<OwnRule> rules;
  std::vector<std::vector<Child>> children;  // by coordinate; empty: there are no conditions

  void add(Variable variable);
  void add_condition(int variable);
  void check_circles() const;
};

void Space::Parts::add(Variable variable) {
  require(!variable.name.empty(), "a variable needs a name");
  const auto structure = variable.type->structure();
  const int begin = static_cast<int>(coordinates.size());
  first.push_back(begin);
  for (Coordinate& c : variable.type->coordinates(variable.name)) {
    if (!variable.when.empty()) {
      require(std::find(c.labels.begin(), c.labels.end(), kAbsent) == c.labels.end(),
              [&] { return variable.name + ": found the level '" + kAbsent + "', which stands for no level at all"; });
      c.optional = true;
      ++c.levels;
    }
    require(indices.emplace(c.name, static_cast<int>(coordinates.size())).second,
            [&] { return "two variables are called " + quoted(c.name); });
    require(c.levels - 1L <= std::numeric_limits<int>::max() - static_cast<long>(c.low),
            [&] { return "the values of variable " + quoted(c.name) + " go beyond 2147483647"; });
    coordinates.push_back(std::move(c));
  }
  if (structure != nullptr) {
    const bool is_new = !indices.contains(variable.name);
    require(structures.emplace(variable.name, static_cast<int>(variables.size())).second && is_new,
            [&] { return "two variables are called " + quoted(variable.name); });
    for (OwnRule& rule : structure->rules()) {
      for (auto& part : rule.parts) part.coordinate += begin;
      rule.text = variable.name + ": " + rule.text;
      rules.push_back(std::move(rule));
    }
  }
  variables.push_back(std::move(variable));
}

/// [absent] + sum over the levels where the condition holds of [parent = level] == 1.
void Space::Parts::add_condition(int v) {
  const Variable& variable = variables[static_cast<std::size_t>(v)];
  const int own = first[static_cast<std::size_t>(v)];
  const Condition condition = read_condition(variable.when);
  const auto found = indices.find(condition.variable);
  require(found != indices.end(), [&] {
    std::vector<std::string> names;
    for (const Variable& other : variables) names.push_back(other.name);
    return variable.name + ": when " + quoted(variable.when) + ": there is no variable " + quoted(condition.variable) +
           did_you_mean(condition.variable, names);
  });
  const int parent = found->second;
  require(parent != own && !variable_of.empty(),
          [&] { return variable.name + ": it exists when it has a value itself"; });
  const Variable& other = variables[static_cast<std::size_t>(variable_of[static_cast<std::size_t>(parent)])];
  require(other.type->structure() == nullptr, [&] {
    return variable.name + ": when " + quoted(variable.when) + ": " + other.name + " is a " +
           std::string(other.type->word()) + "; allowed: a condition on a variable of one value";
  });
  Child child{own, holds_by_level(variable.when, condition, coordinates[static_cast<std::size_t>(parent)])};
  OwnRule rule{.text = variable.name + " exists when " + variable.when, .parts = {{own, 0}}, .low = 1, .high = 1};
  for (std::size_t level = 0; level < child.holds.size(); ++level) {
    if (child.holds[level] == 1) rule.parts.push_back({parent, static_cast<std::int32_t>(level)});
  }
  rules.push_back(std::move(rule));
  children.resize(coordinates.size());
  children[static_cast<std::size_t>(parent)].push_back(std::move(child));
}

void Space::Parts::check_circles() const {
  std::vector<int> parents(coordinates.size(), 0);  // 0 or 1 each: its condition is about one variable
  for (const auto& own : children) {
    for (const Child& child : own) ++parents[static_cast<std::size_t>(child.coordinate)];
  }
  std::vector<int> open;  // those whose parents have been met
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (parents[i] == 0) open.push_back(static_cast<int>(i));
  }
  for (std::size_t k = 0; k < open.size(); ++k) {
    for (const Child& child : children[static_cast<std::size_t>(open[k])]) {
      parents[static_cast<std::size_t>(child.coordinate)] = 0;
      open.push_back(child.coordinate);
    }
  }
  std::vector<std::string> circle;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (parents[i] != 0) circle.push_back(coordinates[i].name);
  }
  require(circle.empty(), [&] { return "the conditions of " + joined(circle) + " go in a circle"; });
}

Space::Space(std::vector<Variable> variables) {
  check_count(static_cast<std::int64_t>(variables.size()));
  auto parts = std::make_shared<Parts>();
  parts->variables.reserve(variables.size());
  bool conditions = false;
  for (Variable& variable : variables) {
    require(variable.type != nullptr, [&] { return "variable " + quoted(variable.name) + " has no type"; });
    conditions = conditions || !variable.when.empty();
    parts->add(std::move(variable));
  }
  dimension_ = static_cast<int>(parts->coordinates.size());
  check_count(dimension_);
  parts->first.push_back(dimension_);
  all_free_ = parts->structures.empty() && !conditions;
  if (!all_free_) {
    for (std::size_t v = 0; v < parts->variables.size(); ++v) {
      const auto size = static_cast<std::size_t>(parts->first[v + 1] - parts->first[v]);
      parts->variable_of.insert(parts->variable_of.end(), size, static_cast<int>(v));
    }
  }
  if (conditions) {
    for (std::size_t v = 0; v < parts->variables.size(); ++v) {
      if (!parts->variables[v].when.empty()) parts->add_condition(static_cast<int>(v));
    }
    parts->check_circles();
  }
  const auto is_bit = [](const Coordinate& c) { return c.is_bit(); };
  all_binary_ = std::all_of(parts->coordinates.begin(), parts->coordinates.end(), is_bit);
  coordinates_ = parts->coordinates.data();
  parts_ = std::move(parts);
}

Space Space::binary(int dimension) {
  check_count(dimension);
  std::vector<Variable> variables;
  for (int i = 0; i < dimension; ++i) variables.push_back(bocs::binary("x" + std::to_string(i)));
  return Space(std::move(variables));
}

const std::vector<Coordinate>& Space::coordinates() const { return parts_->coordinates; }
const std::vector<Variable>& Space::variables() const { return parts_->variables; }
const std::vector<OwnRule>& Space::rules() const { return parts_->rules; }
int Space::first(int variable) const { return parts_->first[static_cast<std::size_t>(variable)]; }
int Space::count(int variable) const { return first(variable + 1) - first(variable); }
bool Space::is_plain(int variable) const {
  return variables()[static_cast<std::size_t>(variable)].type->structure() == nullptr;
}
int Space::variable_of(int coordinate) const {
  return parts_->variable_of.empty() ? coordinate : parts_->variable_of[static_cast<std::size_t>(coordinate)];
}

int Space::index(const std::string& name) const {
  const auto found = parts_->indices.find(name);
  require(found != parts_->indices.end(), [&] { return "there is no variable " + quoted(name); });
  return found->second;
}

int Space::variable_index(const std::string& name) const {
  if (const auto found = parts_->structures.find(name); found != parts_->structures.end()) return found->second;
  const auto found = parts_->indices.find(name);
  if (found == parts_->indices.end()) return -1;
  const int variable = variable_of(found->second);
  return parts_->variables[static_cast<std::size_t>(variable)].type->structure() == nullptr ? variable : -1;
}

bool Space::is_free_in_parts(int i) const {
  const auto c = static_cast<std::size_t>(i);
  const bool has_children = !parts_->children.empty() && !parts_->children[c].empty();
  return !coordinates_[i].optional && !has_children &&
         parts_->variables[static_cast<std::size_t>(variable_of(i))].type->structure() == nullptr;
}

/// What a change of coordinate i, already made in y, asks of others: what ends becomes absent, what begins takes a
/// level.
void Space::follow(Point& y, int i, Rng* rng, std::vector<Change>& move) const {
  if (parts_->children.empty()) return;
  for (const Child& child : parts_->children[static_cast<std::size_t>(i)]) {
    auto& own = y[static_cast<std::size_t>(child.coordinate)];
    const bool exists = child.holds[static_cast<std::size_t>(y[static_cast<std::size_t>(i)])] == 1;
    if (exists == (own > 0)) continue;
    const auto levels = static_cast<std::uint32_t>(coordinates_[child.coordinate].levels - 1);
    own = !exists ? 0 : 1 + static_cast<std::int32_t>(rng == nullptr ? levels / 2 : rng->below(levels));
    move.push_back({child.coordinate, own});
    follow(y, child.coordinate, rng, move);
  }
}

void Space::for_each_move(const Point& x, int i, const std::function<void(const Changes&)>& visit) const {
  const int v = variable_of(i);
  if (const Structure* structure = variables()[static_cast<std::size_t>(v)].type->structure()) {
    Changes moved;
    const int begin = first(v);
    structure->for_each_move(Levels(x).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count(v))),
                             i - begin, [&](const Changes& own) {
                               moved = own;
                               for (Change& change : moved) change.coordinate += begin;
                               visit(moved);
                             });
    return;
  }
  const auto current = x[static_cast<std::size_t>(i)];
  if (coordinates_[i].is_absent(current)) return;
  Point y = x;
  Changes move;
  for_each_step(coordinates_[i], current, [&](std::int32_t level) {
    if (coordinates_[i].is_absent(level)) return;
    move.assign(1, {i, level});
    y[static_cast<std::size_t>(i)] = level;
    follow(y, i, nullptr, move);
    visit(move);
    for (const Change& change : move) {
      y[static_cast<std::size_t>(change.coordinate)] = x[static_cast<std::size_t>(change.coordinate)];
    }
  });
}

void Space::random_move(const Point& x, int i, Rng& rng, Changes& move) const {
  move.clear();
  const int v = variable_of(i);
  if (const Structure* structure = variables()[static_cast<std::size_t>(v)].type->structure()) {
    const int begin = first(v);
    structure->random_move(Levels(x).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count(v))),
                           i - begin, rng, move);
    for (Change& change : move) change.coordinate += begin;
    return;
  }
  const auto current = x[static_cast<std::size_t>(i)];
  const std::int32_t lowest = coordinates_[i].optional ? 1 : 0, levels = coordinates_[i].levels - lowest;
  if (coordinates_[i].is_absent(current) || levels < 2) return;
  auto level = lowest + static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(levels - 1)));
  level += level >= current ? 1 : 0;
  Point y = x;
  move.assign(1, {i, level});
  y[static_cast<std::size_t>(i)] = level;
  follow(y, i, &rng, move);
}

bool Space::is_absent(const Point& x, int variable) const {
  const int i = first(variable);
  return coordinates_[i].is_absent(x[static_cast<std::size_t>(i)]);
}

Value Space::value(const Point& x, int variable) const {
  const Variable& v = variables()[static_cast<std::size_t>(variable)];
  require(!is_absent(x, variable), [&] { return v.name + " has no value here: it exists when " + v.when; });
  const auto begin = static_cast<std::size_t>(first(variable));
  if (coordinates_[begin].optional) {
    const std::int32_t level = x[begin] - 1;
    return v.type->decode({&level, 1});
  }
  return v.type->decode(Levels(x).subspan(begin, static_cast<std::size_t>(count(variable))));
}

void Space::set(Point& x, int variable, const Value& value) const {
  const Variable& v = variables()[static_cast<std::size_t>(variable)];
  Point own = v.type->encode(v.name, value);
  const auto begin = static_cast<std::size_t>(first(variable));
  if (coordinates_[begin].optional) ++own.front();
  std::copy(own.begin(), own.end(), x.begin() + static_cast<std::ptrdiff_t>(begin));
}

void Space::set_absent(Point& x, int variable) const {
  const Variable& v = variables()[static_cast<std::size_t>(variable)];
  require(!v.when.empty(), [&] { return "the point has no value for " + quoted(v.name); });
  x[static_cast<std::size_t>(first(variable))] = 0;
}

std::string Space::text(const Point& x, int variable) const {
  const Structure* structure = variables()[static_cast<std::size_t>(variable)].type->structure();
  const int begin = first(variable);
  if (structure == nullptr) return is_absent(x, variable) ? "absent" : format_level(coordinates_[begin], x[begin]);
  return structure->text(Levels(x).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count(variable))));
}

bool Space::contains(const Point& x) const {
  if (x.size() != static_cast<std::size_t>(dimension_)) return false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < 0 || x[i] >= coordinates_[i].levels) return false;
  }
  return true;
}

void Space::check(const Point& x) const {
  require(x.size() == static_cast<std::size_t>(dimension_), [&] {
    return "the point has " + std::to_string(x.size()) + " entries, the space has " + std::to_string(dimension_) +
           (all_free_ ? " variables" : " coordinates");
  });
  for (std::size_t i = 0; i < x.size(); ++i) {
    require(x[i] >= 0 && x[i] < coordinates_[i].levels, [&] {
      return coordinates_[i].name + ": level " + std::to_string(x[i]) + " is outside 0 to " +
             std::to_string(coordinates_[i].levels - 1);
    });
  }
}

Point Space::random(Rng& rng) const {
  Point x(static_cast<std::size_t>(dimension_));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(coordinates_[i].levels)));
  }
  return x;
}

double Space::log2_size() const {
  double bits = 0;
  for (const auto& c : coordinates()) bits += std::log2(c.levels);
  return bits;
}

bool Space::no_larger_than(double count) const {
  double size = 1;
  for (const auto& c : coordinates()) {
    size *= c.levels;
    if (size > count) return false;
  }
  return true;
}

std::string Space::format(const Point& x) const {
  check(x);
  std::string text;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i > 0 && !all_binary_) text += ',';
    text += format_level(coordinates_[i], x[i]);
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
  require(parts.size() == static_cast<std::size_t>(dimension_), [&] {
    return "the point " + quoted(text) + " has " + std::to_string(parts.size()) + " entries, the space has " +
           std::to_string(dimension_) + (all_free_ ? " variables" : " coordinates");
  });
  Point x;
  for (std::size_t i = 0; i < parts.size(); ++i) x.push_back(parse_level(coordinates_[i], parts[i]));
  return x;
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

}  // namespace bocs
