// A subset: a bit per item, and as many of them set as its size allows.

#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/variable/type.hpp"

namespace bocs {
namespace {

class Subset final : public Structure {
 public:
  Subset(Items items, int least, int most) : items_(std::move(items)), least_(least), most_(most) {}

  [[nodiscard]] std::string_view word() const override { return "subset"; }
  [[nodiscard]] std::string described() const override {
    const std::string size =
        least_ == most_ ? std::to_string(least_) : std::to_string(least_) + " to " + std::to_string(most_);
    return "subset of " + size + " of " + std::to_string(items_.size()) + " items";
  }
  [[nodiscard]] Value::Map definition() const override {
    return {{"items", items_.list()}, {"size", Value::List{least_, most_}}};
  }
  [[nodiscard]] std::vector<Coordinate> coordinates(const std::string& name) const override {
    std::vector<Coordinate> bits;
    for (const auto& item : items_) bits.push_back({.name = element(name, item), .flag = true});
    return bits;
  }
  [[nodiscard]] std::vector<OwnRule> rules() const override {
    if (least_ == 0 && most_ == size()) return {};
    OwnRule rule{.text = "a " + described(),
                 .parts = {},
                 .low = static_cast<double>(least_),
                 .high = static_cast<double>(most_)};
    for (int i = 0; i < size(); ++i) rule.parts.push_back({i});
    return {rule};
  }

  [[nodiscard]] Value decode(Levels x) const override {
    Value::List chosen;
    for (std::size_t i = 0; i < items_.texts.size(); ++i) {
      if (x[i] == 1) chosen.emplace_back(items_.values[i]);
    }
    return chosen;
  }
  [[nodiscard]] Point encode(const std::string& who, const Value& value) const override {
    Point x(items_.texts.size(), 0);
    const auto chosen = items_of(who + ": ", value);
    for (const auto& item : chosen) {
      auto& bit = x[static_cast<std::size_t>(find_item(who + ": ", items_, item))];
      require(bit == 0, [&] { return who + ": found '" + item + "' twice; allowed: each once"; });
      bit = 1;
    }
    const int count = static_cast<int>(chosen.size());
    require(least_ <= count && count <= most_, [&] {
      return who + ": found " + std::to_string(count) + " items; allowed: " + std::to_string(least_) +
             (least_ == most_ ? "" : " to " + std::to_string(most_));
    });
    return x;
  }
  [[nodiscard]] std::string text(Levels x) const override {
    std::vector<std::string> chosen;
    for (std::size_t i = 0; i < items_.texts.size(); ++i) {
      if (x[i] == 1) chosen.push_back(items_[i]);
    }
    return chosen.empty() ? "none" : joined(chosen);
  }

  /// One more or one less, or, where the size does not allow that, an exchange with a later item.
  void for_each_move(Levels x, int i, const std::function<void(const Changes&)>& visit) const override {
    const int level = x[static_cast<std::size_t>(i)];
    if (allows(count(x) + 1 - 2 * level)) return visit({{i, 1 - level}});
    for (int j = 0; j < size(); ++j) {
      const int other = x[static_cast<std::size_t>(j)];
      if (other == level || (j < i && !allows(count(x) + 1 - 2 * other))) continue;  // met from there
      visit({{i, 1 - level}, {j, 1 - other}});
    }
  }
  void random_move(Levels x, int i, Rng& rng, Changes& move) const override {
    move.clear();
    const int level = x[static_cast<std::size_t>(i)], chosen = count(x);
    const int partners = level == 1 ? size() - chosen : chosen;
    if (allows(chosen + 1 - 2 * level)) {
      move = {{i, 1 - level}};
    } else if (partners > 0) {
      auto left = rng.below(static_cast<std::uint32_t>(partners));
      int j = 0;
      while (x[static_cast<std::size_t>(j)] == level || left-- > 0) ++j;
      move = {{i, 1 - level}, {j, level}};
    }
  }

 private:
  [[nodiscard]] int size() const { return items_.size(); }
  [[nodiscard]] bool allows(int count) const { return least_ <= count && count <= most_; }
  [[nodiscard]] static int count(Levels x) { return static_cast<int>(std::count(x.begin(), x.end(), 1)); }

  Items items_;
  int least_, most_;
};

}  // namespace

Variable subset(std::string name, Items items, int least, int most) {
  const std::string who = "subset '" + name + "': ";
  check_items(who, "items", items);
  const int n = items.size();
  require(0 <= least && least <= most && most <= n && most > 0, [&] {
    return who + "found size " + (least == most ? "" : std::to_string(least) + " to ") + std::to_string(most) + " of " +
           std::to_string(n) + " items; allowed: 1 to " + std::to_string(n) + ", or a range such as 0 to " +
           std::to_string(n);
  });
  return {std::move(name), std::make_shared<Subset>(std::move(items), least, most)};
}

/// "size": a number, or [least, most]; without it any number of items.
Variable read_subset(const Definition& definition) {
  definition.allow({"items", "size"});
  auto items = definition.items("items");
  int least = 0, most = items.size();
  if (definition.has("size") && definition.at("size").list() != nullptr) {
    const auto range = definition.numbers("size");
    const auto is_whole = [](double value) { return value >= 0 && value < 1e6 && value == static_cast<int>(value); };
    if (range.size() != 2 || !is_whole(range[0]) || !is_whole(range[1])) {
      definition.refuse("size", definition.at("size"), "a whole number, or a list of two: the least and the most");
    }
    least = static_cast<int>(range[0]);
    most = static_cast<int>(range[1]);
  } else if (definition.has("size")) {
    least = most = definition.whole("size");
  }
  return subset(definition.name(), std::move(items), least, most);
}

}  // namespace bocs
