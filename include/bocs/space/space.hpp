#pragma once
// The set searched: a product of binary, integer, real and categorical variables.

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "bocs/base/level_value.hpp"
#include "bocs/numeric/rng.hpp"

namespace bocs {

enum class Kind { binary, integer, real, categorical };

/// Integer and real variables are grids: ascending values, whose levels are equally far apart for every model.
constexpr bool is_number(Kind kind) { return kind == Kind::integer || kind == Kind::real; }

struct Variable {
  std::string name;
  Kind kind = Kind::binary;
  int levels = 2;                      // number of values
  int low = 0;                         // integer without `values`: the value of level 0
  std::vector<std::string> labels;     // categorical: the text of each level, for people
  std::vector<double> values = {};     // real, and integer unless low, low + 1, ...: the value of each level, ascending
  std::vector<LevelValue> typed = {};  // categorical: each level with its type; empty: a study of 0.2 kept the texts

  /// What the level stands for in sums and penalties; not of categorical variables.
  [[nodiscard]] double value(int level) const {
    return values.empty() ? static_cast<double>(low) + level : values[static_cast<std::size_t>(level)];
  }
  bool operator==(const Variable&) const = default;
};

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
/// A grid of 100 steps unless it says how many. Its values are rounded by at most 0.02 % of a step to few digits.
Variable real(std::string name, double low, double high, const Spacing& spacing = {});
/// The numbers given, ascending, each as far from the next as any other: 16, 32, 64. Integer if all are whole.
Variable ordinal(std::string name, std::vector<double> values);
Variable categorical(std::string name, const std::vector<std::string>& labels);
/// A categorical variable whose levels have types; their texts are distinct. A comma in a text is shown as a semicolon.
Variable choice(std::string name, std::vector<LevelValue> levels);

/// The level whose value a person writes so: "1", "true", "-7", "0.25", "red"; for real variables within 1 % of a step.
/// Of a categorical variable also in another spelling, such as "null" for None, if it can mean only one level. Throws
/// InvalidArgument.
std::int32_t parse_level(const Variable& v, const std::string& text);
std::string format_level(const Variable& v, std::int32_t level);  // the inverse

/// The level of each variable, counted from 0.
using Point = std::vector<std::int32_t>;

/// The point of a binary space that a code stands for: bit i is variable i.
Point point_of_code(std::uint64_t code, int dimension);

struct PointHash {
  std::size_t operator()(const Point&) const;
};
using PointSet = std::unordered_set<Point, PointHash>;

class Space {
 public:
  static constexpr int kMaxVariables = 1'000'000;

  /// Throws InvalidArgument: no variables or too many, doubled names, empty ranges, values not ascending or beyond
  /// `int`.
  explicit Space(std::vector<Variable> variables);
  static Space binary(int dimension);  // x0, x1, ...

  [[nodiscard]] int dimension() const { return static_cast<int>(variables_.size()); }
  const Variable& operator[](int i) const { return variables_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const std::vector<Variable>& variables() const { return variables_; }

  [[nodiscard]] int index(const std::string& name) const;  // throws InvalidArgument if there is no such variable

  [[nodiscard]] bool all_binary() const { return all_binary_; }
  [[nodiscard]] bool contains(const Point&) const;
  void check(const Point&) const;  // throws InvalidArgument that names the first thing wrong
  [[nodiscard]] Point random(Rng&) const;
  [[nodiscard]] double log2_size() const;
  /// True when the space has no more than `count` points.
  [[nodiscard]] bool no_larger_than(double count) const;

  /// "0110" for binary spaces, "1,red,7" otherwise.
  [[nodiscard]] std::string format(const Point&) const;
  [[nodiscard]] Point parse(const std::string& text) const;  // inverse of format; throws InvalidArgument

 private:
  std::vector<Variable> variables_;
  std::shared_ptr<const std::unordered_map<std::string, int>> indices_;  // by name; shared by copies
  bool all_binary_ = true;
};

}  // namespace bocs
