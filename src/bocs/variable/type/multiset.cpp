// Interchangeable slots: so many choices among the items, each any number of times, whose order means nothing. As
// counts per item they are one point, not one for every order.

#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/variable/type.hpp"

namespace bocs {
namespace {

class Multiset final : public Structure {
 public:
  Multiset(Items items, int size) : items_(std::move(items)), size_(size) {}

  [[nodiscard]] std::string_view word() const override { return "multiset"; }
  [[nodiscard]] std::string described() const override {
    return std::to_string(size_) + " interchangeable slots of " + std::to_string(items_.size()) + " items";
  }
  [[nodiscard]] Value::Map definition() const override { return {{"items", items_.list()}, {"size", size_}}; }
  [[nodiscard]] std::vector<Coordinate> coordinates(const std::string& name) const override {
    std::vector<Coordinate> counts;
    for (const auto& item : items_)
      counts.push_back({.name = element(name, item), .levels = size_ + 1, .ordered = true});
    return counts;
  }
  [[nodiscard]] std::vector<OwnRule> rules() const override {
    OwnRule rule{.text = std::to_string(size_) + " slots", .parts = {}};
    rule.low = rule.high = size_;
    for (int i = 0; i < items_.size(); ++i) rule.parts.push_back({i});
    return {rule};
  }

  [[nodiscard]] Value decode(Levels x) const override {
    Value::List slots;
    for (std::size_t i = 0; i < x.size(); ++i)
      slots.insert(slots.end(), static_cast<std::size_t>(x[i]), items_.values[i]);
    return slots;
  }
  [[nodiscard]] Point encode(const std::string& who, const Value& value) const override {
    Point x(items_.texts.size(), 0);
    const auto slots = items_of(who + ": ", value);
    for (const auto& item : slots) ++x[static_cast<std::size_t>(find_item(who + ": ", items_, item))];
    require(static_cast<int>(slots.size()) == size_, [&] {
      return who + ": found " + std::to_string(slots.size()) + " items; allowed: " + std::to_string(size_);
    });
    return x;
  }
  [[nodiscard]] std::string text(Levels x) const override {
    std::vector<std::string> slots;
    for (std::size_t i = 0; i < x.size(); ++i) slots.insert(slots.end(), static_cast<std::size_t>(x[i]), items_[i]);
    return joined(slots);
  }

  /// One slot from item i to another item.
  void for_each_move(Levels x, int i, const std::function<void(const Changes&)>& visit) const override {
    const int own = x[static_cast<std::size_t>(i)];
    for (int j = 0; own > 0 && j < items_.size(); ++j) {
      if (j != i) visit({{i, own - 1}, {j, x[static_cast<std::size_t>(j)] + 1}});
    }
  }
  void random_move(Levels x, int i, Rng& rng, Changes& move) const override {
    move.clear();
    const auto n = static_cast<std::uint32_t>(items_.size());
    if (n < 2) return;
    auto j = static_cast<int>(rng.below(n - 1));
    j += j >= i ? 1 : 0;
    const int from = x[static_cast<std::size_t>(i)] > 0 ? i : j, to = from == i ? j : i;
    const int own = x[static_cast<std::size_t>(from)];
    if (own > 0) move = {{from, own - 1}, {to, x[static_cast<std::size_t>(to)] + 1}};
  }

 private:
  Items items_;
  int size_;
};

}  // namespace

Variable multiset(std::string name, Items items, int size) {
  const std::string who = "multiset '" + name + "': ";
  check_items(who, "items", items);
  require(size >= 1 && size <= 10'000,
          [&] { return who + "found size " + std::to_string(size) + "; allowed: 1 to 10000"; });
  return {std::move(name), std::make_shared<Multiset>(std::move(items), size)};
}

Variable read_multiset(const Definition& definition) {
  definition.allow({"items", "size"});
  return multiset(definition.name(), definition.items("items"), definition.whole("size"));
}

}  // namespace bocs
