#pragma once
// The monomials of the model, [BP18] Sec. 3.1 and supplement A: products of features of distinct variables, up to an
// order, and others that the user names.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bocs/poly/integers.hpp"
#include "bocs/poly/subset_cuts.hpp"
#include "bocs/space/space.hpp"

namespace bocs {

/// A number read off one variable. Binary: x itself. Integer: see above. Categorical with m levels, and integer by
/// level: the m - 1 indicators of levels 1 ... m-1 (level 0 is the reference, so that the model stays identifiable).
struct Feature {
  int variable = 0;
  int level = 1;     // the level indicated, or, when scaled, unused
  double scale = 0;  // > 0: the feature is scale * level of the variable; 0: an indicator
  bool square = false;

  [[nodiscard]] double operator()(std::int32_t x) const {
    if (scale == 0) return x == level ? 1.0 : 0.0;
    const double value = scale * x;
    return square ? (2 * value - 1) * (2 * value - 1) : value;
  }
};

/// Monomials are named as Basis::name prints them: "x1*x2*x3*x4", "depot=river*crew^2"; the factors in any order.
struct BasisOptions {
  int order = 2;  // every product of at most so many features
  Integers integers = Integers::value;
  std::vector<std::string> extra = {};     // further monomials; those that the order contains already change nothing
  std::vector<std::string> excluded = {};  // monomials whose coefficient is always 0; those not there change nothing
};

class Basis {
 public:
  /// The regular monomials: all products of at most `order` features of distinct variables, without the constant. First
  /// order 1, then order 2 in lexicographic order, and so on. Throws InvalidArgument for order < 1 or more than
  /// kMaxMonomials monomials.
  Basis(Space space, int order);
  /// The same, followed by the extra monomials in the same order. Excluded ones keep their place. Throws
  /// InvalidArgument for names it cannot read, too, and for monomials both extra and excluded.
  Basis(Space space, const BasisOptions& options);

  static constexpr double kMaxMonomials = 2e7;
  static constexpr int kMaxOneHot = 32;

  [[nodiscard]] const Space& space() const { return space_; }
  [[nodiscard]] int order() const { return order_; }                                // the most factors of any monomial
  [[nodiscard]] int size() const { return static_cast<int>(offsets_.size()) - 1; }  // p
  [[nodiscard]] int regular_order() const { return regular_order_; }
  [[nodiscard]] int regular_size() const { return regular_size_; }  // the extra monomials follow
  [[nodiscard]] std::span<const int> excluded() const { return excluded_; }

  [[nodiscard]] std::span<const Feature> features() const { return features_; }
  /// The features multiplied in monomial k, ascending. The first features().size() monomials are the single features.
  [[nodiscard]] std::span<const int> monomial(int k) const {
    return {members_.data() + offsets_[static_cast<std::size_t>(k)],
            members_.data() + offsets_[static_cast<std::size_t>(k) + 1]};
  }
  [[nodiscard]] double value(int k, const Point& x) const;
  [[nodiscard]] std::string name(int k) const;  // "x3*x7", "crew", "depot=river*crew^2"
  /// What the tables of its designs share.
  [[nodiscard]] SubsetCuts& cuts() const { return *cuts_; }
  /// The monomial of that name, if it is there. Throws InvalidArgument for names of no product of features.
  [[nodiscard]] std::optional<int> find(const std::string& name) const;

 private:
  void append_regular();
  void append(std::span<const int> monomial);
  [[nodiscard]] std::optional<int> find(std::span<const int> monomial) const;

  Space space_;
  int regular_order_;
  int regular_size_ = 0;
  int order_;
  std::vector<Feature> features_;
  std::vector<int> excluded_;  // ascending
  std::vector<int> offsets_;   // monomial k is members_[offsets_[k] ... offsets_[k+1])
  std::vector<int> members_;
  std::shared_ptr<SubsetCuts> cuts_ = std::make_shared<SubsetCuts>();
};

}  // namespace bocs
