#pragma once
// The distribution over binary vectors in which each bit is a logistic regression on the bits before it (Schaefer
// 2013): q(x) = prod_i p_i(x_1, ..., x_(i-1))^x_i (1 - p_i)^(1 - x_i). Unlike independent bits, it follows
// correlations.

#include <span>

#include "bocs/numeric/linalg.hpp"
#include "bocs/space/space.hpp"

namespace bocs {

class LogisticConditionals {
 public:
  /// Fits to particles with positive weights that sum to 1.
  LogisticConditionals(std::span<const Point> particles, const Vector& weights);

  [[nodiscard]] Point sample(Rng& rng) const;
  [[nodiscard]] double log_probability(const Point& x) const;

 private:
  struct Conditional {
    std::vector<std::size_t> predictors;  // earlier bits
    Vector coefficients;                  // the constant first
  };
  /// Of bit i being 1, given the earlier bits of x.
  [[nodiscard]] double probability(std::size_t i, const Point& x) const;

  std::vector<Conditional> conditionals_;
};

}  // namespace bocs
