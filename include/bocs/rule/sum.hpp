#pragma once
// A number that is known for every point: how many items are chosen, what they cost.

#include <string>
#include <vector>

#include "bocs/space/space.hpp"

namespace bocs {

/// A sum in the language of rules (docs/constraints.md): "size(features)", "3*pump + 2*(depot == river)".
class KnownSum {
 public:
  /// Throws InvalidArgument for what is no sum over the variables of the space.
  KnownSum(const Space& space, const std::string& text);

  double operator()(const Point& x) const;

  /// The sum is constant() plus, for each coordinate, a number for each of its levels; empty: the coordinate is not
  /// part of it.
  [[nodiscard]] double constant() const { return constant_; }
  [[nodiscard]] const std::vector<double>& of_levels(int coordinate) const;

 private:
  double constant_ = 0;
  std::vector<std::vector<double>> tables_;
};

}  // namespace bocs
