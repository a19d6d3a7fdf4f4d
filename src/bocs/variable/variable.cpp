#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/variable/type.hpp"

namespace bocs {
namespace {

struct Row {
  const char* word;
  ReadVariable read;
};
constexpr Row kTypes[] = {
    {"binary", read_binary},           {"integer", read_integer},       {"real", read_real},
    {"categorical", read_categorical}, {"subset", read_subset},         {"permutation", read_permutation},
    {"multiset", read_multiset},       {"assignment", read_assignment}, {"mixture", read_mixture}};

}  // namespace

Items::Items(std::vector<LevelValue> items) : values(std::move(items)) {
  for (const LevelValue& value : values) texts.push_back(text_of(value));
}

bool operator==(const Variable& a, const Variable& b) {
  return a.name == b.name && a.when == b.when && a.type->word() == b.type->word() &&
         (a.type == b.type || a.type->definition() == b.type->definition());
}

Variable when(std::string condition, Variable variable) {
  require(variable.type->structure() == nullptr, [&] {
    return variable.name + ": found a condition at a variable of the type " + std::string(variable.type->word()) +
           "; allowed: at variables of one value";
  });
  require(!condition.empty(),
          [&] { return variable.name + ": found an empty condition; allowed: one such as \"kernel == rbf\""; });
  variable.when = std::move(condition);
  return variable;
}

Value definition_of(const Variable& variable) {
  Value::Map map{{"kind", variable.type->word()}};
  for (auto& entry : variable.type->definition()) map.push_back(std::move(entry));
  if (!variable.when.empty()) map.emplace_back("when", variable.when);
  return map;
}

Variable variable_from(std::string name, const Value& definition) {
  const Definition read(std::move(name), definition);
  const std::string kind = read.text("kind");
  std::vector<std::string> known;
  for (const Row& row : kTypes) {
    if (kind == row.word) return read.has("when") ? when(read.text("when"), row.read(read)) : row.read(read);
    known.emplace_back(row.word);
  }
  throw InvalidArgument(read.name() + ": there is no kind of variable '" + kind + "'; there are " + joined(known) +
                        did_you_mean(kind, known));
}

std::string kind_of(const Variable& variable) { return std::string(variable.type->word()); }

bool is_order(const Variable& variable) {
  const Structure* structure = variable.type->structure();
  return structure != nullptr && structure->is_order();
}

std::string described(const Variable& variable) {
  return variable.type->described() + (variable.when.empty() ? "" : " when " + variable.when);
}

Coordinate coordinate_of(const Variable& variable) {
  require(variable.type->structure() == nullptr,
          [&] { return variable.name + " has several coordinates; allowed: a variable of one value"; });
  return variable.type->coordinates(variable.name).front();
}

Definition::Definition(std::string name, const Value& value) : name_(std::move(name)), value_(&value) {
  require(value.map() != nullptr,
          [&] { return name_ + ": found " + text_of(value) + "; allowed: a description of a variable, key by key"; });
}

void Definition::refuse(std::string_view key, const Value& found, const std::string& allowed) const {
  throw InvalidArgument(name_ + ": " + std::string(key) + ": found " + text_of(found) + "; allowed: " + allowed);
}

const Value& Definition::at(std::string_view key) const {
  const Value* found = value_->find(key);
  require(found != nullptr, [&] { return name_ + ": '" + std::string(key) + "' is missing"; });
  return *found;
}

std::string Definition::text(std::string_view key) const {
  if (at(key).text() == nullptr) refuse(key, at(key), "a text");
  return *at(key).text();
}

double Definition::number(std::string_view key) const {
  const auto number = at(key).number();
  if (!number || !std::isfinite(*number)) refuse(key, at(key), "a number");
  return *number;
}

double Definition::number(std::string_view key, double otherwise) const { return has(key) ? number(key) : otherwise; }

int Definition::whole(std::string_view key) const {
  const auto number = at(key).number();
  constexpr double kLow = std::numeric_limits<int>::min(), kHigh = std::numeric_limits<int>::max();
  if (!number || *number != std::floor(*number) || *number < kLow || *number > kHigh) {
    refuse(key, at(key), "a whole number");
  }
  return static_cast<int>(*number);
}

int Definition::whole(std::string_view key, int otherwise) const { return has(key) ? whole(key) : otherwise; }

bool Definition::flag(std::string_view key) const {
  const LevelValue* scalar = at(key).scalar();
  if (scalar == nullptr || !std::holds_alternative<bool>(*scalar)) refuse(key, at(key), "true or false");
  return std::get<bool>(*scalar);
}

const Value::List& Definition::list(std::string_view key) const {
  if (at(key).list() == nullptr) refuse(key, at(key), "a list");
  return *at(key).list();
}

Items Definition::items(std::string_view key) const {
  std::vector<LevelValue> items;
  for (const Value& entry : list(key)) {
    if (entry.scalar() == nullptr) refuse(key, entry, "texts and numbers");
    items.push_back(*entry.scalar());
  }
  return Items(std::move(items));
}

std::vector<double> Definition::numbers(std::string_view key) const {
  std::vector<double> numbers;
  for (const Value& entry : list(key)) {
    if (!entry.number()) refuse(key, entry, "numbers");
    numbers.push_back(*entry.number());
  }
  return numbers;
}

void Definition::allow(std::initializer_list<std::string_view> keys) const {
  for (const auto& [key, value] : *value_->map()) {
    if (key == "kind" || key == "when" || std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    std::vector<std::string> known(keys.begin(), keys.end());
    throw InvalidArgument(name_ + ": there is no key '" + key + "' here" +
                          (known.empty() ? "" : "; there are " + joined(known)) + did_you_mean(key, known));
  }
}

void check_items(const std::string& who, const char* what, const Items& items) {
  require(items.size() > 0, [&] { return who + "found no " + what + "; allowed: at least one"; });
  std::set<std::string> seen;
  for (const auto& item : items.texts) {
    require(!item.empty() && item.find_first_of("[],\n") == std::string::npos,
            [&] { return who + what + ": found '" + item + "'; allowed: texts without [ ] , and line ends"; });
    require(seen.insert(item).second, [&] { return who + what + ": found '" + item + "' twice; allowed: each once"; });
  }
}

std::string element(const std::string& name, const std::string& item) { return name + "[" + item + "]"; }

int find_item(const std::string& who, const Items& items, const std::string& item) {
  const auto& texts = items.texts;
  const auto found = std::find(texts.begin(), texts.end(), item);
  require(found != texts.end(), [&] {
    constexpr std::size_t kShown = 12;
    const std::vector<std::string> shown(texts.begin(),
                                         texts.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, texts.size())));
    return who + "there is no '" + item + "'; there are " + joined(shown) + (texts.size() > kShown ? ", ..." : "") +
           did_you_mean(item, texts);
  });
  return static_cast<int>(found - texts.begin());
}

std::vector<std::string> items_of(const std::string& who, const Value& value) {
  require(value.list() != nullptr, [&] { return who + "found " + text_of(value) + "; allowed: a list of items"; });
  std::vector<std::string> items;
  for (const Value& entry : *value.list()) {
    require(entry.scalar() != nullptr, [&] { return who + "found " + text_of(entry) + "; allowed: an item"; });
    items.push_back(text_of(*entry.scalar()));
  }
  return items;
}

}  // namespace bocs
