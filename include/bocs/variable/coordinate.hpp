#pragma once
// One entry of a point. A variable takes one of them, or, if it is a structure such as an order, several.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bocs/base/level_value.hpp"
#include "bocs/variable/scale.hpp"

namespace bocs {

/// The level of each coordinate, counted from 0.
using Point = std::vector<std::int32_t>;

/// Numbers that say what each level of a category is like: where they are alike, models expect like values.
struct Descriptions {
  std::vector<std::string> names;         // of the numbers
  std::vector<std::vector<double>> rows;  // by level, as long as the names
  bool operator==(const Descriptions&) const = default;
};

/// What the levels of a coordinate are. Plain facts: code that steps, counts, sums or measures distances asks these,
/// and nobody asks which type of variable a coordinate belongs to.
struct Coordinate {
  std::string name{};                 // of the variable, or "route[a]"
  int levels = 2;                     // number of levels, "absent" included
  int low = 0;                        // without `values`: the value of the first level
  std::vector<std::string> labels{};  // the text of each level, where levels are no numbers
  std::vector<double> values{};       // the value of each level, ascending; empty: low, low + 1, ...
  std::optional<Scale> scale{};       // without `values`: a real variable without a step; its values are computed
  std::vector<LevelValue> typed{};    // the labels with their types; empty: a study of 0.2 kept the texts
  Descriptions described{};           // of the labels; no names: only equal or not is known of them
  bool flag = false;                  // 0 or 1: a choice that is made or not
  bool ordered = false;               // neighbouring levels are alike: numbers, amounts, positions
  bool whole = true;                  // its values are whole numbers by nature, so that sums of them are exact
  bool optional = false;              // level 0 means that it is absent; values and labels begin with level 1
  bool sized = true;                  // its value counts in the penalty |x|; that of a position does not

  /// One of 0 and 1, always there: what flips, and what a quadratic form over {0,1}^d is about.
  [[nodiscard]] bool is_bit() const { return flag && !optional; }
  /// It has a value of its own, for sums and penalties.
  [[nodiscard]] bool has_value() const { return labels.empty(); }
  [[nodiscard]] bool is_absent(std::int32_t level) const { return optional && level == 0; }
  [[nodiscard]] bool has_size() const { return labels.empty() && sized; }
  /// What the level stands for in sums and penalties: 0 if absent. Only where it has a value.
  [[nodiscard]] double value(std::int32_t level) const {
    if (optional && level-- == 0) return 0;
    if (scale) return scale->value(level);
    return values.empty() ? static_cast<double>(low) + level : values[static_cast<std::size_t>(level)];
  }
  /// Where the level lies on [0, 1], for models of ordered coordinates. Absent lies half the range from the nearest
  /// level that is present.
  [[nodiscard]] double place(std::int32_t level) const {
    if (levels < 2) return 0;
    if (!optional) return level * (1.0 / (levels - 1));
    return level == 0 || levels == 2 ? level : 0.5 + 0.5 * (level - 1) / (levels - 2);
  }

  bool operator==(const Coordinate&) const = default;
};

/// How the text of a level that means "absent" is written.
inline constexpr const char* kAbsent = "(absent)";

/// The level whose value a person writes so: "1", "true", "-7", "0.25", "red"; for real variables within 1 % of a step.
/// Of a categorical variable also in another spelling, such as "null" for None, if it can mean only one level. Throws
/// InvalidArgument.
std::int32_t parse_level(const Coordinate& c, const std::string& text);
std::string format_level(const Coordinate& c, std::int32_t level);  // the inverse

/// A number as people write it: the shortest text that reads back to it; 0.0001 and 100000 are written out.
std::string format_number(double value);

}  // namespace bocs
