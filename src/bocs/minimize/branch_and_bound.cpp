#include "bocs/minimize/branch_and_bound.hpp"

#include <algorithm>
#include <cmath>

#include "bocs/base/error.hpp"
#include "bocs/minimize/auto.hpp"
#include "bocs/minimize/sdp.hpp"
#include "bocs/rule/feasible.hpp"

namespace bocs {
namespace {

/// f = bound + z'Sz with S positive semidefinite, from the dual of the relaxation, and z'Sz = sum of squares
/// (sum over j <= k of R_kj z_j)^2 for a triangular R. Fixing z in this order, the squares of the fixed part only grow:
/// a depth-first search prunes where bound + squares reach the best value known.
class Search {
 public:
  Search(const Polynomial& f, const Allowed& allowed, long nodes) : f_(&f), allowed_(allowed), nodes_(nodes) {}

  Minimum run(Rng& rng) {
    best_ = Auto().minimize(*f_, allowed_, rng);
    Lifting lifted = lift(*f_->quadratic());
    const double largest = lifted.B.cwiseAbs().maxCoeff();
    if (!std::isfinite(largest) || !std::isfinite(lifted.constant)) {
      best_.lower_bound = -std::numeric_limits<double>::infinity();
      best_.status = Status::limit;
      return best_;
    }
    // A power of 4, so that it and its root change no digit: neither squares nor products of coefficients overflow.
    if (largest > 0) scale_ = std::ldexp(1, std::ilogb(largest) / 2 * 2);
    lifted.B /= scale_;
    lifted.constant /= scale_;
    factorize(lifted, rng);
    z_.setZero(R_.rows());
    z_[0] = 1;
    begin_sums();
    lowest_excluded_ = std::numeric_limits<double>::infinity();
    open_ = std::numeric_limits<double>::infinity();
    descend(1, base_ + R_(0, 0) * R_(0, 0));
    best_.lower_bound = std::max(scale_ * base_, std::min({best_.value, lowest_excluded_, scale_ * open_}));
    best_.status = nodes_ > 0 ? Status::ok : Status::limit;
    return best_;
  }

 private:
  /// Orders the variables and sets R, and `base_`, below which no value lies.
  void factorize(const Lifting& lifted, Rng& rng) {
    const Eigen::Index n = lifted.B.rows();
    const DiagonalSdp relaxation = solve_diagonal_sdp(lifted.B, {.tolerance = 1e-4}, rng);
    Matrix S = lifted.B;
    S.diagonal() -= relaxation.y;
    base_ = relaxation.lower_bound + lifted.constant;
    choose_order(S);
    // A tiny multiple of the identity makes the factorization safe; the n units it adds to z'z are taken off the bound.
    // S is finite, so that some multiple does.
    Matrix L;
    for (double shift = std::max(1e-12 * S.norm(), 1e-280);; shift *= 10) {
      L = reversed(S);
      L.diagonal().array() += shift;
      if (cholesky(L) == 0) {
        base_ -= static_cast<double>(n) * shift;
        break;
      }
    }
    R_.resize(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      for (Eigen::Index j = 0; j < n; ++j) R_(j, k) = j <= k ? L(n - 1 - j, n - 1 - k) : 0;  // column k: row k
    }
  }

  /// The pivots are those of eliminating variables from the last fixed to the first. Eliminating the smallest first
  /// leaves large ones for the variables fixed early, where pruning pays most. The constant 1 is fixed first of all.
  void choose_order(Matrix S) {
    const Eigen::Index n = S.rows();
    order_.resize(static_cast<std::size_t>(n));
    order_[0] = n - 1;
    std::vector<Eigen::Index> left;
    for (Eigen::Index i = 0; i + 1 < n; ++i) left.push_back(i);
    for (Eigen::Index k = n - 1; k > 0; --k) {
      const auto pick = std::min_element(left.begin(), left.end(), [&](auto a, auto b) { return S(a, a) < S(b, b); });
      const Eigen::Index p = *pick;
      order_[static_cast<std::size_t>(k)] = p;
      left.erase(pick);
      const Vector column = S.col(p);
      if (column[p] > 0) S -= column * column.transpose() / column[p];
    }
  }

  /// S with its variables in reverse order of fixing: S = R'R with a lower triangular R is the usual factorization of
  /// this one.
  [[nodiscard]] Matrix reversed(const Matrix& S) const {
    const Eigen::Index n = S.rows();
    Matrix result(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        result(i, j) = S(order_[static_cast<std::size_t>(n - 1 - i)], order_[static_cast<std::size_t>(n - 1 - j)]);
      }
    }
    return result;
  }

  /// All settings of the variables from `depth` on, given the squares of those before.
  void descend(Eigen::Index depth, double bound) {
    if (depth == R_.rows()) {
      leaf();
      return;
    }
    const double sum = R_.col(depth).head(depth).dot(z_.head(depth));
    const double pivot = R_(depth, depth);
    const double nearer = sum * pivot > 0 ? -1 : 1;  // the sign with the smaller square first
    for (const double sign : {nearer, -nearer}) {
      const double square = sum + sign * pivot;
      const double below = bound + square * square;
      if (scale_ * below >= best_.value) continue;
      if (--nodes_ < 0) {
        open_ = std::min(open_, below);
        continue;
      }
      z_[depth] = sign;
      const std::vector<Sum> before = sums_;
      if (fix(static_cast<int>(order_[static_cast<std::size_t>(depth)]), sign > 0 ? 1 : 0)) descend(depth + 1, below);
      sums_ = before;
    }
  }

  /// Before any variable is fixed.
  void begin_sums() {
    if (allowed_.constraints.empty()) return;
    for (const LinearRow& row : allowed_.constraints.feasible().rows()) {
      Sum& sum = sums_.emplace_back();
      for (const Contribution& c : row.terms) {
        sum.low += std::min(c(0), c(1));
        sum.high += std::max(c(0), c(1));
      }
    }
  }

  /// False when a constraint can no longer be satisfied.
  bool fix(int variable, int level) {
    if (sums_.empty()) return true;
    const Feasible& feasible = allowed_.constraints.feasible();
    for (const Contribution& c : feasible.contributions(variable)) {
      const LinearRow& row = feasible.rows()[static_cast<std::size_t>(c.row)];
      Sum& sum = sums_[static_cast<std::size_t>(c.row)];
      sum.low += c(level) - std::min(c(0), c(1));
      sum.high += c(level) - std::max(c(0), c(1));
      if (sum.low > row.high || sum.high < row.low) return false;
    }
    return true;
  }

  void leaf() {
    Point x(order_.size() - 1);
    for (std::size_t k = 1; k < order_.size(); ++k) {
      x[static_cast<std::size_t>(order_[k])] = z_[static_cast<Eigen::Index>(k)] > 0 ? 1 : 0;
    }
    if (!allowed_.constraints.satisfied(x)) return;
    const double value = (*f_)(x);
    if (allowed_.excluded.contains(x)) {
      lowest_excluded_ = std::min(lowest_excluded_, value);
    } else if (value < best_.value) {
      best_.x = std::move(x);
      best_.value = value;
    }
  }

  const Polynomial* f_;
  Allowed allowed_;
  long nodes_;  // left
  Minimum best_;
  std::vector<Eigen::Index> order_;  // position k of z holds variable order_[k] of the lifting
  Matrix R_;                         // column k holds row k of R
  Vector z_;
  double scale_ = 1;  // of B, R R', base_ and open_, whose largest coefficient is about 1
  double base_ = 0;
  double lowest_excluded_ = 0;
  double open_ = 0;  // smallest bound of a node left unexplored at the limit
  struct Sum {
    double low = 0;
    double high = 0;
  };
  std::vector<Sum> sums_;  // with constraints: what the sum of each can still become
};

}  // namespace

Minimum branch_and_bound(const Polynomial& f, const Allowed& allowed, long nodes, Rng& rng) {
  return Search(f, allowed, nodes).run(rng);
}

}  // namespace bocs
