#pragma once
// Feature selection: which columns of a data set explain a target by least squares? Minimize
//   log( min_b |y - X_S b|^2 / n + 0.001 |b|^2 ) + |S| log(n) / n,
// the Bayesian information criterion over n with a little ridge; all columns are standardized, and there is an
// intercept. S are the ones of x. Data: `cancer` (569 x 30, malignant or not: one instance) and `digits` (1797 x 61
// pixels that vary; instance mod 10 is the digit that is told from the others).

#include "bocs/problem/instance_options.hpp"
#include "bocs/problem/problem.hpp"

namespace bocs {

struct FeaturesOptions : FlipOptions {
  std::string data = "cancer";

  void describe(OptionTable& table);
};

Problem make_features(const Spec& spec, std::uint64_t instance);

}  // namespace bocs
