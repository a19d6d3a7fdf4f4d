#include "bocs/regress/bayes.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "regress/data.hpp"

namespace bocs {
namespace {

BayesOptions options_of(const nlohmann::json& golden_case) {
  BayesOptions o;
  o.prior_mean = golden_case["prior_mean"][0];
  o.a = golden_case["prior_a"];
  o.b = golden_case["prior_b"];
  return o;
}

TEST(Bayes, PosteriorOfIndependentProgram) {
  const auto blr = test::golden("blr.json");
  ASSERT_EQ(blr["cases"].size(), 4U);
  for (const auto& golden_case : blr["cases"]) {
    const test::GoldenData data(golden_case);
    const auto posterior = Bayes(options_of(golden_case)).posterior(data.design, data.y);
    EXPECT_NEAR(posterior.a, golden_case["post_a"].get<double>(), 1e-9);
    EXPECT_NEAR(posterior.b, golden_case["post_b"].get<double>(), 1e-9);
    ASSERT_EQ(posterior.mean.size(), golden_case["p"].get<int>());
    for (Eigen::Index k = 0; k < posterior.mean.size(); ++k) {
      EXPECT_NEAR(posterior.mean(k), golden_case["post_mean"][static_cast<std::size_t>(k)].get<double>(), 1e-9);
    }
  }
}

// The draws, whitened by the golden mean and covariance, have mean 0 and variance 1, and sigma2 its golden mean.
TEST(Bayes, DrawsHaveTheGoldenMoments) {
  const auto blr = test::golden("blr.json");
  ASSERT_EQ(blr["cases"].size(), 4U);
  for (const auto& golden_case : blr["cases"]) {
    const test::GoldenData data(golden_case);
    const int p = golden_case["p"];
    Vector mean(p);
    Matrix covariance(p, p);
    for (int i = 0; i < p; ++i) {
      mean(i) = golden_case["post_mean"][static_cast<std::size_t>(i)];
      for (int j = 0; j <= i; ++j) {
        covariance(i, j) = covariance(j, i) =
            golden_case["post_cov_lower"][static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      }
    }
    const Matrix L = covariance.llt().matrixL();
    Rng rng(5, "draws");
    const int count = 20000;
    const auto draws = Bayes(options_of(golden_case)).sample(data.design, data.y, count, rng);
    Vector sum = Vector::Zero(p);
    Matrix squares = Matrix::Zero(p, p);
    double sigma2 = 0;
    for (const auto& draw : draws) {
      Vector alpha(p);
      alpha << draw.intercept, draw.alpha;
      const Vector z = L.triangularView<Eigen::Lower>().solve(alpha - mean) / std::sqrt(draw.sigma2);
      sum += z;
      squares += z * z.transpose();
      sigma2 += draw.sigma2 / count;
    }
    const double se = 1 / std::sqrt(count);
    EXPECT_LT((sum / count).cwiseAbs().maxCoeff(), 4.5 * se);
    EXPECT_LT((squares / count - Matrix::Identity(p, p)).cwiseAbs().maxCoeff(), 4.5 * std::sqrt(2.0) * se);
    EXPECT_NEAR(sigma2, golden_case["mean_sigma2"].get<double>(), 0.03 * golden_case["mean_sigma2"].get<double>());
  }
}

}  // namespace
}  // namespace bocs
