#include "bocs/problem/binary.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bocs/base/error.hpp"
#include "bocs/numeric/parallel.hpp"

namespace bocs {
namespace {

TEST(FlipMask, ZeroFlipsNothingAndSeedsDiffer) {
  EXPECT_EQ(flip_mask(0, 5), Point(5, 0));
  EXPECT_EQ(flip_mask(3, 40), flip_mask(3, 40));
  EXPECT_NE(flip_mask(3, 40), flip_mask(4, 40));
  int ones = 0;
  for (const auto bit : flip_mask(1, 10000)) ones += bit;
  EXPECT_NEAR(ones, 5000, 250);
}

// Every code is visited once, with the value of its own point; 14 bits cross the blocks of 12.
TEST(EnumerateByOnes, VisitsEveryCode) {
  struct Walker {
    Point z;
    int* visits;
    double value() {
      int code = 0;
      for (std::size_t i = 0; i < z.size(); ++i) code |= z[i] << i;
      ++visits[code];
      return std::cos(code * 0.37);
    }
    void flip(int i) { z[i] ^= 1; }
  };
  std::vector<int> visits(1 << 14, 0);
  const Point flip = flip_mask(5, 14);
  const auto best = enumerate_by_ones(flip, [&](const Point& z) { return Walker{z, visits.data()}; });
  for (const int count : visits) ASSERT_EQ(count, 1);
  ASSERT_EQ(best.size(), 15u);

  std::vector<double> truth(15, 2);
  std::vector<int> argument(15);
  for (int code = 0; code < 1 << 14; ++code) {
    int ones = 0;
    for (int i = 0; i < 14; ++i) ones += (code >> i & 1) ^ flip[i];
    if (std::cos(code * 0.37) < truth[ones]) {
      truth[ones] = std::cos(code * 0.37);
      argument[ones] = code;
    }
  }
  for (int ones = 0; ones <= 14; ++ones) {
    int code = 0;
    for (int i = 0; i < 14; ++i) code |= best[ones][i] << i;
    EXPECT_EQ(code, argument[ones]);
  }
}

TEST(Finish, OptimaAreComputedOnceWhateverTheThread) {
  std::atomic<int> calls = 0;
  BinaryProblem binary{"test", Space::binary(2), Sense::minimize, {0, 1}, {}, {}, {}, {}, {}};
  binary.f = [](const Point& z) { return 3.0 * z[0] + z[1]; };
  binary.best_by_ones = [&calls] {
    ++calls;
    return std::vector<Point>{{0, 1}, {0, 0}, {1, 0}};
  };
  const Problem problem = finish(std::move(binary));
  std::vector<double> values(50);
  parallel_for(50, 4, [&](int i) { values[i] = problem.optimum(i < 25 ? 0.5 : 1.5)->value; });
  for (int i = 0; i < 50; ++i) EXPECT_EQ(values[i], i < 25 ? 0.5 : 1.0);  // x = 01 for 0 + 0.5, or x = 00 for 1 + 0
  EXPECT_EQ(calls, 1);
  EXPECT_THROW((void)problem.optimum(NAN), InvalidArgument);
}

TEST(OptimumFinder, AFailureIsNotRemembered) {
  int calls = 0;
  BinaryProblem binary{"test", Space::binary(2), Sense::minimize, Point{0, 0}, {}, {}, {}, {}, {}};
  binary.f = [](const Point& z) { return z[0] - 2.0 * z[1]; };
  binary.best = [&](double) -> Point {
    if (++calls == 1) throw Error("out of memory, say");
    return {0, 1};
  };
  const Problem problem = finish(std::move(binary));
  EXPECT_THROW(problem.optimum(0), Error);
  const auto optimum = problem.optimum(0);
  ASSERT_TRUE(optimum);
  EXPECT_EQ(optimum->x, (Point{0, 1}));
  EXPECT_EQ(optimum->value, -2);
  problem.optimum(0);
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace bocs
