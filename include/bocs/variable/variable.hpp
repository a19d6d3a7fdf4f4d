#pragma once
// What may be chosen: variables of one value (binary, integer, real, categorical) and structures (a subset, an order,
// an assignment, a mixture), which take several coordinates of a point and are one value to people and programs.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bocs/base/value.hpp"
#include "bocs/variable/coordinate.hpp"

namespace bocs {

class VariableType;  // variable/type.hpp

struct Variable {
  std::string name;
  std::shared_ptr<const VariableType> type;
  std::string when = {};  // a condition on another variable, such as "kernel == rbf"; empty: it is always there
};

/// The same names, types and conditions.
bool operator==(const Variable& a, const Variable& b);

/// Which values between two ends: `steps` steps or steps of the size `step`, at most one of the two; with `log` the
/// steps are equal factors.
struct Spacing {
  static constexpr int kMostSteps = 10'000;

  int steps = 0;
  double step = 0;
  bool log = false;
};

Variable binary(std::string name);
/// Every whole number from low to high, or those of a grid: by `log` the whole numbers nearest to its values, in 100
/// steps unless it says how many.
Variable integer(std::string name, int low, int high, const Spacing& spacing = {});
/// Without steps any number between the ends, as fine as nine digits of the range (variable/scale.hpp). Else a grid,
/// whose values are rounded by at most 0.02 % of a step to few digits.
Variable real(std::string name, double low, double high, const Spacing& spacing = {});
/// The numbers given, ascending, each as far from the next as any other: 16, 32, 64. Integer if all are whole.
Variable ordinal(std::string name, std::vector<double> values);
Variable categorical(std::string name, const std::vector<std::string>& labels);
/// A categorical variable whose levels have types; their texts are distinct. A comma in a text is shown as a semicolon.
Variable choice(std::string name, std::vector<LevelValue> levels);
/// The same with a row of numbers for each level, such as chemical descriptors. Numbers that are the same for all
/// levels are left out. Throws InvalidArgument for rows that are missing, for numbers that are not finite, and if none
/// is left.
Variable choice(std::string name, std::vector<LevelValue> levels, Descriptions described);

/// What structures are made of: distinct things with names. Numbers keep their type in points.
struct Items {
  Items() = default;
  Items(std::initializer_list<const char*> items) : Items(std::vector<std::string>(items.begin(), items.end())) {}
  Items(const std::vector<std::string>& items)  // NOLINT(google-explicit-constructor)
      : Items(std::vector<LevelValue>(items.begin(), items.end())) {}
  explicit Items(std::vector<LevelValue> items);

  [[nodiscard]] int size() const { return static_cast<int>(texts.size()); }
  [[nodiscard]] const std::string& operator[](std::size_t i) const { return texts[i]; }
  [[nodiscard]] auto begin() const { return texts.begin(); }
  [[nodiscard]] auto end() const { return texts.end(); }
  [[nodiscard]] Value::List list() const { return {values.begin(), values.end()}; }

  std::vector<LevelValue> values;
  std::vector<std::string> texts;  // of the values
};

/// Some of the items: from `least` to `most` of them. A point says the list of those chosen.
Variable subset(std::string name, Items items, int least, int most);
/// All items in an order. A point says the list in that order.
Variable permutation(std::string name, Items items);

/// `size` interchangeable slots, each with one of the items. A point says the list, in the order of the items.
Variable multiset(std::string name, Items items, int size);

/// What an assignment allows beyond "each item at one place".
struct AssignmentLimits {
  std::vector<int> capacity = {};  // items per place, in the order of the places; empty: any number
  std::vector<std::pair<std::string, std::string>> forbidden = {};  // (item, place)
};
/// Each item at one of the places. A point says a map from items to places.
Variable assignment(std::string name, Items items, Items places, AssignmentLimits limits = {});

/// What the parts of a mixture may amount to. All numbers are multiples of `step`.
struct MixtureLimits {
  double total = 1;
  double step = 0.05;
  int at_most = 0;                    // so many parts at the same time; 0: all of them
  double least = 0;                   // a part that is present amounts to this at least
  std::vector<double> low{}, high{};  // by part; empty: 0, and the total
};
/// Amounts of some parts that add up to the total exactly. A point says a map from the parts present to their amounts.
Variable mixture(std::string name, Items parts, const MixtureLimits& limits = {});

/// The variable as it exists only where the condition holds; it is absent from a point otherwise.
Variable when(std::string condition, Variable variable);

/// What the variable is made of, but for its name: {"kind": "subset", "items": [...], ...}. The inverse of
/// variable_from.
Value definition_of(const Variable& variable);
/// Throws InvalidArgument: an unknown kind, keys that are missing or unknown, and what the builders refuse.
Variable variable_from(std::string name, const Value& definition);

/// The word of its type: "integer", "permutation".
std::string kind_of(const Variable& variable);
/// An order of items: models measure distances between whole orders.
bool is_order(const Variable& variable);
/// In words: "integer 1 to 4", "order of 12 items".
std::string described(const Variable& variable);

/// The one coordinate of a variable of one value. Throws InvalidArgument for structures.
Coordinate coordinate_of(const Variable& variable);

}  // namespace bocs
