#include "bocs/model/random_forest.hpp"

#include <gtest/gtest.h>

namespace bocs {
namespace {

const Space kMixed({binary("a"), binary("b"), integer("n", 0, 9), categorical("kind", {"x", "y", "z"}), binary("c")});

double additive(const Point& x) { return 2 * x[0] - 1.5 * x[1] + 0.4 * x[2] + (x[3] == 1 ? 2 : 0); }

struct Data {
  std::vector<Point> x;
  Vector y;
};

Data random_data(int n, std::uint64_t seed) {
  Rng rng(seed, "data");
  Data data{{}, Vector(n)};
  for (int j = 0; j < n; ++j) {
    data.x.push_back(kMixed.random(rng));
    data.y[j] = additive(data.x.back());
  }
  return data;
}

TEST(RandomForest, PredictsAnAdditiveFunctionFarBetterThanTheMean) {
  const Data data = random_data(100, 1), test = random_data(200, 2);
  const Prediction p = RandomForest(kMixed, data.x, data.y, {}, Rng(3)).predict(test.x);
  const double error = (p.mean - test.y).squaredNorm();
  const double of_the_mean = (test.y.array() - data.y.mean()).matrix().squaredNorm();
  EXPECT_LT(error, 0.2 * of_the_mean);
  EXPECT_GE(p.variance.minCoeff(), 0);
}

TEST(RandomForest, IsLessCertainWhereThereAreNoData) {
  Data data = random_data(150, 4);
  Data known{{}, Vector(150)};  // only points with a == b and n <= 4
  Eigen::Index n = 0;
  for (std::size_t j = 0; j < data.x.size(); ++j) {
    if (data.x[j][0] != data.x[j][1] || data.x[j][2] > 4) continue;
    known.x.push_back(data.x[j]);
    known.y[n++] = data.y[static_cast<Eigen::Index>(j)];
  }
  known.y.conservativeResize(n);
  std::vector<Point> far;
  for (const Point& x : random_data(150, 5).x) {
    if (x[0] != x[1] && x[2] > 4) far.push_back(x);
  }
  const RandomForest forest(kMixed, known.x, known.y, {}, Rng(6));
  EXPECT_GT(forest.predict(far).variance.mean(), 1.5 * forest.predict(known.x).variance.mean());
}

TEST(RandomForest, ObeysTheLawOfTotalVariance) {
  // With trees that never split, every tree predicts mean and variance of its bootstrap sample: over many trees the
  // mean of y and, by the law of total variance, its variance.
  const Data data = random_data(60, 7);
  ForestOptions stumps;
  stumps.trees = 4000;
  stumps.min_split = 1000;
  const Prediction p = RandomForest(kMixed, data.x, data.y, stumps, Rng(8)).predict(data.x);
  const double variance = (data.y.array() - data.y.mean()).square().mean();
  EXPECT_NEAR(p.mean[0], data.y.mean(), 5 * std::sqrt(variance / 60 / 4000));
  EXPECT_NEAR(p.variance[0], variance, 0.02 * variance);
}

TEST(RandomForest, DependsOnItsStreamOnly) {
  const Data data = random_data(40, 9);
  const auto predict = [&](std::uint64_t seed) {
    return RandomForest(kMixed, data.x, data.y, {}, Rng(seed)).predict(data.x).mean;
  };
  EXPECT_EQ(predict(1), predict(1));
  EXPECT_NE(predict(1), predict(2));
}

}  // namespace
}  // namespace bocs
