#pragma once
// How the variation of a polynomial over its space is divided among the variables.

#include "bocs/numeric/linalg.hpp"
#include "bocs/poly/basis.hpp"

namespace bocs {

/// The analysis of variance of polynomials over one basis, all points of the space equally likely. A feature is its
/// mean plus what varies, so a monomial, a product of features of distinct variables, is a sum over the subsets of its
/// factors: what varies of these times the means of the others. Subsets of different variables are uncorrelated.
class Variation {
 public:
  Variation(const Basis& basis, const std::vector<int>& terms);

  /// The Shapley effect of each variable: the variance of what several variables do together is divided equally among
  /// them. Shares of the whole; 0 if nothing varies.
  [[nodiscard]] Vector shares(const Vector& alpha) const;

 private:
  struct Part {  // of a monomial
    int term;
    int subset;
    double weight;  // product of the other factors' means
  };
  struct Group {  // the subsets of the same variables
    std::vector<int> variables;
    std::vector<int> subsets;
    Matrix covariance;  // of the subsets
  };
  std::vector<Part> parts_;
  int subsets_ = 0;
  std::vector<Group> groups_;
  int dimension_;
};

}  // namespace bocs
