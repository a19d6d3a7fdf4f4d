#include "bocs/regress/horseshoe.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bocs/base/error.hpp"
#include "bocs/numeric/parallel.hpp"
#include "regress/data.hpp"
#include "regress/rank_calibration.hpp"

namespace bocs {
namespace {

using test::GoldenData;
using test::random_points;
using test::series_mean;

HorseshoeOptions options(const std::string& sampler, const std::string& kernel, const std::string& intercept = "mean") {
  HorseshoeOptions o;
  o.sampler = value_of<Sampler>(sampler).value();
  o.kernel = value_of<GaussianKernel>(kernel).value();
  o.intercept = value_of<Intercept>(intercept);
  return o;
}

/// Largest |difference| to the long chains of an independent program, in combined Monte-Carlo standard errors.
double worst_deviation(int index, const HorseshoeOptions& o, int draws) {
  const auto golden_case = test::golden("horseshoe.json")["cases"][static_cast<std::size_t>(index)];
  const GoldenData data(golden_case);
  Rng rng(2018, "golden", static_cast<std::uint64_t>(index));
  const auto trace = Horseshoe(o).trace(data.design, data.y, draws, rng);
  double worst = 0;
  for (int k = 0; k < data.design.cols(); ++k) {
    std::vector<double> series;
    for (const auto& draw : trace.draws) series.push_back(draw.alpha(k));
    const auto ours = series_mean(series);
    const double theirs = golden_case["alpha"]["mean"][static_cast<std::size_t>(k)];
    const double error = golden_case["alpha"]["mcse_mean"][static_cast<std::size_t>(k)];
    worst = std::max(worst, std::abs(ours.mean - theirs) / std::hypot(ours.error, error));
  }
  return worst;
}

// golden/horseshoe.json: within 4 combined standard errors, both samplers, all kernels. (The third case has a slow
// second mode; it is in tests/statistical with longer chains.)
TEST(Horseshoe, PosteriorMeansOfIndependentProgram) {
  EXPECT_LT(worst_deviation(0, options("collapsed", "data"), 20000), 4);
  EXPECT_LT(worst_deviation(1, options("collapsed", "data"), 20000), 4);
  EXPECT_LT(worst_deviation(1, options("collapsed", "coefficients"), 20000), 4);
  EXPECT_LT(worst_deviation(1, options("auxiliary", "coefficients"), 20000), 4);
}

// Conjugate gradients need pairs of features only; the design of a small problem serves as well as a large one.
TEST(Horseshoe, GradientKernelHasTheSameLaw) {
  EXPECT_LT(worst_deviation(1, options("collapsed", "gradients"), 20000), 4);
}

class Survives : public testing::TestWithParam<std::tuple<std::string, std::string, std::string>> {
 protected:
  void expect_finite(const Space& space, int order, const std::vector<Point>& points, const Vector& y) {
    const auto& [sampler, kernel, intercept] = GetParam();
    const Design design(std::make_shared<Basis>(space, order), points);
    Rng rng(1, "survives");
    auto o = options(sampler, kernel, intercept);
    o.sweeps = 60;
    const auto draws = Horseshoe(o).sample(design, y, 5, rng);
    ASSERT_EQ(draws.size(), 5U);
    for (const auto& draw : draws) {
      EXPECT_TRUE(draw.alpha.allFinite());
      EXPECT_TRUE(std::isfinite(draw.intercept));
      EXPECT_GE(draw.sigma2, 0);
      EXPECT_TRUE(std::isfinite(draw.sigma2));
    }
  }
};

TEST_P(Survives, OneObservation) { expect_finite(Space::binary(5), 2, {{1, 0, 1, 1, 0}}, Vector::Constant(1, 3.5)); }

TEST_P(Survives, ConstantObservations) {
  Rng rng(3, "constant");
  expect_finite(Space::binary(6), 2, random_points(Space::binary(6), 12, rng), Vector::Constant(12, -1e5));
}

TEST_P(Survives, RepeatedPointsAndDuplicatedColumns) {
  // x0 == x1 in every row, so their columns and products coincide.
  std::vector<Point> points;
  Rng rng(4, "duplicates");
  Vector y(20);
  for (int n = 0; n < 20; ++n) {
    Point x = Space::binary(5).random(rng);
    x[1] = x[0];
    points.push_back(n % 3 == 0 ? Point{1, 1, 0, 0, 1} : x);
    y(n) = 2.0 * points.back()[0] - points.back()[2] + 0.1 * rng.normal();
  }
  expect_finite(Space::binary(5), 2, points, y);
}

TEST_P(Survives, ExactlyQuadraticWithoutNoise) {  // the posterior is improper without the floor on sigma2
  Rng rng(5, "exact");
  const auto points = random_points(Space::binary(5), 60, rng);
  Vector y(60);
  for (int n = 0; n < 60; ++n) {
    const auto& x = points[static_cast<std::size_t>(n)];
    y(n) = 1 + 2.0 * x[0] - 3.0 * x[1] * x[2] + 0.5 * x[3] * x[4];
  }
  expect_finite(Space::binary(5), 2, points, y);
}

TEST_P(Survives, HugeAndTinyObservations) {
  Rng rng(6, "scales");
  const auto points = random_points(Space::binary(6), 30, rng);
  for (const double size : {1e12, 1e-12, 1e150}) {
    Vector y(30);
    for (auto& e : y) e = size * rng.normal();
    expect_finite(Space::binary(6), 2, points, y);
  }
}

TEST_P(Survives, OneWildObservation) {
  Rng rng(7, "wild");
  const auto points = random_points(Space::binary(6), 30, rng);
  Vector y(30);
  for (auto& e : y) e = rng.normal();
  y(4) = 1e9;
  expect_finite(Space::binary(6), 2, points, y);
}

INSTANTIATE_TEST_SUITE_P(Samplers, Survives,
                         testing::Combine(testing::Values("collapsed", "auxiliary"),
                                          testing::Values("coefficients", "data", "gradients"),
                                          testing::Values("flat", "mean")),
                         [](const auto& c) {
                           return std::get<0>(c.param) + "_" + std::get<1>(c.param) + "_" + std::get<2>(c.param);
                         });

TEST(Horseshoe, ColumnsNeverSwitchedOnHaveCoefficientZero) {
  Rng rng(8, "off");
  std::vector<Point> points = random_points(Space::binary(5), 15, rng);
  for (auto& x : points) x[3] = 0;
  Vector y(15);
  for (auto& e : y) e = rng.normal();
  const auto basis = std::make_shared<Basis>(Space::binary(5), 2);
  for (const auto& draw : Horseshoe().sample(Design(basis, points), y, 4, rng)) {
    for (int k = 0; k < basis->size(); ++k) {
      for (const int f : basis->monomial(k)) {
        if (f == 3) {
          EXPECT_EQ(draw.alpha(k), 0) << basis->name(k);
        }
      }
    }
  }
}

TEST(Horseshoe, ConstantObservationsGiveTheConstant) {
  Rng rng(9, "constant");
  const Design design(std::make_shared<Basis>(Space::binary(4), 2), random_points(Space::binary(4), 6, rng));
  const Draw draw = Horseshoe().sample(design, Vector::Constant(6, 2.5), 1, rng).front();
  EXPECT_EQ(draw.intercept, 2.5);
  EXPECT_EQ(draw.alpha.cwiseAbs().maxCoeff(), 0);
}

TEST(Horseshoe, FindsASparseTruthInManyDimensions) {
  // d = 50, p = 1275 from N = 150 points: one draw predicts new points well.
  const Space space = Space::binary(50);
  const auto basis = std::make_shared<Basis>(space, 2);
  Rng rng(10, "sparse");
  Vector truth = Vector::Zero(basis->size());
  for (int i = 0; i < 25; ++i) truth(rng.below(static_cast<std::uint32_t>(basis->size()))) = 1 + 2 * rng.uniform();
  const auto train = random_points(space, 150, rng);
  const auto test = random_points(space, 300, rng);
  Vector y = Design(basis, train).times(truth);
  for (auto& e : y) e += 0.1 * rng.normal();
  const Vector expected = Design(basis, test).times(truth);
  const double sd = std::sqrt((expected.array() - expected.mean()).square().mean());
  const Draw draw = Horseshoe().sample(Design(basis, train), y, 1, rng).front();
  const Vector error = Design(basis, test).times(draw.alpha).array() + draw.intercept - expected.array();
  EXPECT_LT(std::sqrt(error.squaredNorm() / 300) / sd, 0.2);
  EXPECT_EQ(draw.repairs, 0);
}

TEST(Horseshoe, SameStreamSameBits) {
  Rng rng(11, "data");
  const Design design(std::make_shared<Basis>(Space::binary(8), 3), random_points(Space::binary(8), 20, rng));
  Vector y(20);
  for (auto& e : y) e = rng.normal();
  Rng a(1, "draw", 5);
  Rng b(1, "draw", 5);
  EXPECT_EQ(Horseshoe().sample(design, y, 1, a).front().alpha, Horseshoe().sample(design, y, 1, b).front().alpha);
}

TEST(Horseshoe, RefusesObservationsThatAreNotFinite) {
  Rng rng(12, "bad");
  const Design design(std::make_shared<Basis>(Space::binary(4), 2), random_points(Space::binary(4), 3, rng));
  EXPECT_THROW((void)Horseshoe().sample(design, Vector::Constant(3, NAN), 1, rng), InvalidArgument);
  EXPECT_THROW((void)Horseshoe().sample(design, Vector::Zero(2), 1, rng), InvalidArgument);
}

TEST(Horseshoe, TheDefaultIsCalibrated) { test::expect_calibrated({}, 12); }

// Sizes at which products, Gram matrices and factors are worth several threads (numeric/parallel.hpp).
TEST(HorseshoeThreads, DrawsHaveTheSameBitsOnAnyNumberOfThreads) {
  for (const std::string kernel : {"data", "gradients"}) {
    const int d = kernel == "data" ? 60 : 150;
    const Space space = Space::binary(d);
    Rng data(38, kernel);
    const Design X(std::make_shared<Basis>(space, 2), test::random_points(space, 550, data));
    Vector y(X.rows());
    for (auto& e : y) e = data.normal();
    HorseshoeOptions one_sweep;
    one_sweep.sweeps = 1;
    one_sweep.kernel = value_of<GaussianKernel>(kernel).value();
    const auto draw = [&](int threads) {
      const UseThreads use(threads);
      Rng rng(39, "draw");
      return Horseshoe(one_sweep).sample(X, y, 1, rng).front();
    };
    const Draw serial = draw(1);
    for (const int threads : {2, 3}) {
      const Draw one = draw(threads);
      EXPECT_EQ(one.alpha, serial.alpha) << kernel << " " << threads;
      EXPECT_EQ(one.sigma2, serial.sigma2) << kernel << " " << threads;
    }
  }
}

}  // namespace
}  // namespace bocs
