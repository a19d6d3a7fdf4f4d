// A mixture: the amount of each part in whole steps, which add up to the total. Counting steps keeps the sum exact.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/variable/type/grid.hpp"

namespace bocs {
namespace {

class Mixture final : public Structure {
 public:
  Mixture(Items parts, std::vector<std::vector<int>> steps, MixtureLimits limits, int total, int at_most)
      : parts_(std::move(parts)),
        steps_(std::move(steps)),
        limits_(std::move(limits)),
        total_(total),
        at_most_(at_most) {}

  [[nodiscard]] std::string_view word() const override { return "mixture"; }
  [[nodiscard]] std::string described() const override {
    return "mixture of " + (at_most_ < size() ? "at most " + std::to_string(at_most_) + " of " : "") +
           std::to_string(size()) + " parts to " + shortest(limits_.total) + " in steps of " + shortest(limits_.step);
  }
  [[nodiscard]] Value::Map definition() const override {
    Value::Map map{{"parts", parts_.list()}, {"total", limits_.total}, {"step", limits_.step}};
    if (limits_.at_most > 0) map.emplace_back("at_most", limits_.at_most);
    if (limits_.least > 0) map.emplace_back("least", limits_.least);
    if (!limits_.low.empty()) map.emplace_back("low", Value::List(limits_.low.begin(), limits_.low.end()));
    if (!limits_.high.empty()) map.emplace_back("high", Value::List(limits_.high.begin(), limits_.high.end()));
    return map;
  }
  [[nodiscard]] std::vector<Coordinate> coordinates(const std::string& name) const override {
    std::vector<Coordinate> amounts;
    for (int i = 0; i < size(); ++i) {
      Coordinate& c = amounts.emplace_back();
      c.name = element(name, parts_[static_cast<std::size_t>(i)]);
      c.levels = static_cast<int>(steps_of(i).size());
      for (const int steps : steps_of(i)) c.values.push_back(amount(steps));
      c.ordered = true;
      c.whole = false;
    }
    return amounts;
  }
  [[nodiscard]] std::vector<OwnRule> rules() const override {
    OwnRule sum{.text = "the parts add up to " + shortest(limits_.total), .parts = {}};
    OwnRule present{.text = "at most " + std::to_string(at_most_) + " parts", .parts = {}};
    sum.low = sum.high = total_;
    present.high = at_most_;
    for (int i = 0; i < size(); ++i) {
      const auto& steps = steps_of(i);
      for (int level = 0; level < static_cast<int>(steps.size()); ++level) {
        const int own = steps[static_cast<std::size_t>(level)];
        if (own == 0) continue;
        sum.parts.push_back({i, level, static_cast<double>(own)});
        present.parts.push_back({i, level});
      }
    }
    if (at_most_ >= size()) return {sum};
    return {sum, present};
  }

  [[nodiscard]] Value decode(Levels x) const override {
    Value::Map map;
    for (int i = 0; i < size(); ++i) {
      if (steps_at(x, i) > 0) map.emplace_back(parts_[static_cast<std::size_t>(i)], amount(steps_at(x, i)));
    }
    return map;
  }
  [[nodiscard]] Point encode(const std::string& who, const Value& value) const override {
    require(value.map() != nullptr,
            [&] { return who + ": found " + text_of(value) + "; allowed: a map from parts to amounts"; });
    std::vector<int> steps(parts_.texts.size(), 0);
    for (const auto& [part, given] : *value.map()) {
      const int i = find_item(who + ": ", parts_, part);
      const auto number = given.number();
      const double exact = number.value_or(-1) / limits_.step;
      require(number && exact > -1e-6 && std::abs(exact - std::round(exact)) < 1e-6 && exact < 1e9, [&, &name = part,
                                                                                                     &found = given] {
        return who + ": " + name + ": found " + text_of(found) + "; allowed: a multiple of " + shortest(limits_.step);
      });
      steps[static_cast<std::size_t>(i)] = static_cast<int>(std::round(exact));
    }
    const int sum = std::accumulate(steps.begin(), steps.end(), 0);
    require(sum == total_, [&] {
      return who + ": the parts add up to " + shortest(amount(sum)) + "; allowed: " + shortest(limits_.total);
    });
    Point x;
    for (int i = 0; i < size(); ++i) {
      const auto& own = steps_of(i);
      const auto found = std::find(own.begin(), own.end(), steps[static_cast<std::size_t>(i)]);
      require(found != own.end(), [&] {
        return who + ": " + parts_[static_cast<std::size_t>(i)] + ": found " +
               shortest(amount(steps[static_cast<std::size_t>(i)])) +
               "; allowed: " + (own.front() == 0 ? "0, or " : "") +
               shortest(amount(own.front() == 0 && own.size() > 1 ? own[1] : own.front())) + " to " +
               shortest(amount(own.back()));
      });
      x.push_back(static_cast<std::int32_t>(found - own.begin()));
    }
    require(present(x) <= at_most_, [&] {
      return who + ": found " + std::to_string(present(x)) + " parts; allowed: at most " + std::to_string(at_most_);
    });
    return x;
  }
  [[nodiscard]] std::string text(Levels x) const override {
    std::vector<std::string> parts;
    for (int i = 0; i < size(); ++i) {
      if (steps_at(x, i) > 0) {
        parts.push_back(parts_[static_cast<std::size_t>(i)] + " " + format_number(amount(steps_at(x, i))));
      }
    }
    return joined(parts);
  }

  /// Part i gives 1, 2, 4, ... steps, all it has, or what exchanges their amounts, to every other part.
  void for_each_move(Levels x, int i, const std::function<void(const Changes&)>& visit) const override {
    Changes move;
    const int own = steps_at(x, i);
    for (int j = 0; j < size(); ++j) {
      if (j == i) continue;
      std::set<int> amounts{own, own - steps_at(x, j)};
      for (int amount = 1; amount < own; amount *= 2) amounts.insert(amount);
      for (const int amount : amounts) {
        if (amount > 0 && transfer(x, i, j, amount, move)) visit(move);
      }
    }
  }
  void random_move(Levels x, int i, Rng& rng, Changes& move) const override {
    move.clear();
    const auto n = static_cast<std::uint32_t>(size());
    if (n < 2) return;
    auto j = static_cast<int>(rng.below(n - 1));
    j += j >= i ? 1 : 0;
    const int from = steps_at(x, i) > 0 ? i : j, to = from == i ? j : i;
    const int own = steps_at(x, from);
    if (own == 0) return;
    const int amount = rng.below(4) == 0 ? own : 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(own)));
    if (!transfer(x, from, to, amount, move)) move.clear();
  }

 private:
  [[nodiscard]] int size() const { return parts_.size(); }
  [[nodiscard]] const std::vector<int>& steps_of(int i) const { return steps_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int steps_at(Levels x, int i) const {
    return steps_of(i)[static_cast<std::size_t>(x[static_cast<std::size_t>(i)])];
  }
  [[nodiscard]] double amount(int steps) const { return simplest(limits_.step * steps, 1e-9 * limits_.step); }
  [[nodiscard]] int present(Levels x) const {
    int count = 0;
    for (int i = 0; i < size(); ++i) count += steps_at(x, i) > 0 ? 1 : 0;
    return count;
  }
  /// Writes the move that takes `amount` steps from one part to another; false: it is not allowed.
  bool transfer(Levels x, int from, int to, int amount, Changes& move) const {
    const auto level_of = [&](int i, int steps) {
      const auto& own = steps_of(i);
      const auto at = std::lower_bound(own.begin(), own.end(), steps);
      return at == own.end() || *at != steps ? -1 : static_cast<std::int32_t>(at - own.begin());
    };
    const int left = steps_at(x, from) - amount, gained = steps_at(x, to) + amount;
    const auto less = level_of(from, left), more = level_of(to, gained);
    if (less < 0 || more < 0) return false;
    const int more_parts =
        (left > 0 ? 1 : 0) + (gained > 0 ? 1 : 0) - (steps_at(x, from) > 0 ? 1 : 0) - (steps_at(x, to) > 0 ? 1 : 0);
    if (more_parts > 0 && present(x) + more_parts > at_most_) return false;
    move.assign({{from, less}, {to, more}});
    return true;
  }

  Items parts_;
  std::vector<std::vector<int>> steps_;  // by part: its amounts, in steps, ascending
  MixtureLimits limits_;
  int total_;  // in steps
  int at_most_;
};

/// The multiple of the step that the number is. Throws InvalidArgument.
int in_steps(const std::string& who, const char* what, double value, double step) {
  constexpr double kMost = 10'000;
  const double exact = value / step;
  require(std::isfinite(exact) && exact >= 0 && exact <= kMost && std::abs(exact - std::round(exact)) < 1e-6, [&] {
    return who + what + ": found " + shortest(value) + "; allowed: a multiple of the step " + shortest(step) +
           ", at most 10000 of them";
  });
  return static_cast<int>(std::round(exact));
}

}  // namespace

Variable mixture(std::string name, Items parts, const MixtureLimits& limits) {
  const std::string who = "mixture '" + name + "': ";
  check_items(who, "parts", parts);
  const int n = parts.size();
  require(limits.step > 0 && std::isfinite(limits.step),
          [&] { return who + "found step " + shortest(limits.step) + "; allowed: a number above 0"; });
  const int total = in_steps(who, "total", limits.total, limits.step);
  require(total > 0, [&] { return who + "found total " + shortest(limits.total) + "; allowed: a number above 0"; });
  const int least = std::max(1, in_steps(who, "least", limits.least, limits.step));
  require(limits.at_most >= 0 && limits.at_most <= n, [&] {
    return who + "found at_most " + std::to_string(limits.at_most) + "; allowed: 1 to " + std::to_string(n) +
           ", or nothing for all parts";
  });
  for (const auto* bounds : {&limits.low, &limits.high}) {
    require(bounds->empty() || bounds->size() == parts.texts.size(), [&] {
      return who + "found " + std::to_string(bounds->size()) + " bounds; allowed: one for each of the " +
             std::to_string(n) + " parts";
    });
  }
  std::vector<std::vector<int>> steps;
  for (std::size_t i = 0; i < parts.texts.size(); ++i) {
    const int low = limits.low.empty() ? 0 : in_steps(who, "low", limits.low[i], limits.step);
    const int high = limits.high.empty() ? total : std::min(total, in_steps(who, "high", limits.high[i], limits.step));
    auto& own = steps.emplace_back();
    for (int k = low; k <= high; ++k) {
      if (k == 0 || k >= least) own.push_back(k);
    }
    require(!own.empty(), [&] {
      return who + parts[i] + ": no amount is at least " + shortest(std::max(low, least) * limits.step) +
             " and at most " + shortest(high * limits.step);
    });
  }
  const int at_most = limits.at_most == 0 ? n : limits.at_most;
  return {std::move(name), std::make_shared<Mixture>(std::move(parts), std::move(steps), limits, total, at_most)};
}

/// "low" and "high": a list in the order of the parts, or a map of those that have one.
Variable read_mixture(const Definition& definition) {
  definition.allow({"parts", "total", "step", "at_most", "least", "low", "high"});
  const auto parts = definition.items("parts");
  MixtureLimits limits;
  limits.total = definition.number("total", limits.total);
  limits.step = definition.number("step", limits.step);
  limits.at_most = definition.whole("at_most", 0);
  limits.least = definition.number("least", 0);
  const auto bounds = [&](const char* key, double otherwise) -> std::vector<double> {
    if (!definition.has(key)) return {};
    const Value& given = definition.at(key);
    if (given.list() != nullptr) return definition.numbers(key);
    if (given.map() == nullptr) definition.refuse(key, given, "a map from parts to numbers, or a list in their order");
    std::vector<double> result(parts.texts.size(), otherwise);
    for (const auto& [part, value] : *given.map()) {
      const int i = find_item(definition.name() + ": " + key + ": ", parts, part);
      if (!value.number()) definition.refuse(key, value, "numbers");
      result[static_cast<std::size_t>(i)] = *value.number();
    }
    return result;
  };
  limits.low = bounds("low", 0);
  limits.high = bounds("high", limits.total);
  return mixture(definition.name(), parts, limits);
}

}  // namespace bocs
