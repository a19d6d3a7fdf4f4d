#include "bocs/problem/features.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

Point chosen(int d, const std::vector<int>& columns) {
  Point x(static_cast<std::size_t>(d), 0);
  for (const int i : columns) x[static_cast<std::size_t>(i)] = 1;
  return x;
}

std::vector<int> every(int step, int d) {
  std::vector<int> columns;
  for (int i = 0; i < d; i += step) columns.push_back(i);
  return columns;
}

// By numpy's least squares on the data themselves: stderr of experiments/suite/make_features.py. We have correlations
// rounded to 1e-6, which the smallest eigenvalues, 0.001 by the ridge, blow up.
TEST(Features, ValuesAreThoseOfLeastSquaresOnTheData) {
  const Problem cancer = make_problem("features", 0);
  ASSERT_EQ(cancer.space.dimension(), 30);
  EXPECT_NEAR(cancer.f(chosen(30, {0})), -0.7490125886902447, 1e-5);
  EXPECT_NEAR(cancer.f(chosen(30, {1, 4, 7})), -0.9954672591277892, 1e-5);
  EXPECT_NEAR(cancer.f(chosen(30, every(3, 30))), -1.1944071926746205, 1e-4);
  EXPECT_NEAR(cancer.f(chosen(30, every(1, 30))), -1.1393084920098797, 1e-4);
  const Problem zero = make_problem("features:data=digits", 10);  // the instance is taken mod 10
  ASSERT_EQ(zero.space.dimension(), 61);
  EXPECT_NEAR(zero.f(chosen(61, {1, 4, 7})), -0.020325746368865635, 1e-5);
  EXPECT_NEAR(zero.f(chosen(61, every(3, 61))), -0.8402785372543634, 1e-4);
  const Problem one = make_problem("features:data=digits", 1);
  EXPECT_NEAR(one.f(chosen(61, every(3, 61))), -0.5453831776789846, 1e-4);
  EXPECT_NEAR(one.f(chosen(61, every(1, 61))), -0.5857801239124092, 1e-4);
}

TEST(Features, NothingChosenExplainsNothing) {
  EXPECT_EQ(make_problem("features", 0).f(Point(30, 0)), 0);
  EXPECT_EQ(make_problem("features", 0).space[7].name, "mean_concave_points");
}

TEST(Features, RefusesBadOptions) { EXPECT_THROW(make_problem("features:data=iris", 0), InvalidArgument); }

}  // namespace
}  // namespace bocs
