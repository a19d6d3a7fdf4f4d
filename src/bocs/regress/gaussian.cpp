#include "bocs/regress/gaussian.hpp"

#include "bocs/regress/gaussian_kernels.hpp"

namespace bocs {
namespace {

constexpr int kMaxCoefficients = 12'000;  // a matrix of their products takes a gigabyte

/// The kernel with the fewest nanoseconds for one sweep.
GaussianKernel fastest_kernel(const Design& X) {
  const double N = X.rows();
  const double p = X.cols();
  const bool pairs = X.basis().regular_order() == 2 && X.basis().features().size() > 100;
  if (p <= 1.2 * N && p <= kMaxCoefficients) return GaussianKernel::coefficient_space;
  // About 40 products, and something for tau, which moves more slowly without the evidence.
  const double gradients = outer_cost(N, 2 * N) + 60 * product_cost(X);
  return pairs && gradients < gram_cost(X) ? GaussianKernel::conjugate_gradients : GaussianKernel::data_space;
}

}  // namespace

Vector normals(Eigen::Index n, Rng& rng) {
  Vector z(n);
  for (auto& e : z) e = rng.normal();
  return z;
}

void factorize_shifted(const Matrix& G, double diagonal, GaussianPosterior::Factor& factor) {
  const auto fill = [&](Matrix& L) {
    L.resize(G.rows(), G.cols());
    for (Eigen::Index j = 0; j < G.cols(); ++j) {
      const Eigen::Index below = G.rows() - j;
      L.col(j).tail(below) = factor.tau2 * G.col(j).tail(below);
      L(j, j) += diagonal;
    }
  };
  fill(factor.L);
  factor.repairs = cholesky(factor.L, fill);
  factor.usable = factor.repairs >= 0;
  factor.log_determinant = factor.usable ? log_determinant(factor.L) : INFINITY;
}

std::unique_ptr<GaussianPosterior> make_gaussian(const Design& X, Vector y, Intercept intercept,
                                                 GaussianKernel kernel) {
  if (kernel == GaussianKernel::fastest) kernel = fastest_kernel(X);
  switch (kernel) {
    case GaussianKernel::coefficient_space:
      return make_coefficient_space(X, std::move(y), intercept);
    case GaussianKernel::conjugate_gradients:
      return make_conjugate_gradients(X, std::move(y), intercept);
    default:
      return std::make_unique<DataSpace>(X, std::move(y), intercept);
  }
}

}  // namespace bocs
