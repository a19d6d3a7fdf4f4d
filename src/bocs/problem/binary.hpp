#pragma once
// What the binary problems share: flipped codes, the optimum for any penalty, enumeration. For the sources of this
// folder only.

#include <algorithm>
#include <bit>
#include <limits>

#include "bocs/numeric/linalg.hpp"
#include "bocs/problem/problem.hpp"

namespace bocs {

/// The bits that are flipped: zeros for seed 0, else fair coins.
Point flip_mask(int seed, int dimension);
/// x xor mask
Point flipped(Point x, const Point& mask);

/// A binary problem in its natural code z. Its users see x = z xor flip, and penalties count the ones of x.
struct BinaryProblem {
  std::string name;
  Space space;
  Sense sense = Sense::minimize;
  Point flip;
  std::function<double(const Point& z)> f;
  std::function<std::string(const Point& z)> picture;
  std::function<std::string()> instance_json;
  // How the optimum is found: by one of the two, or not at all. Neither need be thread-safe.
  std::function<std::vector<Point>()> best_by_ones;  // the best z for every number of ones in x; called once at most
  std::function<Point(double l1)> best;              // called once for every l1
};

/// The problem as users see it; checks points, flips, and remembers optima.
Problem finish(BinaryProblem);

/// Measurements are f plus normal noise of this standard deviation; 0: they are f.
void add_noise(Problem& problem, double deviation);

/// Gray-code enumeration of the 2^d codes z; the best one for every number of ones in z xor flip, the first of equals.
/// make_walker(z) returns an object with `double value()`, smaller is better, and `void flip(int i)`. A new walker is
/// made every 4096 codes, so rounding errors do not pile up.
template <class MakeWalker>
std::vector<Point> enumerate_by_ones(const Point& flip, const MakeWalker& make_walker) {
  const int d = static_cast<int>(flip.size());
  const int low = std::min(d, 12);
  std::uint64_t mask = 0;
  for (int i = 0; i < d; ++i) mask |= static_cast<std::uint64_t>(flip[i]) << i;

  std::vector<double> best(d + 1, std::numeric_limits<double>::infinity());
  std::vector<std::uint64_t> codes(d + 1, 0);
  for (std::uint64_t high = 0; high < std::uint64_t{1} << (d - low); ++high) {
    std::uint64_t code = high << low;
    auto walker = make_walker(point_of_code(code, d));
    for (std::uint64_t step = 1;; ++step) {
      const int ones = std::popcount(code ^ mask);
      const double value = walker.value();
      if (value < best[ones]) {
        best[ones] = value;
        codes[ones] = code;
      }
      if (step == std::uint64_t{1} << low) break;
      const int i = std::countr_zero(step);
      walker.flip(i);
      code ^= std::uint64_t{1} << i;
    }
  }
  std::vector<Point> points;
  for (const auto code : codes) points.push_back(point_of_code(code, d));
  return points;
}

constexpr int kQuadraticLimit = 28;  // variables whose codes quadratic_by_ones lists, in about 4 seconds

/// enumerate_by_ones for z'Qz, smaller is better: 10 ns a code. Empty function: too many variables.
std::function<std::vector<Point>()> quadratic_by_ones(const Matrix& Q, const Point& flip);

}  // namespace bocs
