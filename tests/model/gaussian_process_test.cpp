#include "bocs/model/gaussian_process.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "bocs/rule/moves.hpp"

namespace bocs {
namespace {

const Space kMixed({binary("a"), binary("b"), integer("n", -2, 5), categorical("kind", {"x", "y", "z"})});
const auto kKernel = default_kernel(kMixed);

struct Data {
  std::vector<Point> x;
  Vector y;
};

Data random_data(int n, std::uint64_t seed) {
  Rng rng(seed, "data");
  Data data{{}, Vector(n)};
  PointSet taken;
  while (static_cast<int>(data.x.size()) < n) {
    const Point x = kMixed.random(rng);
    if (!taken.insert(x).second) continue;
    data.y[static_cast<Eigen::Index>(data.x.size())] = x[0] - 0.3 * x[2] + (x[3] == 1 ? 1 : 0) + 0.2 * rng.normal();
    data.x.push_back(x);
  }
  return data;
}

double correlation(const Vector& w, const Point& a, const Point& b) {
  return std::exp(
      -(w[0] * (a[0] != b[0]) + w[1] * (a[1] != b[1]) + w[2] * std::abs(a[2] - b[2]) / 7.0 + w[3] * (a[3] != b[3])));
}

Matrix correlations(const Vector& w, const std::vector<Point>& a, const std::vector<Point>& b) {
  Matrix R(a.size(), b.size());
  for (Eigen::Index j = 0; j < R.rows(); ++j) {
    for (Eigen::Index k = 0; k < R.cols(); ++k) {
      R(j, k) = correlation(w, a[static_cast<std::size_t>(j)], b[static_cast<std::size_t>(k)]);
    }
  }
  return R;
}

ProcessParameters some_parameters() { return {Vector{{0.3, 1.2, 0.8, 0.5}}, 0.05}; }

// The posterior is the limit of a proper prior on the mean whose variance grows without bound: a plain conditional
// normal distribution with covariance s2 (R + c 1 1'), written down directly.
TEST(GaussianProcess, AgreesWithTheConditionalNormalDistribution) {
  const Data data = random_data(90, 1), test = random_data(40, 2);
  const GaussianProcess process(kKernel, data.x, data.y, some_parameters());
  const Prediction p = process.predict(test.x);
  const Vector w = some_parameters().kernel;
  constexpr double kFlat = 1e5;
  Matrix K = correlations(w, data.x, data.x).array() + kFlat;
  K.diagonal().array() += some_parameters().noise;
  const Matrix k = correlations(w, data.x, test.x).array() + kFlat;
  const Matrix weights = K.fullPivLu().solve(k);
  for (Eigen::Index j = 0; j < p.mean.size(); ++j) {
    EXPECT_NEAR(p.mean[j], weights.col(j).dot(data.y), 1e-4);
    EXPECT_NEAR(p.variance[j], process.variance() * (1 + kFlat - k.col(j).dot(weights.col(j))), 1e-4);
  }
  EXPECT_EQ(process.repairs(), 0);
}

TEST(GaussianProcess, JointCovarianceIsThatOfPredictionsAndOfDifferences) {
  const Data data = random_data(25, 3), others = random_data(12, 8);
  const GaussianProcess process(kKernel, data.x, data.y, {Vector::Constant(4, 0.7), 0.05});
  const Matrix covariance = process.covariance(others.x);
  const Vector variance = process.predict(others.x).variance;
  for (Eigen::Index i = 0; i < variance.size(); ++i) EXPECT_NEAR(covariance(i, i), variance[i], 1e-9);
  // The conditional normal distribution, the flat prior of the mean as the limit of a wide one.
  constexpr double kWide = 1e4;
  const Vector w = Vector::Constant(4, 0.7);
  Matrix K = correlations(w, data.x, data.x).array() + kWide;
  K.diagonal().array() += 0.05;
  const Matrix k = correlations(w, data.x, others.x).array() + kWide;
  const Matrix prior = correlations(w, others.x, others.x).array() + kWide;
  const Matrix expected = process.variance() * (prior - k.transpose() * K.inverse() * k);
  for (Eigen::Index i = 0; i < expected.rows(); ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) EXPECT_NEAR(covariance(i, j), expected(i, j), 1e-3 * process.variance());
  }
}

TEST(GaussianProcess, InterpolatesWithoutNoise) {
  const Data data = random_data(30, 3);
  ProcessParameters parameters = some_parameters();
  parameters.noise = 1e-10;
  const Prediction p = GaussianProcess(kKernel, data.x, data.y, parameters).predict(data.x);
  EXPECT_LT((p.mean - data.y).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(p.variance.maxCoeff(), 1e-6);
}

// A batch of neighbours is computed by differences from its first point; a point alone is not.
TEST(GaussianProcess, NeighboursTogetherAreAsEachAlone) {
  std::vector<Variable> variables{integer("n", 0, 9), categorical("kind", {"x", "y", "z"}), integer("one", 4, 4)};
  for (int i = 0; i < 9; ++i) variables.push_back(binary("b" + std::to_string(i)));
  const Space space(variables);
  Rng rng(8, "neighbours");
  std::vector<Point> x;
  Vector y(150), w(12);
  for (auto& e : y) e = rng.normal();
  for (auto& e : w) e = 0.1 + rng.uniform();
  w[4] = 800;  // exp(800) is not a number to multiply with
  while (x.size() < 150) x.push_back(space.random(rng));
  const auto kernel = default_kernel(space);
  const GaussianProcess process(kernel, x, y, {w, 0.01});
  std::vector<Point> neighbours;
  for_each_neighbour(space, {}, x[7], [&](const Point& point) { neighbours.push_back(point); });
  neighbours.push_back(space.random(rng));
  const Prediction together = process.predict(neighbours);
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    const Prediction alone = process.predict({&neighbours[k], 1});
    EXPECT_NEAR(together.mean[k], alone.mean[0], 1e-11) << k;
    EXPECT_NEAR(together.variance[k], alone.variance[0], 1e-11) << k;
  }
  // Bounds only where the caller says that they are enough.
  const double limit = together.variance.mean();
  const Prediction bounded =
      process.predict_if(neighbours, [&](Eigen::Index, double, double variance) { return variance > limit; });
  int exact = 0;
  for (Eigen::Index k = 0; k < together.mean.size(); ++k) {
    EXPECT_EQ(bounded.mean[k], together.mean[k]);
    EXPECT_GT(bounded.variance[k], together.variance[k] - 1e-12);
    if (together.variance[k] <= limit) continue;
    ++exact;
    EXPECT_NEAR(bounded.variance[k], together.variance[k], 1e-12);
  }
  EXPECT_GT(exact, 3);
}

TEST(GaussianProcessModel, PointsUnderWayLeaveTheMeanAndTheScaleAndMakeTheirSurroundingsCertain) {
  const Data data = random_data(60, 1), test = random_data(50, 2);
  const GaussianProcessModel model(kKernel, 5);
  const Rng rng(1);
  const auto before = model.fit({data.x, data.y}, rng)->predict(test.x);
  const std::vector<Point> under_way(test.x.begin(), test.x.begin() + 20);
  const auto after = model.fit({data.x, data.y, 0, under_way}, rng)->predict(test.x);
  EXPECT_TRUE(after.mean.isApprox(before.mean, 1e-8));
  EXPECT_TRUE((after.variance.array() <= before.variance.array() + 1e-12).all());
  EXPECT_TRUE((after.variance.head(20).array() < 0.7 * before.variance.head(20).array()).all());
  EXPECT_GT(after.variance.tail(30).maxCoeff(), 0.5 * before.variance.tail(30).maxCoeff());
}

TEST(GaussianProcess, LikelihoodIsThatOfTheNormalDensityAtItsMaximum) {
  const Data data = random_data(20, 4);
  const GaussianProcess process(kKernel, data.x, data.y, some_parameters());
  Matrix K = correlations(some_parameters().kernel, data.x, data.x);
  K.diagonal().array() += some_parameters().noise;
  const auto log_density = [&](double mean, double variance) {
    const Vector r = data.y.array() - mean;
    return -0.5 * (20 * std::log(variance) + std::log(K.determinant()) + r.dot(K.inverse() * r) / variance);
  };
  const double best = log_density(process.mean(), process.variance());
  EXPECT_NEAR(best, process.log_likelihood() - 10, 1e-8);  // the quadratic form is N at the most likely variance
  for (const double step : {0.9, 1.1}) {
    EXPECT_LT(log_density(process.mean() + step - 1, process.variance()), best);
    EXPECT_LT(log_density(process.mean(), process.variance() * step), best);
  }
}

TEST(GaussianProcess, GradientAgreesWithFiniteDifferences) {
  const Data data = random_data(20, 5);
  const Vector gradient = GaussianProcess(kKernel, data.x, data.y, some_parameters()).gradient();
  ASSERT_EQ(gradient.size(), 5);
  for (Eigen::Index i = 0; i < 5; ++i) {
    constexpr double kStep = 1e-5;
    double value[2];
    for (const int side : {0, 1}) {
      ProcessParameters p = some_parameters();
      (i < 4 ? p.kernel[i] : p.noise) *= std::exp(side == 1 ? kStep : -kStep);
      value[side] = GaussianProcess(kKernel, data.x, data.y, p).log_likelihood();
    }
    EXPECT_NEAR(gradient[i], (value[1] - value[0]) / (2 * kStep), 1e-5 * std::max(1.0, std::abs(gradient[i]))) << i;
  }
}

TEST(FitGaussianProcess, FindsOutWhichVariablesMatter) {
  const Space space = Space::binary(8);
  Rng rng(6, "data");
  std::vector<Point> x;
  Vector y(60);
  for (Eigen::Index j = 0; j < y.size(); ++j) {
    x.push_back(space.random(rng));
    y[j] = 2 * x.back()[0] - x.back()[3];
  }
  y = (y.array() - y.mean()) / std::sqrt((y.array() - y.mean()).square().mean());
  const auto process = fit_gaussian_process(default_kernel(space), x, y, 10);
  const Vector& w = process->parameters().kernel;
  for (const Eigen::Index irrelevant : {1, 2, 4, 5, 6, 7}) {
    EXPECT_LT(w[irrelevant], w[0] / 3);
    EXPECT_LT(w[irrelevant], w[3] / 3);
  }
  EXPECT_GT(process->log_likelihood(),
            GaussianProcess(default_kernel(space), x, y, {default_kernel(space)->defaults(), 1e-4}).log_likelihood());
}

TEST(FitGaussianProcess, SurvivesConstantAndSingleValues) {
  const Data data = random_data(5, 7);
  const Prediction constant = fit_gaussian_process(kKernel, data.x, Vector::Zero(5), 5)->predict(data.x);
  EXPECT_TRUE(constant.mean.isZero(1e-12) && constant.variance.allFinite());
  const std::vector<Point> one{data.x[0]};
  EXPECT_TRUE(fit_gaussian_process(kKernel, one, Vector::Zero(1), 5)->predict(data.x).variance.allFinite());
}

TEST(FitGaussianProcess, ValuesNothingCanBeLearntFromLeaveTheKernelAlone) {
  const Data data = random_data(5, 8);
  for (const double value : {std::nan(""), std::log(0.0), 1e300}) {
    Vector y = data.y;
    y[2] = value;
    const auto process = fit_gaussian_process(kKernel, data.x, y, 5);
    EXPECT_EQ(process->repairs(), 0) << value;
    EXPECT_TRUE(process->parameters().kernel.allFinite()) << value;
  }
}

TEST(FitGaussianProcess, FewDataDoNotMoveManyWeights) {
  // Six values of pure noise say nothing about forty variables. The likelihood alone has no maximum here: its weights
  // move by several powers of e. The prior holds every one of them near the default.
  const Space space = Space::binary(40);
  const double usual = default_kernel(space)->defaults()[0];
  Rng rng(9, "few");
  std::vector<Point> x;
  Vector y(6);
  for (Eigen::Index j = 0; j < y.size(); ++j) {
    x.push_back(space.random(rng));
    y[j] = rng.normal();
  }
  const Vector logs =
      (fit_gaussian_process(default_kernel(space), x, y, 100)->parameters().kernel / usual).array().log();
  EXPECT_LT(logs.cwiseAbs().maxCoeff(), 0.5);
  EXPECT_GT(logs.cwiseAbs().maxCoeff(), 0.001);  // it did look at them
}

TEST(FitGaussianProcess, EqualValuesOfEqualPointsLeaveSomeNoise) {
  // 120 measurements of 8 points, always the same: the more noise the less likely, down to none at all, where R + noise
  // I has rank 8 and cannot be factorized.
  const Space space = Space::binary(3);
  std::vector<Point> x;
  Vector y(120);
  for (int j = 0; j < 120; ++j) {
    x.push_back({j & 1, j >> 1 & 1, j >> 2 & 1});
    y[j] = (j & 1) - 0.7 * (j >> 1 & 1) + 0.2 * (j >> 2 & 1) - 0.25;
  }
  const auto process = fit_gaussian_process(default_kernel(space), x, y, 200);
  EXPECT_NEAR(process->parameters().noise, 1e-6, 1e-9);
  EXPECT_EQ(process->repairs(), 0);
  EXPECT_LT((process->predict(x).mean - y).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(GaussianProcess, OfSeveralOutputsIsThatOfEachWithTheSameParameters) {
  const Data data = random_data(40, 1), second = random_data(40, 2), test = random_data(25, 3);
  Matrix others(40, 2);
  others.col(0) = data.y.array().square();
  others.col(1) = second.y;
  const ProcessParameters parameters = some_parameters();
  const GaussianProcess all(kKernel, data.x, data.y, parameters, others);
  const auto predicted = all.predict_all(test.x, all_matter);
  ASSERT_EQ(predicted.size(), 3U);
  double likelihood = 0;
  Vector gradient = Vector::Zero(5);
  for (int k = 0; k < 3; ++k) {
    const GaussianProcess one(kKernel, data.x, k == 0 ? data.y : Vector(others.col(k - 1)), parameters);
    const Prediction p = one.predict(test.x);
    EXPECT_LT((predicted[static_cast<std::size_t>(k)].mean - p.mean).norm(), 1e-10) << k;
    EXPECT_LT((predicted[static_cast<std::size_t>(k)].variance - p.variance).norm(), 1e-10) << k;
    likelihood += one.log_likelihood();
    gradient += one.gradient();
  }
  EXPECT_NEAR(all.log_likelihood(), likelihood, 1e-9);
  EXPECT_LT((all.gradient() - gradient).norm(), 1e-8);
  // What does not matter has a larger variance in every output, never a smaller one.
  const auto none = [](Eigen::Index, double, double) { return false; };
  const auto bounds = all.predict_all(test.x, none);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_TRUE((bounds[k].variance.array() >= predicted[k].variance.array() - 1e-12).all());
    EXPECT_EQ(bounds[k].mean, predicted[k].mean);
  }
}

TEST(Model, FitsEachOutputByItselfUnlessItKnowsBetter) {
  class Means : public Model {
   public:
    [[nodiscard]] std::unique_ptr<Posterior> fit(const bocs::Data& data, const Rng& /*rng*/) const override {
      return fit_gaussian_process(kKernel, data.x, data.y, 3, data.noise);
    }
  };
  const Data data = random_data(20, 1);
  const Matrix others = data.y.array().square();
  const auto all = Means().fit_all({data.x, data.y}, others, Rng(1))->predict_all(data.x, all_matter);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].mean, fit_gaussian_process(kKernel, data.x, data.y, 3)->predict(data.x).mean);
  EXPECT_EQ(all[1].mean, fit_gaussian_process(kKernel, data.x, others.col(0), 3)->predict(data.x).mean);
}

}  // namespace
}  // namespace bocs
