#include "bocs/problem/ising_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

using Bond = IsingGrid::Bond;

/// Ising bonds with each edge counted twice; couplings uniform on +-[0, size].
std::vector<Bond> random_bonds(int edges, double size, Rng& rng) {
  std::vector<Bond> bonds;
  for (int e = 0; e < edges; ++e) {
    const double J = size * (2 * rng.uniform() - 1);
    bonds.push_back({2 * J, -2 * J});
  }
  return bonds;
}

/// The definition: a sum over all 2^n spin vectors.
double direct_log_sum(const IsingGrid& grid, int spins, const std::vector<Bond>& bonds) {
  std::vector<double> logs(std::size_t{1} << spins);
  for (std::size_t z = 0; z < logs.size(); ++z) {
    for (int e = 0; e < grid.size(); ++e) {
      const auto [i, j] = grid.edges()[e];
      logs[z] += (z >> i & 1) == (z >> j & 1) ? bonds[e].equal : bonds[e].unequal;
    }
  }
  const double high = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double value : logs) sum += std::exp(value - high);
  return high + std::log(sum);
}

TEST(IsingGrid, EdgesAreHorizontalPairsThenVerticalPairs) {
  const IsingGrid grid(2, 3);
  const std::vector<std::pair<int, int>> expected{{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}};
  ASSERT_EQ(grid.size(), 7);
  for (int e = 0; e < 7; ++e) {
    EXPECT_EQ(grid.edges()[e].first, expected[e].first);
    EXPECT_EQ(grid.edges()[e].second, expected[e].second);
  }
}

TEST(IsingGrid, LogSumIsTheDirectSum) {
  Rng rng(1, "test");
  for (const auto& [rows, columns] : {std::pair{4, 4}, {3, 5}, {5, 3}, {2, 2}, {1, 7}, {7, 1}, {1, 2}}) {
    const IsingGrid grid(rows, columns);
    for (const double size : {0.1, 5.0, 300.0}) {
      const auto bonds = random_bonds(grid.size(), size, rng);
      const double truth = direct_log_sum(grid, rows * columns, bonds);
      EXPECT_NEAR(grid.log_sum(bonds), truth, 1e-13 * (10 + std::abs(truth))) << rows << "x" << columns << " " << size;
    }
  }
}

TEST(IsingGrid, HugeFrustratedCouplingsStayFinite) {
  const IsingGrid grid(2, 2);  // one square with an odd number of negative edges: every state violates one
  const double J = 1e6;
  const std::vector<Bond> bonds{{2 * J, -2 * J}, {2 * J, -2 * J}, {2 * J, -2 * J}, {-2 * J, 2 * J}};
  EXPECT_NEAR(grid.log_sum(bonds), 2 * J * (3 - 1) + std::log(8), 1e-8);
}

// A 1 x n chain has the sum 2 (2 cosh 2J)^(n-1); a larger check than enumeration can do.
TEST(IsingGrid, LongChainHasItsClosedForm) {
  const IsingGrid grid(1, 200);
  const std::vector<Bond> bonds(199, {1.4, -1.4});
  EXPECT_NEAR(grid.log_sum(bonds), std::log(2) + 199 * std::log(2 * std::cosh(1.4)), 1e-10);
}

TEST(IsingGrid, LargeGridIsTheSameTransposed) {
  Rng rng(2, "test");
  const IsingGrid wide(6, 7);
  const IsingGrid tall(7, 6);
  const auto bonds = random_bonds(wide.size(), 5, rng);
  std::vector<Bond> turned(bonds.size());
  for (int e = 0; e < wide.size(); ++e) {
    const auto turn = [](int node) { return node % 7 * 6 + node / 7; };
    for (int t = 0; t < tall.size(); ++t) {
      if (tall.edges()[t].first == turn(wide.edges()[e].first) &&
          tall.edges()[t].second == turn(wide.edges()[e].second)) {
        turned[t] = bonds[e];
      }
    }
  }
  EXPECT_NEAR(wide.log_sum(bonds), tall.log_sum(turned), 1e-10);
}

// Every bond kept or cut, all 2^edges ways, against log_sum one by one.
TEST(IsingGrid, SmallestSumsAreThoseOfEnumeration) {
  Rng rng(3, "test");
  for (const auto& [rows, columns] : {std::pair{3, 3}, {2, 5}, {5, 2}, {1, 8}, {8, 1}, {1, 2}}) {
    const IsingGrid grid(rows, columns);
    const int edges = grid.size();
    std::vector<IsingGrid::Choice> choices;
    Point flip;
    for (int e = 0; e < edges; ++e) {
      const double J = rng.uniform();
      choices.push_back({{0, -4 * J}, {-2 * rng.uniform(), 0}});
      choices.back().cut.unequal = choices.back().cut.equal;
      flip.push_back(static_cast<int>(rng.below(2)));
    }
    const auto sum_of = [&](const Point& x) {
      std::vector<Bond> bonds;
      for (int e = 0; e < edges; ++e) bonds.push_back(x[e] == 1 ? choices[e].kept : choices[e].cut);
      return grid.log_sum(bonds);
    };
    const auto ones_of = [&](const Point& x) {
      int ones = 0;
      for (int e = 0; e < edges; ++e) ones += x[e] ^ flip[e];
      return ones;
    };
    std::vector<double> smallest(edges + 1, INFINITY);
    for (int mask = 0; mask < 1 << edges; ++mask) {
      Point x(edges);
      for (int e = 0; e < edges; ++e) x[e] = mask >> e & 1;
      smallest[ones_of(x)] = std::min(smallest[ones_of(x)], sum_of(x));
    }
    const auto found = grid.smallest_sums(choices, flip);
    ASSERT_EQ(found.size(), smallest.size());
    for (int n = 0; n <= edges; ++n) {
      EXPECT_EQ(ones_of(found[n]), n);
      EXPECT_NEAR(sum_of(found[n]), smallest[n], 1e-12) << rows << "x" << columns << ", " << n << " ones";
    }
  }
}

TEST(IsingGrid, RefusesWhatItCannotTreat) {
  EXPECT_THROW(IsingGrid(1, 1), InvalidArgument);
  EXPECT_THROW(IsingGrid(0, 4), InvalidArgument);
  EXPECT_THROW(IsingGrid(13, 13), InvalidArgument);
  EXPECT_THROW((void)IsingGrid(5, 5).smallest_sums(std::vector<IsingGrid::Choice>(40), Point(40, 0)), InvalidArgument);
}

}  // namespace
}  // namespace bocs
