#include "bocs/minimize/diagonal_sdp.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "bocs/base/error.hpp"
#include "golden.hpp"

namespace bocs {
namespace {

Matrix random_symmetric(int n, Rng& rng) {
  Matrix C(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) C(i, j) = C(j, i) = rng.normal();
  }
  return C;
}

/// Z is feasible and has the value stated; y is feasible for the dual and has the value stated. By other means than the
/// solver's: weak duality then proves the bound.
void expect_certified(const Matrix& C, const DiagonalSdp& s) {
  const Matrix Z = s.V.transpose() * s.V;
  const double size = C.norm();
  EXPECT_LT((Z.diagonal().array() - 1).abs().maxCoeff(), 1e-12);
  EXPECT_NEAR(C.cwiseProduct(Z).sum(), s.value, 1e-11 * size * static_cast<double>(C.rows()));
  Matrix S = C;
  S.diagonal() -= s.y;
  const double smallest = Eigen::SelfAdjointEigenSolver<Matrix>(S, Eigen::EigenvaluesOnly).eigenvalues()[0];
  EXPECT_GE(smallest, -1e-13 * S.norm());
  EXPECT_EQ(s.lower_bound, s.y.sum());
  EXPECT_LE(s.lower_bound, s.value);
}

TEST(DiagonalSdp, ReachesTheGoldenOptimaFromBothSides) {
  const auto data = test::golden("sdp.json");
  ASSERT_FALSE(data["cases"].empty());
  for (const auto& c : data["cases"]) {
    const int n = c["n"];
    Matrix C(n, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) {
        C(i, j) = C(j, i) = -c["lower"][static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].get<double>();
      }
    }
    Rng rng(1);
    const DiagonalSdp s = solve_diagonal_sdp(C, {}, rng);
    SCOPED_TRACE(c["kind"].get<std::string>());
    EXPECT_EQ(s.status, Status::ok);
    expect_certified(C, s);
    const double below = -c["dual_value"].get<double>();  // golden problems maximize
    const double above = -c["primal_value"].get<double>();
    const double tolerance = 1e-6 * std::max(1.0, std::abs(below));
    EXPECT_GE(s.value, below - 1e-9);
    EXPECT_LE(s.value, above + tolerance);
    EXPECT_LE(s.lower_bound, above + 1e-9);
    EXPECT_GE(s.lower_bound, below - tolerance);
  }
}

TEST(DiagonalSdp, CertifiesRandomMatricesOfAnyScale) {
  for (const double scale : {1.0, 1e12, 1e-12}) {
    for (const int n : {1, 2, 3, 17, 40}) {
      Rng rng(2, "sdp", static_cast<std::uint64_t>(n));
      const Matrix C = scale * random_symmetric(n, rng);
      const DiagonalSdp s = solve_diagonal_sdp(C, {}, rng);
      EXPECT_EQ(s.status, Status::ok);
      expect_certified(C, s);
      EXPECT_LE(s.value - s.lower_bound, 1e-6 * std::max(std::abs(s.value), C.cwiseAbs().maxCoeff()));
    }
  }
}

TEST(DiagonalSdp, StopsAtItsLimitWithAValidBound) {
  Rng rng(3, "sdp");
  const Matrix C = random_symmetric(50, rng);
  const DiagonalSdp s = solve_diagonal_sdp(C, {.sweeps = 3}, rng);
  EXPECT_EQ(s.status, Status::limit);
  EXPECT_EQ(s.sweeps, 3);
  expect_certified(C, s);
}

TEST(DiagonalSdp, WithoutCertificateThereIsNoBound) {
  Rng rng(4, "sdp");
  const Matrix C = random_symmetric(30, rng);
  const DiagonalSdp fast = solve_diagonal_sdp(C, {.tolerance = 1e-6, .certify = false}, rng);
  EXPECT_EQ(fast.lower_bound, -std::numeric_limits<double>::infinity());
  const DiagonalSdp sure = solve_diagonal_sdp(C, {}, rng);
  EXPECT_NEAR(fast.value, sure.value, 1e-3 * std::abs(sure.value));
}

TEST(DiagonalSdp, TreatsZeroAndRefusesNonSquare) {
  Rng rng(5, "sdp");
  const DiagonalSdp zero = solve_diagonal_sdp(Matrix::Zero(4, 4), {}, rng);
  EXPECT_EQ(zero.value, 0);
  EXPECT_EQ(zero.lower_bound, 0);
  EXPECT_THROW(solve_diagonal_sdp(Matrix::Zero(4, 3), {}, rng), InvalidArgument);
}

TEST(DiagonalSdp, BoundsAreBelowTheTruthToTheLastDigit) {
  // -w w' without its diagonal, of whole numbers: the smallest z'Cz over signs z, and over the relaxation, is known and
  // exact in doubles. Without the margin for rounding, bounds of about one in 300 such matrices are above it.
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    Rng rng(6, "exact", trial);
    Vector w(3 + static_cast<int>(trial % 2));
    for (double& e : w) e = 1 + rng.below(1000);
    Matrix C = -w * w.transpose();
    C.diagonal().setZero();
    const double truth = w.squaredNorm() - w.sum() * w.sum();
    const DiagonalSdp s = solve_diagonal_sdp(C, {.tolerance = 1e-15}, rng);
    ASSERT_LE(s.lower_bound, truth) << "trial " << trial;
    ASSERT_NEAR(s.lower_bound, truth, 1e-13 * std::abs(truth));
  }
}

}  // namespace
}  // namespace bocs
