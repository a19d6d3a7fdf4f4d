#pragma once
// Small functions of numbers.

#include <algorithm>
#include <vector>

namespace bocs {

/// n over k; 0 for k > n.
inline double binomial(int n, int k) {
  double result = k > n ? 0 : 1;
  for (int i = 0; i < k && result > 0; ++i) result = result * (n - i) / (i + 1);
  return result;
}

/// Of at least one value; the mean of the two in the middle of an even number.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace bocs
