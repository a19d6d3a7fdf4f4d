#include "bocs/regress/mle.hpp"

#include <cmath>
#include <numeric>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

/// G = L L' of a symmetric positive semidefinite G, n x n, by Cholesky steps at the largest remaining diagonal entry.
/// L: n x r with independent columns, lower triangular in the rows `pivots`.
class PivotedCholesky {
 public:
  explicit PivotedCholesky(const Matrix& G) : L_(G.rows(), G.cols()) {
    Vector left = G.diagonal();  // diagonal of G - L L'
    const double negligible = 1e-11 * (left.size() == 0 ? 0 : left.maxCoeff());
    Eigen::Index pivot = 0;
    while (pivots_.size() < static_cast<std::size_t>(G.rows()) && left.maxCoeff(&pivot) > negligible) {
      const auto k = static_cast<Eigen::Index>(pivots_.size());
      Vector column = G.col(pivot);
      for (Eigen::Index c = 0; c < k; ++c) column -= L_(pivot, c) * L_.col(c);
      column /= std::sqrt(left[pivot]);
      left -= column.cwiseAbs2();
      left[pivot] = 0;
      L_.col(k) = column;
      pivots_.push_back(pivot);
    }
    L_.conservativeResize(Eigen::NoChange, static_cast<Eigen::Index>(pivots_.size()));
    inner_ = Matrix::Zero(L_.cols(), L_.cols());
    add_outer(inner_, Matrix(L_.transpose()));
    cholesky(inner_);
  }

  /// The part of v in the range of G: L (L'L)^-1 L' v.
  [[nodiscard]] Vector project(const Vector& v) const {
    Vector t = transposed_times(L_, v);
    solve_lower(inner_, t);
    solve_lower_transposed(inner_, t);
    return times(L_, t);
  }

  /// An x with G x = b, for b in the range of G: 0 outside the pivots.
  [[nodiscard]] Vector solve(const Vector& b) const {
    const Eigen::Index r = L_.cols();
    Vector t(r);
    for (Eigen::Index k = 0; k < r; ++k) {
      double sum = b[pivots_[k]];
      for (Eigen::Index c = 0; c < k; ++c) sum -= L_(pivots_[k], c) * t[c];
      t[k] = sum / L_(pivots_[k], k);
    }
    Vector x = Vector::Zero(L_.rows());
    for (Eigen::Index k = r - 1; k >= 0; --k) {
      double sum = t[k];
      for (Eigen::Index c = k + 1; c < r; ++c) sum -= L_(pivots_[c], k) * x[pivots_[c]];
      x[pivots_[k]] = sum / L_(pivots_[k], k);
    }
    return x;
  }

 private:
  Matrix L_, inner_;  // L, and the Cholesky factor of L'L
  std::vector<Eigen::Index> pivots_;
};

/// The shortest alpha that minimizes |y - X alpha|, columns and y centred, 0 for excluded columns.
Vector least_squares(const Design& X, const Vector& y) {
  if (X.cols() <= X.rows()) {
    std::vector<int> all(static_cast<std::size_t>(X.cols()));
    std::iota(all.begin(), all.end(), 0);
    Matrix columns = X.columns(all);
    columns.rowwise() -= X.means().transpose();
    columns *= X.included().asDiagonal();
    Matrix G = Matrix::Zero(X.cols(), X.cols());
    add_outer(G, Matrix(columns.transpose()));
    G = Matrix(G.selfadjointView<Eigen::Lower>());
    const PivotedCholesky factor(G);
    Vector alpha = Vector::Zero(X.cols());
    for (int pass = 0; pass < 2; ++pass) {  // the second one removes what squaring the condition number cost
      alpha += factor.solve(transposed_times(columns, y - times(columns, alpha)));
    }
    return factor.project(alpha);
  }
  // N < p: alpha = X' w with X X' w = y, or what of y is in its range, needs an N x N matrix only.
  Matrix G = X.weighted_gram(X.included());
  G = Matrix(G.selfadjointView<Eigen::Lower>());
  const Eigen::RowVectorXd column_mean = G.colwise().mean();
  G.rowwise() -= column_mean;
  G.colwise() -= G.rowwise().mean().eval();
  const PivotedCholesky factor(G);
  const Vector w = factor.solve(factor.project(y));
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
