// Every level of the dense kernels that this processor can run, against sums written out; and that the bits depend
// neither on where in memory the data lies nor on what was computed before.

#include "bocs/numeric/dense_kernels.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "bocs/numeric/linalg.hpp"
#include "bocs/numeric/rng.hpp"

namespace bocs {
namespace {

/// A random rows x cols matrix that starts `offset` doubles after an address divisible by 64.
class Placed {
 public:
  Placed(int rows, int cols, int offset, std::uint64_t seed) : space_(static_cast<std::size_t>(rows * cols + 16)) {
    auto address = reinterpret_cast<std::uintptr_t>(space_.data());
    data_ = space_.data() + ((64 - address % 64) % 64) / sizeof(double) + offset;
    Rng rng(seed, "placed");
    for (int i = 0; i < rows * cols; ++i) data_[i] = rng.normal();
  }
  double* data() { return data_; }

 private:
  std::vector<double> space_;
  double* data_;
};

std::vector<double> results(const DenseKernels& kernels, int n, int offset) {
  const int k = n < 10 ? n + 1 : n + 7;  // small ones take other ways inside Eigen
  const int columns = n < 10 ? n : 13;
  Placed A(n, k, offset, 1), B(k, columns, offset, 2), x(k, 1, offset, 3), y(k, 1, offset, 4), C(n, n, offset, 5),
      product(n, columns, offset, 6);
  std::vector<double> all;
  const auto keep = [&](const double* data, int count) { all.insert(all.end(), data, data + count); };
  kernels.add_outer(n, k, 1.5, A.data(), n, C.data(), n);
  keep(C.data(), n * n);
  kernels.add_product(n, k, columns, 1.5, product.data(), n, B.data(), k, A.data(), n);
  keep(A.data(), n * k);
  kernels.multiply(n, columns, k, A.data(), n, B.data(), k, product.data(), n);
  keep(product.data(), n * columns);
  kernels.times(n, k, A.data(), n, x.data(), y.data());
  keep(y.data(), n);
  kernels.transposed_times(n, k, A.data(), n, x.data(), y.data());
  keep(y.data(), k);
  for (int i = 0; i < n; ++i) C.data()[i * n + i] += 10 * n;
  EXPECT_TRUE(kernels.cholesky(n, C.data()));
  for (int j = 0; j < n; ++j) keep(C.data() + j * n + j, n - j);
  kernels.solve_lower(n, C.data(), n, x.data());
  keep(x.data(), n);
  kernels.solve_lower_transposed(n, C.data(), n, x.data());
  keep(x.data(), n);
  const double smallest = kernels.smallest_eigenvalue(n, C.data());
  keep(&smallest, 1);
  return all;
}

TEST(DenseKernels, BitsDoNotDependOnAlignment) {
  for (const DenseKernels* kernels : available_kernels()) {
    for (const int n : {1, 2, 3, 4, 5, 6, 7, 24, 61, 170, 303}) {
      const std::vector<double> expected = results(*kernels, n, 0);
      for (const int offset : {1, 2, 3, 5}) {
        const std::vector<double> found = results(*kernels, n, offset);
        ASSERT_EQ(found.size(), expected.size());
        EXPECT_EQ(std::memcmp(found.data(), expected.data(), sizeof(double) * found.size()), 0) << n << " " << offset;
      }
    }
  }
}

TEST(DenseKernels, LevelsAgreeUpToRounding) {
  const auto levels = available_kernels();
  for (const int n : {1, 2, 3, 4, 5, 6, 7, 24, 61, 170, 303}) {
    const std::vector<double> expected = results(*levels.front(), n, 0);
    const std::vector<double> found = results(*levels.back(), n, 0);
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-10 * (n + std::abs(found[i])));
  }
}

TEST(DenseKernels, EqualTheirDefinitions) {
  for (const DenseKernels* kernels : available_kernels()) {
    const int m = 37, n = 19, k = 53;
    Placed A(m, k, 0, 1), B(k, n, 0, 2), C(m, n, 0, 3);
    kernels->multiply(m, n, k, A.data(), m, B.data(), k, C.data(), m);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        long double sum = 0;
        for (int l = 0; l < k; ++l) sum += static_cast<long double>(A.data()[l * m + i]) * B.data()[j * k + l];
        ASSERT_NEAR(C.data()[j * m + i], static_cast<double>(sum), 1e-12);
      }
    }
    Placed D(n, k, 0, 4);
    const std::vector<double> before(C.data(), C.data() + m * n);
    kernels->add_product(m, n, k, -0.5, A.data(), m, D.data(), n, C.data(), m);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        long double sum = before[j * m + i];
        for (int l = 0; l < k; ++l) sum -= 0.5L * A.data()[l * m + i] * D.data()[l * n + j];
        ASSERT_NEAR(C.data()[j * m + i], static_cast<double>(sum), 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace bocs
