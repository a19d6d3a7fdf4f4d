#pragma once
// The set searched: a product of binary, integer and categorical variables.

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "bocs/core/rng.hpp"

namespace bocs {

enum class Kind { binary, integer, categorical };

struct Variable {
  std::string name;
  Kind kind = Kind::binary;
  int levels = 2;                   // number of values
  int low = 0;                      // integer: the value of level 0
  std::vector<std::string> labels;  // categorical: the name of each level

  [[nodiscard]] int high() const { return low + (levels - 1); }  // integer: the value of the last level
};

Variable binary(std::string name);
Variable integer(std::string name, int low, int high);
Variable categorical(std::string name, std::vector<std::string> labels);

/// The level whose value a person writes so: "1", "-7", "red". Throws InvalidArgument.
std::int32_t parse_level(const Variable& v, const std::string& text);
std::string format_level(const Variable& v, std::int32_t level);  // the inverse

/// The level of each variable, counted from 0. An integer variable's value is `low + level`.
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

  /// Throws InvalidArgument: no variables or too many, doubled names, empty ranges, values beyond `int`.
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
