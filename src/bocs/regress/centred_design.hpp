#pragma once
#include <algorithm>

#include "bocs/poly/counts.hpp"
#include "bocs/poly/design.hpp"
#include "bocs/regress/options.hpp"

namespace bocs {

/// X with its columns centred when the intercept is flat.
class CentredDesign {
 public:
  /// Coefficients; above, moving tau by the evidence would cost two factorizations more.
  static constexpr int kMostMoves = 4000;

  CentredDesign(const Design& X, Intercept intercept) : X_(X), centred_(intercept == Intercept::flat) {}

  [[nodiscard]] const Design& raw() const { return X_; }
  [[nodiscard]] bool centred() const { return centred_; }
  [[nodiscard]] Vector times(const Vector& u) const {
    Vector result = X_.times(u);
    if (centred_) result.array() -= X_.means().dot(u);
    return result;
  }
  [[nodiscard]] Vector transposed_times(const Vector& w) const {
    Vector result = X_.transposed_times(w);
    if (centred_) result -= w.sum() * X_.means();
    return result;
  }
  /// X diag(D) X' w.
  [[nodiscard]] Vector gram_times(const Vector& D, const Vector& w) const {
    return times(D.cwiseProduct(transposed_times(w)));
  }
  /// The same of two vectors at once.
  [[nodiscard]] Design::Two gram_times_both(const Vector& D, const Design::Two& w) const {
    Design::Two u = X_.transposed_times_both(w);
    for (int k = 0; k < 2; ++k) {
      if (centred_) u[k] -= w[k].sum() * X_.means();
      u[k].array() *= D.array();
    }
    Design::Two result = X_.times_both(u);
    if (centred_) {
      for (int k = 0; k < 2; ++k) result[k].array() -= X_.means().dot(u[k]);
    }
    return result;
  }
  /// Lower triangle of X D X'. Centring: (X - 1m')D(X - 1m')' = G - g1' - 1g' + c with g = XDm = G1/N, c = m'Dm =
  /// 1'g/N.
  [[nodiscard]] Matrix weighted_gram(const Vector& D) const {
    Matrix G = X_.weighted_gram(D);
    if (centred_) {
      Vector g = Vector::Zero(G.rows());
      for (Eigen::Index j = 0; j < G.cols(); ++j) {
        const Eigen::Index below = G.rows() - j - 1;
        g(j) += G.col(j).tail(below + 1).sum();
        g.tail(below) += G.col(j).tail(below);
      }
      g /= static_cast<double>(G.rows());
      g.array() -= 0.5 * g.mean();
      for (Eigen::Index j = 0; j < G.cols(); ++j) {
        const Eigen::Index below = G.rows() - j;
        G.col(j).tail(below) -= g.tail(below);
        G.col(j).tail(below).array() -= g(j);
      }
    }
    return G;
  }
  /// Lower triangle of X'X. Centring: X'X - N m m'.
  [[nodiscard]] Matrix gram() const {
    const auto features = X_.basis().features();
    Matrix G = Matrix::Zero(X_.cols(), X_.cols());
    if (std::all_of(features.begin(), features.end(), [](const Feature& f) { return f.scale == 0; })) {
      count_common(X_, G);
      if (centred_) add_outer(G, X_.means(), -X_.rows());
      return G;
    }
    const int block = X_.cols() > kMostMoves ? 256 : 2048;
    for (int from = 0; from < X_.rows(); from += block) {
      Matrix rows = X_.rows(from, std::min(block, X_.rows() - from));
      if (centred_) rows.rowwise() -= X_.means().transpose();
      add_outer(G, rows.transpose().eval());
    }
    return G;
  }
  [[nodiscard]] Matrix columns(std::span<const int> which) const {
    Matrix result = X_.columns(which);
    if (centred_) result.rowwise() -= result.colwise().mean().eval();
    return result;
  }

 private:
  const Design& X_;
  bool centred_;
};

}  // namespace bocs
