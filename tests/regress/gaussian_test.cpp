#include "bocs/regress/gaussian.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "regress/data.hpp"

namespace bocs {
namespace {

struct Case {
  std::string name;
  GaussianKernel kernel;
  Intercept intercept;
};

/// The posterior of [BP18] Eq. (2) by plain dense algebra, against each kernel.
class GaussianTest : public testing::TestWithParam<Case> {
 protected:
  GaussianTest() : space_(Space::binary(5)), rng_(21, "gaussian"), y_(25), beta2_(15) {
    const auto basis = std::make_shared<Basis>(space_, 2);
    const auto points = test::random_points(space_, 25, rng_);
    design_ = std::make_unique<Design>(basis, points);
    X_.resize(25, 15);
    for (int n = 0; n < 25; ++n) {
      for (int k = 0; k < 15; ++k) X_(n, k) = basis->value(k, points[static_cast<std::size_t>(n)]);
    }
    if (GetParam().intercept == Intercept::flat) X_.rowwise() -= X_.colwise().mean().eval();
    for (auto& e : y_) e = rng_.normal();
    y_.array() -= y_.mean();
    for (auto& e : beta2_) e = std::exp(3 * rng_.normal());
    gaussian_ = make_gaussian(*design_, y_, GetParam().intercept, GetParam().kernel);
    gaussian_->set_scales(beta2_);
    gaussian_->prepare(kTau2, factor_);
  }
  [[nodiscard]] Matrix covariance() const {  // A^-1
    return (X_.transpose() * X_ + Matrix((kTau2 * beta2_).cwiseInverse().asDiagonal())).inverse();
  }

  static constexpr double kTau2 = 0.3;
  Space space_;
  Rng rng_;
  std::unique_ptr<Design> design_;
  Matrix X_;
  Vector y_;
  Vector beta2_;
  std::unique_ptr<GaussianPosterior> gaussian_;
  GaussianPosterior::Factor factor_;
};

TEST_P(GaussianTest, MeanAndEvidence) {
  const double tolerance = GetParam().kernel == GaussianKernel::conjugate_gradients ? 1e-4 : 1e-9;
  const Vector mean = covariance() * X_.transpose() * y_;
  const auto solution = gaussian_->solve(factor_, nullptr);
  EXPECT_LT((solution.mean() - mean).cwiseAbs().maxCoeff(), tolerance * mean.cwiseAbs().maxCoeff());
  const Matrix M = Matrix::Identity(25, 25) + kTau2 * X_ * beta2_.asDiagonal() * X_.transpose();
  EXPECT_NEAR(solution.quadratic, y_.dot(M.inverse() * y_), tolerance * y_.squaredNorm());
  if (gaussian_->exact_evidence()) {
    EXPECT_NEAR(factor_.log_determinant, std::log(M.determinant()), 1e-8);
  }
}

// Draws, whitened by the exact mean and covariance, have mean 0 and the identity as covariance.
TEST_P(GaussianTest, DrawsHaveTheLaw) {
  const double sigma = 0.7;
  const Vector mean = covariance() * X_.transpose() * y_;
  const Matrix L = covariance().llt().matrixL();
  const int count = 20000;
  Vector sum = Vector::Zero(15);
  Matrix squares = Matrix::Zero(15, 15);
  for (int i = 0; i < count; ++i) {
    const Vector alpha = gaussian_->solve(factor_, &rng_).draw(sigma);
    const Vector z = L.triangularView<Eigen::Lower>().solve(alpha - mean) / sigma;
    sum += z;
    squares += z * z.transpose();
  }
  const double se = 1 / std::sqrt(count);
  EXPECT_LT((sum / count).cwiseAbs().maxCoeff(), 4.5 * se);
  EXPECT_LT((squares / count - Matrix::Identity(15, 15)).cwiseAbs().maxCoeff(), 4.5 * std::sqrt(2.0) * se);
}

TEST_P(GaussianTest, UnderflownScalesAreHarmless) {
  beta2_.setConstant(1e-30);
  beta2_(3) = 1e30;
  beta2_(7) = 0;
  gaussian_->set_scales(beta2_);
  for (const double tau2 : {1e-20, 1.0, 1e20}) {
    gaussian_->prepare(tau2, factor_);
    ASSERT_TRUE(factor_.usable);
    const Vector alpha = gaussian_->solve(factor_, &rng_).draw(1);
    EXPECT_TRUE(alpha.allFinite());
    EXPECT_EQ(alpha(7), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, GaussianTest,
                         testing::Values(Case{"coefficients_flat", GaussianKernel::coefficient_space, Intercept::flat},
                                         Case{"coefficients_mean", GaussianKernel::coefficient_space, Intercept::mean},
                                         Case{"data_flat", GaussianKernel::data_space, Intercept::flat},
                                         Case{"data_mean", GaussianKernel::data_space, Intercept::mean},
                                         Case{"gradients_flat", GaussianKernel::conjugate_gradients, Intercept::flat},
                                         Case{"gradients_mean", GaussianKernel::conjugate_gradients, Intercept::mean}),
                         [](const auto& c) { return c.param.name; });

// Large enough for columns to be left out of the preconditioner: the solution is still the exact one.
void expect_agreement(const BasisOptions& options) {
  const Space space = Space::binary(60);
  Rng rng(22, "wide");
  const Design X(std::make_shared<Basis>(space, options), test::random_points(space, 80, rng));
  Vector y(80);
  for (auto& e : y) e = rng.normal();
  y.array() -= y.mean();
  Vector beta2(X.cols());
  for (auto& e : beta2) e = std::exp(4 * rng.normal());
  beta2 = beta2.cwiseProduct(X.varying());
  for (const auto intercept : {Intercept::flat, Intercept::mean}) {
    Vector means[2];
    for (const int i : {0, 1}) {
      const auto kernel = i == 0 ? GaussianKernel::data_space : GaussianKernel::conjugate_gradients;
      const auto gaussian = make_gaussian(X, y, intercept, kernel);
      gaussian->set_scales(beta2);
      GaussianPosterior::Factor factor;
      gaussian->prepare(0.05, factor);
      means[i] = gaussian->solve(factor, nullptr).mean();
    }
    EXPECT_LT((means[0] - means[1]).norm(), 1e-4 * means[0].norm());
    for (const int k : X.basis().excluded()) EXPECT_EQ(means[1](k), 0);
  }
}

TEST(ConjugateGradients, AgreeWithCholeskyInManyDimensions) { expect_agreement({.order = 2}); }

TEST(ConjugateGradients, AgreeWithCholeskyWithExtraAndExcludedMonomials) {
  expect_agreement({.order = 2, .extra = {"x0*x1*x2", "x3*x4*x5*x6", "x7*x8*x9"}, .excluded = {"x0", "x1*x2"}});
}

// Once the iterations under one set of scales have cost more than the exact matrix, that takes over.
TEST(ConjugateGradients, GiveWayToTheExactMatrixWhereTheyCostMore) {
  Rng rng(22, "near");
  const Space space = Space::binary(40);
  const auto basis = std::make_shared<Basis>(space, 2);
  const Point centre = space.random(rng);
  std::vector<Point> points;
  for (int n = 0; n < 120; ++n) {
    Point x = centre;
    for (int k = 0; k < 3; ++k) x[rng.below(40)] ^= 1;
    points.push_back(x);
  }
  const Design X(basis, points);
  Vector y(120), beta2(basis->size());
  for (auto& e : y) e = rng.normal();
  y.array() -= y.mean();
  for (auto& e : beta2) e = std::exp(2 * rng.normal());
  beta2.array() *= X.varying().array();
  const double tau2 = 100;
  const auto gradients = make_gaussian(X, y, Intercept::flat, GaussianKernel::conjugate_gradients);
  const auto exact = make_gaussian(X, y, Intercept::flat, GaussianKernel::data_space);
  GaussianPosterior::Factor ours, truth;
  exact->set_scales(beta2);
  exact->prepare(tau2, truth);
  for (const bool switched : {false, true}) {
    gradients->set_scales(beta2);
    EXPECT_EQ(gradients->exact_evidence(), switched);
    gradients->prepare(tau2, ours);
    double quadratic = 0;
    for (int i = 0; i < 20; ++i) quadratic = gradients->solve(ours, &rng).quadratic;
    EXPECT_NEAR(quadratic, truth.quadratic, (switched ? 1e-12 : 1e-4) * y.squaredNorm());
  }
  EXPECT_NEAR(ours.log_determinant, truth.log_determinant, 1e-9);
}

}  // namespace
}  // namespace bocs
