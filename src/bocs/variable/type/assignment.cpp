// An assignment: the place of each item, a category per item.

#include <algorithm>
#include <numeric>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/variable/type.hpp"

namespace bocs {
namespace {

class Assignment final : public Structure {
 public:
  Assignment(Items items, Items places, AssignmentLimits limits)
      : items_(std::move(items)), places_(std::move(places)), limits_(std::move(limits)) {
    allowed_.assign(items_.texts.size() * places_.texts.size(), 1);
    for (const auto& [item, place] : limits_.forbidden) {
      const int i = find_item("forbidden: ", items_, item), p = find_item("forbidden: ", places_, place);
      allowed_[static_cast<std::size_t>(i) * places_.texts.size() + static_cast<std::size_t>(p)] = 0;
    }
  }

  [[nodiscard]] std::string_view word() const override { return "assignment"; }
  [[nodiscard]] std::string described() const override {
    return "assignment of " + std::to_string(items_.size()) + " items to " + std::to_string(places_.size()) + " places";
  }
  [[nodiscard]] Value::Map definition() const override {
    Value::Map map{{"items", items_.list()}, {"places", places_.list()}};
    if (!limits_.capacity.empty()) {
      map.emplace_back("capacity", Value::List(limits_.capacity.begin(), limits_.capacity.end()));
    }
    Value::List pairs;
    for (const auto& [item, place] : limits_.forbidden) pairs.emplace_back(Value::List{item, place});
    if (!pairs.empty()) map.emplace_back("forbidden", std::move(pairs));
    return map;
  }
  [[nodiscard]] std::vector<Coordinate> coordinates(const std::string& name) const override {
    std::vector<Coordinate> places;
    for (const auto& item : items_) {
      places.push_back({.name = element(name, item), .levels = places_.size(), .labels = places_.texts});
    }
    return places;
  }
  [[nodiscard]] std::vector<OwnRule> rules() const override {
    std::vector<OwnRule> rules;
    for (std::size_t p = 0; p < limits_.capacity.size(); ++p) {
      if (limits_.capacity[p] >= size()) continue;
      OwnRule& rule = rules.emplace_back();
      rule.text = "at most " + std::to_string(limits_.capacity[p]) + " items at '" + places_[p] + "'";
      rule.high = limits_.capacity[p];
      for (int i = 0; i < size(); ++i) rule.parts.push_back({i, static_cast<std::int32_t>(p)});
    }
    for (const auto& [item, place] : limits_.forbidden) {
      OwnRule& rule = rules.emplace_back();
      rule.text = "'" + item + "' is never at '" + place + "'";
      rule.high = 0;
      rule.parts.push_back({find_item("", items_, item), find_item("", places_, place)});
    }
    return rules;
  }

  [[nodiscard]] Value decode(Levels x) const override {
    Value::Map map;
    for (std::size_t i = 0; i < items_.texts.size(); ++i)
      map.emplace_back(items_[i], places_.values[static_cast<std::size_t>(x[i])]);
    return map;
  }
  [[nodiscard]] Point encode(const std::string& who, const Value& value) const override {
    require(value.map() != nullptr,
            [&] { return who + ": found " + text_of(value) + "; allowed: a map from items to places"; });
    Point x(items_.texts.size(), -1);
    for (const auto& [item, place] : *value.map()) {
      require(place.scalar() != nullptr, [&, &name = item, &found = place] {
        return who + ": " + name + ": found " + text_of(found) + "; allowed: a place";
      });
      auto& own = x[static_cast<std::size_t>(find_item(who + ": ", items_, item))];
      own = find_item(who + ": " + item + ": ", places_, text_of(*place.scalar()));
    }
    const auto missing = std::find(x.begin(), x.end(), -1);
    require(missing == x.end(), [&] {
      return who + ": '" + items_[static_cast<std::size_t>(missing - x.begin())] + "' has no place; allowed: all items";
    });
    return x;
  }
  [[nodiscard]] std::string text(Levels x) const override {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < items_.texts.size(); ++i) {
      parts.push_back(items_[i] + ": " + places_[static_cast<std::size_t>(x[i])]);
    }
    return joined(parts);
  }

  /// Item i to every other place that has room, and its exchange with each later item.
  void for_each_move(Levels x, int i, const std::function<void(const Changes&)>& visit) const override {
    const int from = x[static_cast<std::size_t>(i)];
    for (int place = 0; place < places_.size(); ++place) {
      if (place != from && allowed(i, place) && has_room(x, place)) visit({{i, place}});
    }
    for (int j = i + 1; j < size(); ++j) {
      if (can_exchange(x, i, j)) visit({{i, x[static_cast<std::size_t>(j)]}, {j, from}});
    }
  }
  void random_move(Levels x, int i, Rng& rng, Changes& move) const override {
    std::vector<Changes> all;
    for (int place = 0; place < places_.size(); ++place) {
      if (place != x[static_cast<std::size_t>(i)] && allowed(i, place) && has_room(x, place))
        all.push_back({{i, place}});
    }
    for (int j = 0; j < size(); ++j) {
      if (j != i && can_exchange(x, i, j)) {
        all.push_back({{i, x[static_cast<std::size_t>(j)]}, {j, x[static_cast<std::size_t>(i)]}});
      }
    }
    move.clear();
    if (!all.empty()) move = all[rng.below(static_cast<std::uint32_t>(all.size()))];
  }

 private:
  [[nodiscard]] int size() const { return items_.size(); }
  [[nodiscard]] bool allowed(int item, int place) const {
    return allowed_[static_cast<std::size_t>(item) * places_.texts.size() + static_cast<std::size_t>(place)] == 1;
  }
  [[nodiscard]] bool has_room(Levels x, int place) const {
    return limits_.capacity.empty() ||
           std::count(x.begin(), x.end(), place) < limits_.capacity[static_cast<std::size_t>(place)];
  }
  [[nodiscard]] bool can_exchange(Levels x, int i, int j) const {
    const int a = x[static_cast<std::size_t>(i)], b = x[static_cast<std::size_t>(j)];
    return a != b && allowed(i, b) && allowed(j, a);
  }

  Items items_, places_;
  AssignmentLimits limits_;
  std::vector<char> allowed_;  // by item and place
};

}  // namespace

Variable assignment(std::string name, Items items, Items places, AssignmentLimits limits) {
  const std::string who = "assignment '" + name + "': ";
  check_items(who, "items", items);
  check_items(who, "places", places);
  for (const auto& [item, place] : limits.forbidden) {
    (void)find_item(who + "forbidden: ", items, item);
    (void)find_item(who + "forbidden: ", places, place);
  }
  const auto& capacity = limits.capacity;
  require(capacity.empty() || capacity.size() == places.texts.size(), [&] {
    return who + "found " + std::to_string(capacity.size()) + " capacities; allowed: one for each of the " +
           std::to_string(places.size()) + " places";
  });
  require(std::all_of(capacity.begin(), capacity.end(), [](int c) { return c >= 0; }),
          [&] { return who + "found a capacity below 0; allowed: 0 and above"; });
  const long room = std::accumulate(capacity.begin(), capacity.end(), 0L);
  require(capacity.empty() || room >= static_cast<long>(items.size()), [&] {
    return who + "the places have room for " + std::to_string(room) + " of " + std::to_string(items.size()) +
           " items; allowed: room for all";
  });
  return {std::move(name), std::make_shared<Assignment>(std::move(items), std::move(places), std::move(limits))};
}

/// "capacity": a number for every place, a list in their order, or a map; "forbidden": a list of [item, place].
Variable read_assignment(const Definition& definition) {
  definition.allow({"items", "places", "capacity", "forbidden"});
  AssignmentLimits limits;
  const auto places = definition.items("places");
  const auto whole = [&](const Value& value) {
    const auto number = value.number();
    if (!number || *number < 0 || *number > 1e6 || *number != static_cast<int>(*number)) {
      definition.refuse("capacity", value, "whole numbers, at least 0");
    }
    return static_cast<int>(*number);
  };
  if (definition.has("capacity")) {
    const Value& capacity = definition.at("capacity");
    if (capacity.map() != nullptr) {
      limits.capacity.assign(places.texts.size(), static_cast<int>(definition.list("items").size()));
      for (const auto& [place, value] : *capacity.map()) {
        const int p = find_item(definition.name() + ": capacity: ", places, place);
        limits.capacity[static_cast<std::size_t>(p)] = whole(value);
      }
    } else if (capacity.list() != nullptr) {
      for (const Value& value : *capacity.list()) limits.capacity.push_back(whole(value));
    } else {
      limits.capacity.assign(places.texts.size(), whole(capacity));
    }
  }
  if (definition.has("forbidden")) {
    for (const Value& pair : definition.list("forbidden")) {
      const auto names = items_of(definition.name() + ": forbidden: ", pair);
      if (names.size() != 2) definition.refuse("forbidden", pair, "pairs of an item and a place");
      limits.forbidden.emplace_back(names[0], names[1]);
    }
  }
  return assignment(definition.name(), definition.items("items"), places, std::move(limits));
}

}  // namespace bocs
