#include "bocs/experiment/validation.hpp"

#include "bocs/base/error.hpp"
#include "bocs/problem/problem.hpp"
#include "results.hpp"

namespace bocs {
namespace {

Cell cell_of(CellKind kind, const std::string& model, int trials) {
  Cell cell;
  cell.kind = kind;
  cell.problem = "bqp:d=6";
  cell.method = model;
  cell.trials = trials;
  cell.test_points = kind == CellKind::validation ? 10 : 0;
  cell.draws = 20;
  return cell;
}

double error_of(const CellResult& result) {
  double error = 0;
  for (std::size_t i = 0; i < result.truth.size(); ++i) error += std::abs(result.predicted[i] - result.truth[i]);
  return error / static_cast<double>(result.truth.size());
}

// A quadratic program with 6 variables has 1 + 6 + 15 coefficients: 40 points without noise determine them.
TEST(Validation, LeastSquaresRecoversAQuadraticOnceDetermined) {
  EXPECT_LT(error_of(validate(cell_of(CellKind::validation, "mle", 40))), 1e-9);
  EXPECT_GT(error_of(validate(cell_of(CellKind::validation, "mle:order=1", 40))), 1e-2);
  EXPECT_GT(error_of(validate(cell_of(CellKind::validation, "mle", 8))), 1e-2);
  EXPECT_LT(error_of(validate(cell_of(CellKind::validation, "horseshoe", 40))), 1e-2);
}

TEST(Validation, ModelsAndSizesShareTheTestPoints) {
  const CellResult a = validate(cell_of(CellKind::validation, "mle", 40));
  const CellResult b = validate(cell_of(CellKind::validation, "bayes", 20));
  EXPECT_EQ(a.truth, b.truth);
  EXPECT_EQ(a.truth.size(), 10U);
  for (const double deviation : a.deviation) EXPECT_NEAR(deviation, 0, 1e-12);  // all draws of mle are the same
  EXPECT_GT(b.deviation[0], 0);
}

TEST(Validation, TooFewPointsInTheSpaceAreRefused) {
  EXPECT_THROW(validate(cell_of(CellKind::validation, "mle", 55)), InvalidArgument);  // 64 in all, 10 for the test
}

// Without noise least squares finds the coefficients themselves: Q_ii, and Q_ij + Q_ji, of the instance. Flipping no
// bit they are read off f at points with one and two ones.
TEST(Coefficients, CountsThoseOfAKnownQuadratic) {
  const Cell cell = cell_of(CellKind::coefficients, "mle", 50);
  const Problem problem = make_problem(cell.problem, cell.instance);
  std::vector<double> expected(2, 0);
  const auto f = [&](int i, int j) {
    Point x(6, 0);
    x[static_cast<std::size_t>(i)] = x[static_cast<std::size_t>(j)] = 1;
    return problem.f(x);
  };
  for (int i = 0; i < 6; ++i) {
    expected[0] += std::abs(f(i, i)) >= 0.1 ? 1 : 0;
    for (int j = 0; j < i; ++j) expected[1] += std::abs(f(i, j) - f(i, i) - f(j, j)) >= 0.1 ? 1 : 0;
  }
  const CellResult result = count_large_coefficients(cell);
  ASSERT_EQ(result.large.size(), 2U);
  EXPECT_NEAR(result.large[0], expected[0], 1e-9);
  EXPECT_NEAR(result.large[1], expected[1], 1e-9);
}

}  // namespace
}  // namespace bocs
