#pragma once
// The monomials of the model, [BP18] Sec. 3.1 and supplement A: products of features of distinct variables, up to an
// order.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bocs/core/space.hpp"

namespace bocs {

/// A number read off one variable. Binary: x itself. Integer: its value scaled to [0, 1]. Categorical with m levels:
/// the m - 1 indicators of levels 1 ... m-1 (level 0 is the reference, so that the model stays identifiable).
struct Feature {
  int variable = 0;
  int level = 1;     // the level indicated, or, when scaled, unused
  double scale = 0;  // > 0: the feature is scale * level of the variable; 0: an indicator

  [[nodiscard]] double operator()(std::int32_t x) const { return scale > 0 ? scale * x : (x == level ? 1.0 : 0.0); }
};

class Basis {
 public:
  /// All products of at most `order` features of distinct variables, without the constant: first order 1, then order 2
  /// in lexicographic order, and so on. Throws InvalidArgument for order < 1 or more than kMaxMonomials monomials.
  Basis(Space space, int order);

  static constexpr double kMaxMonomials = 2e7;

  [[nodiscard]] const Space& space() const { return space_; }
  [[nodiscard]] int order() const { return order_; }
  [[nodiscard]] int size() const { return static_cast<int>(offsets_.size()) - 1; }  // p

  [[nodiscard]] std::span<const Feature> features() const { return features_; }
  /// The features multiplied in monomial k, ascending. The first features().size() monomials are the single features.
  [[nodiscard]] std::span<const int> monomial(int k) const {
    return {members_.data() + offsets_[static_cast<std::size_t>(k)],
            members_.data() + offsets_[static_cast<std::size_t>(k) + 1]};
  }
  [[nodiscard]] double value(int k, const Point& x) const;
  [[nodiscard]] std::string name(int k) const;  // "x3*x7", "crew", "depot=river*x1"

 private:
  Space space_;
  int order_;
  std::vector<Feature> features_;
  std::vector<int> offsets_;  // monomial k is members_[offsets_[k] ... offsets_[k+1])
  std::vector<int> members_;
};

}  // namespace bocs
