// What every regression promises for the monomials that a user adds, excludes, or has by level.

#include "bocs/regress/regression.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cctype>
#include <functional>

#include "bocs/regress/bayes.hpp"
#include "regress/data.hpp"

namespace bocs {
namespace {

using Function = std::function<double(const Point&)>;

Vector values(const std::vector<Point>& points, const Function& f) {
  Vector y(static_cast<Eigen::Index>(points.size()));
  for (Eigen::Index n = 0; n < y.size(); ++n) y(n) = f(points[static_cast<std::size_t>(n)]);
  return y;
}

/// Root mean squared error of the mean over the draws, at 500 points the model has not seen, after 150 noisy ones.
double test_error(const Space& space, const BasisOptions& options, const Function& f) {
  Rng rng(31, "planted");
  const auto basis = std::make_shared<Basis>(space, options);
  const auto train = test::random_points(space, 150, rng);
  const auto unseen = test::random_points(space, 500, rng);
  Vector y = values(train, f);
  for (auto& e : y) e += 0.05 * rng.normal();
  const auto draws = make_regression(Spec::parse("horseshoe"))->sample(Design(basis, train), y, 100, rng);
  const Design X(basis, unseen);
  Vector mean = Vector::Zero(500);
  for (const auto& draw : draws) mean += (X.times(draw.alpha).array() + draw.intercept).matrix() / 100;
  return std::sqrt((mean - values(unseen, f)).squaredNorm() / 500);
}

TEST(Regression, AnExtraMonomialLearnsWhatPairsCannot) {
  const Space space = Space::binary(10);
  const auto f = [](const Point& x) { return 1 + 2 * x[5] - x[6] * x[7] + 3 * x[0] * x[1] * x[2] * x[3]; };
  EXPECT_GT(test_error(space, {.order = 2}, f), 0.3);
  EXPECT_LT(test_error(space, {.order = 2, .extra = {"x3*x4*x5*x6", "x0*x1*x2*x3", "x1*x4*x9"}}, f), 0.05);
}

TEST(Regression, IntegersByLevelLearnEffectsThatAreNotMonotone) {
  const Space space({integer("n", -2, 4), binary("a"), binary("b"), integer("m", 0, 3)});
  const auto f = [](const Point& x) { return (x[0] == 3 ? -2.0 : 0.0) + (x[0] == 1 ? 1.0 * x[1] : 0.0) + x[3] / 3.0; };
  EXPECT_GT(test_error(space, {.order = 2}, f), 0.5);
  EXPECT_LT(test_error(space, {.order = 2, .integers = Integers::levels}, f), 0.05);
}

TEST(Regression, IntegersByCurveLearnABowlThatMoves) {
  const Space space({integer("n", -20, 20), binary("a"), binary("b"), integer("m", 0, 30)});
  const auto f = [](const Point& x) {
    const double miss = (x[0] - 25 + 9 * x[1]) / 10.0;
    return miss * miss + x[3] / 15.0;
  };
  EXPECT_GT(test_error(space, {.order = 2}, f), 0.5);
  EXPECT_LT(test_error(space, {.order = 2, .integers = Integers::curve}, f), 0.05);
}

/// Seven binary variables, of which the order-2 model leaves out four monomials that matter; N points.
struct Left {
  explicit Left(int N)
      : basis(std::make_shared<Basis>(
            Space::binary(7),
            BasisOptions{.order = 2, .extra = {"x4*x5*x6"}, .excluded = {"x0", "x1*x2", "x2*x3", "x5"}})) {
    Rng rng(32, "excluded");
    const auto points = test::random_points(basis->space(), N, rng);
    design = std::make_unique<Design>(basis, points);
    y = values(points, [&rng](const Point& x) {
      return 4.0 * x[0] + 3 * x[1] * x[2] + 2 * x[3] + 2 * x[4] * x[5] * x[6] + rng.normal();
    });
    for (int k = 0; k < basis->size(); ++k) {
      if (std::ranges::count(basis->excluded(), k) == 0) kept.push_back(k);
    }
  }
  std::shared_ptr<const Basis> basis;
  std::unique_ptr<Design> design;
  Vector y;
  std::vector<int> kept;
};

class ExcludedTest : public testing::TestWithParam<std::string> {};

TEST_P(ExcludedTest, HaveCoefficientZeroInEveryDraw) {
  for (const int N : {12, 60}) {  // fewer and more than the 29 monomials
    const Left left(N);
    Rng rng(33, "draws");
    for (const auto& draw : make_regression(Spec::parse(GetParam()))->sample(*left.design, left.y, 20, rng)) {
      EXPECT_GT(draw.alpha.cwiseAbs().maxCoeff(), 0.1);
      for (const int k : left.basis->excluded()) ASSERT_EQ(draw.alpha(k), 0) << left.basis->name(k) << ", N = " << N;
    }
  }
}

std::vector<std::string> all_regressions() {
  std::vector<std::string> specs = {"mle", "bayes", "bayes:prior_mean=2"};
  for (const std::string sampler : {"collapsed", "auxiliary"}) {
    for (const std::string kernel : {"fastest", "coefficients", "data", "gradients"}) {
      for (const std::string intercept : {"flat", "mean"}) {
        specs.push_back("horseshoe:sweeps=20,sampler=" + sampler + ",kernel=" + kernel + ",intercept=" + intercept);
      }
    }
  }
  return specs;
}

INSTANTIATE_TEST_SUITE_P(All, ExcludedTest, testing::ValuesIn(all_regressions()), [](const auto& spec) {
  std::string name = spec.param;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

// The others are those of a model that never had the excluded columns, by plain dense algebra.
TEST(Regression, ExcludedMonomialsTakeNoPartInTheFit) {
  for (const int N : {12, 60}) {
    const Left left(N);
    const auto p = static_cast<Eigen::Index>(left.kept.size());
    Matrix F(N, p + 1);
    F << Vector::Ones(N), left.design->columns(left.kept);

    const Vector bayes =
        Bayes(BayesOptions{.prior_mean = 0.5, .prior_variance = 2}).posterior(*left.design, left.y).mean;
    const Vector m = Vector::Constant(p + 1, 0.5);
    const Matrix A = F.transpose() * F + Matrix::Identity(p + 1, p + 1) / 2;
    const Vector expected = m + A.colPivHouseholderQr().solve(F.transpose() * (left.y - F * m));
    EXPECT_NEAR(bayes(0), expected(0), 1e-9);
    for (Eigen::Index i = 0; i < p; ++i) {
      EXPECT_NEAR(bayes(left.kept[static_cast<std::size_t>(i)] + 1), expected(i + 1), 1e-9);
    }

    Rng rng(34);
    const Draw mle = make_regression(Spec::parse("mle"))->sample(*left.design, left.y, 1, rng).front();
    Matrix X = left.design->columns(left.kept);
    X.rowwise() -= X.colwise().mean().eval();
    const Vector shortest = X.completeOrthogonalDecomposition().solve((left.y.array() - left.y.mean()).matrix());
    for (Eigen::Index i = 0; i < p; ++i) {
      EXPECT_NEAR(mle.alpha(left.kept[static_cast<std::size_t>(i)]), shortest(i), 1e-8);
    }
  }
}

}  // namespace
}  // namespace bocs
