#pragma once
// What every score promises, as a check: see bocs/acquire/score.hpp.

#include <string>
#include <vector>

#include "bocs/acquire/score.hpp"

namespace bocs::testing {

/// What is wrong with the score over a grid of means and variances; empty: nothing.
inline std::vector<std::string> check_score(const Score& score) {
  std::vector<std::string> broken;
  if (!score.value && !score.values) return {"it has no function"};
  if (score.name.empty()) broken.emplace_back("it has no name: trials say by it how they came about");
  constexpr Eigen::Index kMeans = 25, kVariances = 20;
  Vector mean(kMeans * kVariances), variance(mean.size());
  for (Eigen::Index k = 0; k < mean.size(); ++k) {
    mean[k] = -3 + 0.25 * static_cast<double>(k / kVariances);
    variance[k] = 0.1 * static_cast<double>(k % kVariances);
  }
  const ScoreContext context{-1, 30, 25};
  const auto all = [&]() -> Vector {
    if (score.values) return score.values(mean, variance, context);
    Vector result(mean.size());
    for (Eigen::Index k = 0; k < mean.size(); ++k) result[k] = score.value(mean[k], variance[k], context);
    return result;
  };
  const Vector first = all(), second = all();
  if (first.size() != mean.size()) return {"it does not give one value for each point"};
  for (Eigen::Index k = 0; k < mean.size(); ++k) {
    if (!(first[k] == second[k])) return {"asked twice, it gives two values, or none"};
    const bool more_variance = k % kVariances != 0;
    if (score.optimistic && more_variance && first[k] < first[k - 1] - 1e-12) {
      broken.emplace_back("it says that it is optimistic, but falls when the variance grows");
      break;
    }
  }
  return broken;
}

}  // namespace bocs::testing
