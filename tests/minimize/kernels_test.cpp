#include "bocs/minimize/kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "bocs/numeric/rng.hpp"

namespace bocs {
namespace {

TEST(Kernels, EqualPlainLoopsForEveryLength) {
  EXPECT_EQ(smallest(nullptr, 0), std::numeric_limits<double>::infinity());
  for (std::size_t n = 1; n <= 70; ++n) {
    Rng rng(1, "kernels", n);
    std::vector<double> table(n);
    std::vector<double> change(n);
    for (std::size_t i = 0; i < n; ++i) {
      table[i] = rng.normal();
      change[i] = rng.normal();
    }
    EXPECT_EQ(smallest(table.data(), n), *std::min_element(table.begin(), table.end()));
    std::vector<double> expected = table;
    for (std::size_t i = 0; i < n; ++i) expected[i] -= change[i];
    EXPECT_EQ(add_and_find_smallest(table.data(), change.data(), -1, n),
              *std::min_element(expected.begin(), expected.end()));
    EXPECT_EQ(table, expected);
  }
}

}  // namespace
}  // namespace bocs
