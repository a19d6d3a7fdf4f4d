#pragma once
// The set searched: the points over some variables. Without structures and conditions it is the product of their
// levels; those bring rules of their own, which Constraints (rule/constraint.hpp) keep beside the user's.

#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "bocs/numeric/rng.hpp"
#include "bocs/variable/variable.hpp"

namespace bocs {

struct Change;   // variable/type.hpp
struct OwnRule;  // variable/type.hpp

/// The point of a binary space that a code stands for: bit i is variable i.
Point point_of_code(std::uint64_t code, int dimension);

struct PointHash {
  std::size_t operator()(const Point&) const;
};
using PointSet = std::unordered_set<Point, PointHash>;

/// A cheap value: copies share everything.
class Space {
 public:
  static constexpr int kMaxVariables = 1'000'000;

  /// Throws InvalidArgument: no variables or too many, doubled names, and conditions that nothing can satisfy, that
  /// go in a circle, or that are about no variable of one value.
  explicit Space(std::vector<Variable> variables);
  static Space binary(int dimension);  // x0, x1, ...

  /// The number of coordinates, which is that of the variables unless there are structures.
  [[nodiscard]] int dimension() const { return dimension_; }
  const Coordinate& operator[](int i) const { return coordinates_[i]; }
  [[nodiscard]] const std::vector<Coordinate>& coordinates() const;

  [[nodiscard]] const std::vector<Variable>& variables() const;
  [[nodiscard]] int first(int variable) const;          // its first coordinate
  [[nodiscard]] int count(int variable) const;          // of its coordinates
  [[nodiscard]] bool is_plain(int variable) const;      // of one value: no structure
  [[nodiscard]] int variable_of(int coordinate) const;  // the variable that has it

  [[nodiscard]] int index(const std::string& name) const;  // of a coordinate; throws InvalidArgument if there is none
  [[nodiscard]] int variable_index(const std::string& name) const;  // -1: there is no such variable

  [[nodiscard]] bool all_binary() const { return all_binary_; }
  [[nodiscard]] bool contains(const Point&) const;
  void check(const Point&) const;          // throws InvalidArgument that names the first thing wrong
  [[nodiscard]] Point random(Rng&) const;  // uniform over the product of the levels
  [[nodiscard]] double log2_size() const;  // of that product
  /// True when it has no more than `count` points.
  [[nodiscard]] bool no_larger_than(double count) const;

  /// What structures and conditions ask of the coordinates.
  [[nodiscard]] const std::vector<OwnRule>& rules() const;
  /// Coordinate i may take any level, whatever the others are: neither a structure nor a condition has a say.
  [[nodiscard]] bool is_free(int i) const { return all_free_ || is_free_in_parts(i); }
  [[nodiscard]] bool all_free() const { return all_free_; }
  /// The moves of a local search that begin with coordinate i, which is not free. They keep the rules. What begins to
  /// exist takes its middle level.
  void for_each_move(const Point& x, int i, const std::function<void(const std::vector<Change>&)>& visit) const;
  /// One of them at random; what begins to exist takes a random level. Empty: none was found.
  void random_move(const Point& x, int i, Rng& rng, std::vector<Change>& move) const;

  /// The value of a variable as people and programs see it. Throws InvalidArgument when it is absent.
  [[nodiscard]] Value value(const Point& x, int variable) const;
  [[nodiscard]] bool is_absent(const Point& x, int variable) const;
  /// Writes a value into the point, which has the dimension of the space. Throws InvalidArgument.
  void set(Point& x, int variable, const Value& value) const;
  /// Writes "absent". Throws InvalidArgument for variables without a condition: they need a value.
  void set_absent(Point& x, int variable) const;
  /// The value as people read it: "red", "c > a > b", "absent".
  [[nodiscard]] std::string text(const Point& x, int variable) const;

  /// "0110" for binary spaces, "1,red,7" otherwise: coordinate by coordinate.
  [[nodiscard]] std::string format(const Point&) const;
  [[nodiscard]] Point parse(const std::string& text) const;  // inverse of format; throws InvalidArgument

 private:
  struct Parts;
  [[nodiscard]] bool is_free_in_parts(int i) const;
  void follow(Point& y, int i, Rng* rng, std::vector<Change>& move) const;

  std::shared_ptr<const Parts> parts_;
  const Coordinate* coordinates_ = nullptr;  // those of parts_
  int dimension_ = 0;
  bool all_binary_ = true;
  bool all_free_ = true;
};

}  // namespace bocs
