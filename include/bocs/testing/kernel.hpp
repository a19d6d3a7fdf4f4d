#pragma once
// What every kernel promises, as a check: see bocs/model/kernel.hpp.

#include <Eigen/Eigenvalues>
#include <string>
#include <vector>

#include "bocs/model/kernel.hpp"
#include "bocs/numeric/rng.hpp"

namespace bocs::testing {

/// What is wrong with the kernel at random points of the space; empty: nothing.
inline std::vector<std::string> check_kernel(const Kernel& kernel, const Space& space) {
  std::vector<std::string> broken;
  const auto expect = [&](bool holds, const char* otherwise) {
    if (!holds) broken.emplace_back(otherwise);
  };
  Rng rng(1, "check_kernel");
  std::vector<Point> x;
  for (int i = 0; i < 30; ++i) x.push_back(space.random(rng));
  Vector theta = kernel.defaults();
  expect(theta.size() > 0 && theta.minCoeff() > 0 && theta.allFinite(), "its default parameters are not positive");
  if (!broken.empty()) return broken;
  for (double& t : theta) t *= 0.5 + rng.uniform();

  Matrix R(30, 30);
  for (Eigen::Index k = 0; k < 30; ++k) {
    kernel.column(x, x[static_cast<std::size_t>(k)], theta, R.col(k).data());
  }
  expect(R.allFinite(), "its correlations are not finite");
  expect((R.diagonal().array() - 1).abs().maxCoeff() < 1e-9, "the correlation of a point with itself is not 1");
  expect((R - R.transpose()).cwiseAbs().maxCoeff() < 1e-9, "it is not symmetric");
  if (!broken.empty()) return broken;
  expect(Eigen::SelfAdjointEigenSolver<Matrix>(R).eigenvalues().minCoeff() > -1e-8,
         "it is not positive semidefinite: a negative eigenvalue at 30 random points");

  const auto all = kernel.over(x, theta);
  const Matrix lower = all->among_data();
  const Matrix columns = R.triangularView<Eigen::Lower>();
  expect((lower - columns).cwiseAbs().maxCoeff() < 1e-9, "over().among_data() is not what column() says");
  expect((all->with(x) - R).cwiseAbs().maxCoeff() < 1e-9, "over().with() is not what column() says");

  Matrix weights = Matrix::Zero(30, 30);
  for (Eigen::Index k = 0; k < 30; ++k) {
    for (Eigen::Index j = k + 1; j < 30; ++j) weights(j, k) = rng.normal();
  }
  Vector numerical = Vector::Zero(theta.size());
  for (Eigen::Index k = 0; k + 1 < 30; ++k) {
    kernel.Kernel::gradient(std::span(x).subspan(static_cast<std::size_t>(k + 1)), x[static_cast<std::size_t>(k)],
                            theta, weights.col(k).data() + k + 1, numerical);
  }
  expect((all->gradient(lower, weights) - numerical).norm() < 1e-5 * (1 + numerical.norm()),
         "its gradient is not that of its columns");
  return broken;
}

}  // namespace bocs::testing
