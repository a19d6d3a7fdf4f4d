// The dense kernels called from several threads at once, each on data of its own, must give the bits of a serial call.
// With the OpenBLAS that was used up to 0.1 (Debian's openblas-serial 0.3.21, which shares a buffer between calls) up
// to 0.6 % of the calls gave something else.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "bocs/numeric/linalg.hpp"
#include "bocs/numeric/parallel.hpp"
#include "bocs/numeric/rng.hpp"

namespace bocs {
namespace {

Matrix random_matrix(int rows, int cols, std::uint64_t seed) {
  Rng rng(seed, "matrix");
  Matrix A(rows, cols);
  for (Eigen::Index i = 0; i < A.size(); ++i) A.data()[i] = rng.normal();
  return A;
}

struct Data {
  Data(int n, int thread) {
    const auto seed = static_cast<std::uint64_t>(1000 * n + thread);
    A = random_matrix(n, n, seed);
    B = random_matrix(n, 50, seed + 100);
    x = random_matrix(n, 1, seed + 200);
    positive = static_cast<double>(n) * Matrix::Identity(n, n) + A * A.transpose();
    L = positive.llt().matrixL();
  }
  Matrix A, B, positive, L;
  Vector x;
};

/// Every function of numeric/linalg that has kernels behind it.
const std::vector<std::pair<const char*, Matrix (*)(const Data&)>> kOperations = {
    {"add_outer",
     [](const Data& d) -> Matrix {
       Matrix C = Matrix::Zero(d.A.rows(), d.A.rows());
       add_outer(C, d.A);
       return C;
     }},
    {"multiply",
     [](const Data& d) -> Matrix {
       Matrix C;
       multiply(d.A, d.B, C);
       return C;
     }},
    {"times", [](const Data& d) -> Matrix { return times(d.A, d.x); }},
    {"transposed_times", [](const Data& d) -> Matrix { return transposed_times(d.A, d.x); }},
    {"cholesky",
     [](const Data& d) -> Matrix {
       Matrix L = d.positive;
       EXPECT_EQ(cholesky(L, [&](Matrix& target) { target = d.positive; }), 0);
       return L.triangularView<Eigen::Lower>();
     }},
    {"solve_lower",
     [](const Data& d) -> Matrix {
       Vector x = d.x;
       solve_lower(d.L, x);
       return x;
     }},
    {"solve_lower_transposed",
     [](const Data& d) -> Matrix {
       Vector x = d.x;
       solve_lower_transposed(d.L, x);
       return x;
     }},
    {"smallest_eigenvalue",
     [](const Data& d) -> Matrix { return Matrix::Constant(1, 1, smallest_eigenvalue(d.positive)); }},
};

bool same_bits(const Matrix& a, const Matrix& b) {
  return std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

TEST(LinalgThreads, GiveTheBitsOfASerialCall) {
  using Clock = std::chrono::steady_clock;
  for (const int threads : {2, 4}) {
    for (const int n : {30, 60, 170, 310, 400}) {
      std::vector<Data> data;
      for (int thread = 0; thread < threads; ++thread) data.emplace_back(n, thread);
      for (const auto& [name, operation] : kOperations) {
        std::atomic<int> different = 0;
        std::vector<std::jthread> running;
        for (const Data& mine : data) {
          running.emplace_back([&different, &mine, operation = operation, expected = operation(mine)] {
            const auto end = Clock::now() + std::chrono::milliseconds(60);
            for (int round = 0; round < 5 || (round < 5000 && Clock::now() < end); ++round) {
              if (!same_bits(operation(mine), expected)) ++different;
            }
          });
        }
        running.clear();  // joins
        EXPECT_EQ(different, 0) << name << " on " << threads << " threads, n = " << n;
      }
    }
  }
}

TEST(LinalgThreads, LargeSymmetricProductsHaveTheSameBitsOnAnyNumberOfThreads) {
  const Matrix A = random_matrix(517, 60, 7);
  const Matrix start = random_matrix(517, 517, 8);
  const auto product = [&](int threads) {
    const UseThreads use(threads);
    Matrix C = start;
    add_outer(C, A, 0.5);
    return C;
  };
  const Matrix serial = product(1);
  for (const int threads : {2, 3, 8}) EXPECT_TRUE(same_bits(product(threads), serial)) << threads;
  const Matrix expected = start + 0.5 * A * A.transpose();
  const Matrix difference = (serial - expected).triangularView<Eigen::Lower>();
  EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-11);
  const Matrix above = (serial - start).triangularView<Eigen::StrictlyUpper>();
  EXPECT_EQ(above.cwiseAbs().maxCoeff(), 0);
}

TEST(LinalgThreads, LargeProductsHaveTheSameBitsOnAnyNumberOfThreads) {
  for (const auto& [m, k, n] : {std::array{600, 300, 225}, {75, 601, 193}, {333, 517, 85}, {1000, 700, 17}}) {
    const Matrix A = random_matrix(m, k, 9), B = random_matrix(k, n, 10);
    const auto product = [&](int threads) {
      const UseThreads use(threads);
      Matrix C;
      multiply(A, B, C);
      return C;
    };
    const Matrix serial = product(1);
    for (const int threads : {2, 3, 5, 8}) EXPECT_TRUE(same_bits(product(threads), serial)) << threads << " " << n;
    EXPECT_LT((serial - A * B).cwiseAbs().maxCoeff(), 1e-10);
  }
}

}  // namespace
}  // namespace bocs
