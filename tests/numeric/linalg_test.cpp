// The functions of numeric/linalg against their definitions, written with Eigen's operators or known factors.

#include "bocs/numeric/linalg.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>

#include "bocs/base/error.hpp"
#include "bocs/numeric/rng.hpp"

namespace bocs {
namespace {

Matrix random_matrix(int rows, int cols, std::uint64_t seed) {
  Rng rng(seed, "matrix");
  Matrix A(rows, cols);
  for (int j = 0; j < cols; ++j) {
    for (int i = 0; i < rows; ++i) A(i, j) = rng.normal();
  }
  return A;
}

Vector random_vector(int n, std::uint64_t seed) { return random_matrix(n, 1, seed); }

/// Symmetric with the given eigenvalues.
Matrix with_eigenvalues(const Vector& values, std::uint64_t seed) {
  const Matrix Q = random_matrix(static_cast<int>(values.size()), static_cast<int>(values.size()), seed)
                       .householderQr()
                       .householderQ();
  return Q * values.asDiagonal() * Q.transpose();
}

Matrix lower(const Matrix& A) { return A.triangularView<Eigen::Lower>(); }

TEST(Linalg, AddOuterTouchesOnlyTheLowerTriangle) {
  for (const auto& [n, k] : {std::pair{1, 1}, {5, 3}, {40, 90}}) {
    const Matrix A = random_matrix(n, k, 1);
    const Matrix before = random_matrix(n, n, 2);
    Matrix C = before;
    add_outer(C, A, -0.5);
    const Matrix expected = before - 0.5 * A * A.transpose();
    EXPECT_LT((lower(C) - lower(expected)).norm(), 1e-12 * (1 + expected.norm()));
    EXPECT_EQ(Matrix(C.triangularView<Eigen::StrictlyUpper>()), Matrix(before.triangularView<Eigen::StrictlyUpper>()));
  }
  Matrix C = Matrix::Ones(3, 3);
  add_outer(C, Matrix(3, 0));
  EXPECT_EQ(C, Matrix::Ones(3, 3));
}

TEST(Linalg, AddOuterReadsBlocksOfLargerMatrices) {
  const Matrix A = random_matrix(10, 8, 3);
  Matrix C = Matrix::Zero(4, 4);
  add_outer(C, A.block(2, 1, 4, 6));
  const Matrix block = A.block(2, 1, 4, 6);
  EXPECT_LT((lower(C) - lower(block * block.transpose())).norm(), 1e-12);
}

TEST(Linalg, Products) {
  const Matrix A = random_matrix(7, 4, 1);
  const Matrix B = random_matrix(4, 9, 2);
  Matrix C;
  multiply(A, B, C);
  EXPECT_LT((C - A.lazyProduct(B)).norm(), 1e-13);
  multiply(Matrix(3, 0), Matrix(0, 2), C);
  EXPECT_EQ(C, Matrix::Zero(3, 2));

  const Vector x = random_vector(4, 3);
  const Vector y = random_vector(7, 4);
  EXPECT_LT((times(A, x) - A.lazyProduct(x)).norm(), 1e-13);
  EXPECT_LT((transposed_times(A, y) - A.transpose().lazyProduct(y)).norm(), 1e-13);
  EXPECT_EQ(times(Matrix(3, 0), Vector(0)), Vector::Zero(3));
}

TEST(Cholesky, FactorsSolvesAndMeasures) {
  for (const int n : {1, 2, 10, 150}) {
    Vector values = random_vector(n, 5).array().abs() + 0.1;
    const Matrix A = with_eigenvalues(values, 6);
    Matrix L = A;
    L.triangularView<Eigen::StrictlyUpper>().setConstant(777);  // only the lower triangle is read
    ASSERT_EQ(cholesky(L), 0);
    EXPECT_LT((lower(L) * lower(L).transpose() - A).norm(), 1e-13 * n * A.norm());
    EXPECT_NEAR(log_determinant(L), values.array().log().sum(), 1e-11 * n);

    const Vector b = random_vector(n, 7);
    Vector x = b;
    solve_lower(L, x);
    EXPECT_LT((lower(L) * x - b).norm(), 1e-11 * n);
    solve_lower_transposed(L, x);
    EXPECT_LT((A * x - b).norm(), 1e-10 * n);
  }
  Matrix empty(0, 0);
  EXPECT_EQ(cholesky(empty), 0);
}

// The rungs shift the diagonal by 1e-14, 1e-12, ..., 1e-2 of its largest entry. A matrix whose smallest eigenvalue is
// -shift/10 needs that rung: the one before does not lift it above zero.
TEST(Cholesky, ClimbsTheLadderToTheRungThatIsNeeded) {
  for (int rung = 3; rung <= 7; ++rung) {  // the first two are at the level of rounding
    const double shift = std::pow(10.0, -16 + 2 * rung);
    Matrix A = Matrix::Zero(3, 3);
    A.diagonal() << 2, 2, -shift / 10 * 2;
    const Matrix before = A;
    ASSERT_EQ(cholesky(A), rung);
    // It factored exactly the shifted matrix.
    EXPECT_LT((lower(A) * lower(A).transpose() - before - 2 * shift * Matrix::Identity(3, 3)).norm(), 1e-13);
  }
}

TEST(Cholesky, RepairsASingularGramMatrix) {
  const Matrix G = random_matrix(30, 5, 8);  // rank 5 of 30
  const Matrix A = G * G.transpose();
  Matrix L = A;
  const int rungs = cholesky(L);
  EXPECT_GE(rungs, 0);
  EXPECT_LE(rungs, 3);
  EXPECT_LT((lower(L) * lower(L).transpose() - A).norm(), 1e-8 * A.norm());
}

TEST(Cholesky, SaysWhenItFails) {
  Matrix indefinite = Matrix::Identity(3, 3);
  indefinite(2, 2) = -0.5;
  EXPECT_EQ(cholesky(indefinite), -1);
  Matrix zero = Matrix::Zero(4, 4);  // every rung of nothing is nothing
  EXPECT_EQ(cholesky(zero), -1);
}

TEST(Cholesky, NotFiniteInputFails) {
  for (const double bad : {std::nan(""), double(INFINITY)}) {
    for (const auto& [i, j] : {std::pair{0, 0}, {3, 1}, {4, 4}, {2, 0}}) {
      for (const int n : {5, 80}) {
        Matrix A = Matrix::Identity(n, n);
        A(i, j) = bad;
        EXPECT_EQ(cholesky(A), -1) << bad << " at " << i << "," << j << " of " << n;
      }
    }
  }
}

TEST(SmallestEigenvalue, MatchesConstructionAndEigen) {
  for (const int n : {1, 2, 3, 25, 101}) {
    Vector values = random_vector(n, 9);
    values(n / 2) = -7;
    Matrix A = with_eigenvalues(values, 10);
    const double expected = Eigen::SelfAdjointEigenSolver<Matrix>(A, Eigen::EigenvaluesOnly).eigenvalues()(0);
    EXPECT_NEAR(expected, -7, 1e-11);
    A.triangularView<Eigen::StrictlyUpper>().setConstant(777);  // only the lower triangle is read
    EXPECT_NEAR(smallest_eigenvalue(A), -7, 1e-11) << n;
  }
  EXPECT_NEAR(smallest_eigenvalue(Matrix::Ones(4, 4)), 0, 1e-14);
  EXPECT_EQ(smallest_eigenvalue(Matrix::Zero(4, 4)), 0);
  EXPECT_THROW(smallest_eigenvalue(Matrix(0, 0)), InvalidArgument);
}

TEST(SmallestEigenvalue, NanIsNotANumber) {
  Matrix A = Matrix::Identity(5, 5);
  A(3, 2) = std::nan("");
  EXPECT_TRUE(std::isnan(smallest_eigenvalue(A)));
}

}  // namespace
}  // namespace bocs
