#include "bocs/regress/mle.hpp"

#include <Eigen/QR>
#include <numeric>

#include "bocs/core/error.hpp"

namespace bocs {
namespace {

/// The shortest alpha that minimizes |y - X alpha|, columns and y centred, 0 for excluded columns.
Vector least_squares(const Design& X, const Vector& y) {
  if (X.cols() <= X.rows()) {
    std::vector<int> all(static_cast<std::size_t>(X.cols()));
    std::iota(all.begin(), all.end(), 0);
    Matrix columns = X.columns(all);
    columns.rowwise() -= X.means().transpose();
    columns *= X.included().asDiagonal();
    return columns.completeOrthogonalDecomposition().solve(y).cwiseProduct(X.included());
  }
  // N < p: alpha = X' (X X')^+ y needs an N x N matrix only.
  Matrix G = X.weighted_gram(X.included());
  G = G.selfadjointView<Eigen::Lower>();
  const Eigen::RowVectorXd column_mean = G.colwise().mean();
  G.rowwise() -= column_mean;
  G.colwise() -= G.rowwise().mean().eval();
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(1e-11);
  const Vector w = decomposition.compute(G).solve(y);
  return (X.transposed_times(w) - w.sum() * X.means()).cwiseProduct(X.included());
}

}  // namespace

std::vector<Draw> Mle::sample(const Design& X, const Vector& y, int draws, Rng&) const {
  require(y.size() == X.rows(), "one observation for each row of the design");
  require(y.allFinite(), "the observations must be finite");
  Draw draw;
  const Vector centred = y.array() - y.mean();
  draw.alpha = least_squares(X, centred);
  draw.intercept = y.mean() - X.means().dot(draw.alpha);
  Vector residual = y - X.times(draw.alpha);
  residual.array() -= draw.intercept;
  draw.sigma2 = residual.squaredNorm() / X.rows();
  return std::vector<Draw>(static_cast<std::size_t>(draws), draw);
}

}  // namespace bocs
