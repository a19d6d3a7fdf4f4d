// An order of items: the position of each item, counted from 1 for people. With the positions as coordinates every rule
// about an order is a short sum: a before b is x_a - x_b <= -1, and a swap changes two entries.

#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/variable/type.hpp"

namespace bocs {
namespace {

class Permutation final : public Structure {
 public:
  explicit Permutation(Items items) : items_(std::move(items)) {}

  [[nodiscard]] std::string_view word() const override { return "permutation"; }
  [[nodiscard]] std::string described() const override {
    return "order of " + std::to_string(items_.size()) + " items";
  }
  [[nodiscard]] Value::Map definition() const override { return {{"items", items_.list()}}; }
  [[nodiscard]] bool is_order() const override { return true; }
  [[nodiscard]] std::vector<Coordinate> coordinates(const std::string& name) const override {
    std::vector<Coordinate> positions;
    for (const auto& item : items_) {
      positions.push_back({.name = element(name, item), .levels = size(), .low = 1, .ordered = true, .sized = false});
    }
    return positions;
  }
  [[nodiscard]] std::vector<OwnRule> rules() const override {
    std::vector<OwnRule> rules;
    for (int p = 0; p < size(); ++p) {
      OwnRule& rule = rules.emplace_back();
      rule.text = "position " + std::to_string(p + 1) + " is taken once";
      rule.low = rule.high = 1;
      for (int i = 0; i < size(); ++i) rule.parts.push_back({i, p});
    }
    return rules;
  }

  [[nodiscard]] Value decode(Levels x) const override {
    const auto order = ordered(x, items_.values);
    return Value::List(order.begin(), order.end());
  }
  [[nodiscard]] Point encode(const std::string& who, const Value& value) const override {
    Point x(items_.texts.size(), -1);
    const auto order = items_of(who + ": ", value);
    for (std::size_t p = 0; p < order.size(); ++p) {
      auto& position = x[static_cast<std::size_t>(find_item(who + ": ", items_, order[p]))];
      require(position < 0, [&] { return who + ": found '" + order[p] + "' twice; allowed: each once"; });
      position = static_cast<std::int32_t>(p);
    }
    const auto missing = std::find(x.begin(), x.end(), -1);
    require(missing == x.end(), [&] {
      return who + ": '" + items_[static_cast<std::size_t>(missing - x.begin())] + "' is missing; allowed: all " +
             std::to_string(size()) + " items";
    });
    return x;
  }
  [[nodiscard]] std::string text(Levels x) const override { return joined(ordered(x, items_.texts), " > "); }

  /// Item i to every other position, those between shift; and its exchange with each later item.
  void for_each_move(Levels x, int i, const std::function<void(const Changes&)>& visit) const override {
    Changes move;
    const int from = x[static_cast<std::size_t>(i)];
    for (int to = 0; to < size(); ++to) {
      if (to == from) continue;
      insertion(x, i, to, move);
      const bool met = move.size() == 2 && move[1].coordinate < i;  // an exchange of neighbours, from the other item
      if (!met) visit(move);
    }
    for (int j = i + 1; j < size(); ++j) {
      const int other = x[static_cast<std::size_t>(j)];
      if (std::abs(other - from) > 1) visit({{i, other}, {j, from}});
    }
  }
  void random_move(Levels x, int i, Rng& rng, Changes& move) const override {
    move.clear();
    if (size() < 2) return;
    const int from = x[static_cast<std::size_t>(i)];
    auto to = static_cast<int>(rng.below(static_cast<std::uint32_t>(size() - 1)));
    to += to >= from ? 1 : 0;
    if (rng.below(2) == 0) return insertion(x, i, to, move);
    const auto j = std::find(x.begin(), x.end(), to) - x.begin();
    move = {{i, to}, {static_cast<int>(j), from}};
  }

 private:
  [[nodiscard]] int size() const { return items_.size(); }
  template <class Item>
  static std::vector<Item> ordered(Levels x, const std::vector<Item>& items) {
    std::vector<Item> order(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) order[static_cast<std::size_t>(x[i])] = items[i];
    return order;
  }
  static void insertion(Levels x, int i, int to, Changes& move) {
    const int from = x[static_cast<std::size_t>(i)];
    move.assign(1, {i, to});
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (from < x[j] && x[j] <= to) move.push_back({static_cast<int>(j), x[j] - 1});
      if (to <= x[j] && x[j] < from) move.push_back({static_cast<int>(j), x[j] + 1});
    }
  }

  Items items_;
};

}  // namespace

Variable permutation(std::string name, Items items) {
  check_items("permutation '" + name + "': ", "items", items);
  return {std::move(name), std::make_shared<Permutation>(std::move(items))};
}

Variable read_permutation(const Definition& definition) {
  definition.allow({"items"});
  return permutation(definition.name(), definition.items("items"));
}

}  // namespace bocs
