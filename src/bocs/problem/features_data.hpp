#pragma once
// The data of the problem `features`, as experiments/suite/make_features.py wrote them.

#include <span>

namespace bocs {

struct FeatureData {
  const char* name;
  int rows;                            // n
  std::span<const char* const> names;  // of the d columns
  std::span<const int> columns;        // correlations of the columns in millionths: upper triangle, row by row
  std::span<const int> targets;        // of each column with the target: d numbers for each target
};

std::span<const FeatureData> feature_data();

}  // namespace bocs
