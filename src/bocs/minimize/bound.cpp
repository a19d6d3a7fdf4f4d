#include "bocs/minimize/bound.hpp"

#include <algorithm>
#include <cmath>

#include "bocs/minimize/sdp.hpp"

namespace bocs {
namespace {

// Of the relaxation, whose own gap is some percent. With 1e-3 it takes twice as long for a tenth of the gap.
constexpr double kTolerance = 1e-2;

double sum(const Quadratic& q) { return q.A.cwiseAbs().sum() + q.b.cwiseAbs().sum() + std::abs(q.c); }

/// Adds a * phi_i phi_j.
void add_pair(Quadratic& q, int i, int j, double a) {
  q.A(i, j) += a / 2;
  q.A(j, i) += a / 2;
}

/// Adds a quadratic that is nowhere above a * (product of k >= 3 features), and equal to it at `ones` if all these
/// features are 0 or 1 there. All features lie within [0, 1], and what is added is linear in each, as the product is:
/// it is enough to compare the corners. With s of the k features on:
///   a < 0: the product is at most that of any two. Equal where one of these two is off, or nothing is.
///   a > 0: the product is at least 0, and at least s (s - k + 1) / k, which is 1 at s = k, and never above 0 else.
void add_product(Quadratic& q, std::span<const int> features, double a, const std::vector<bool>& ones) {
  const std::size_t k = features.size();
  const auto on = [&](int f) { return ones[static_cast<std::size_t>(f)]; };
  const bool all_on = std::all_of(features.begin(), features.end(), on);
  if (a >= 0 && !all_on) return;
  const auto chosen = [&](int i, int j) { return all_on || !on(i) || !on(j); };
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = i + 1; j < k; ++j) pairs += chosen(features[i], features[j]) ? 1 : 0;
  }
  const double each = a < 0 ? a / static_cast<double>(pairs) : 2 * a / static_cast<double>(k);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = i + 1; j < k; ++j) {
      if (chosen(features[i], features[j])) add_pair(q, features[i], features[j], each);
    }
    if (a >= 0) q.b[features[i]] -= a * static_cast<double>(k - 2) / static_cast<double>(k);  // s^2 = s + 2 pairs
  }
}

/// In the features.
Quadratic quadratic_of_features(const Polynomial& f, const Point& x) {
  const auto features = f.basis().features();
  const auto F = static_cast<Eigen::Index>(features.size());
  std::vector<bool> ones;
  for (const Feature& feature : features) {
    ones.push_back(feature(x[static_cast<std::size_t>(feature.variable)]) > 0.5);
  }
  Quadratic q{Matrix::Zero(F, F), f.alpha().head(F), f.constant()};
  for (int k = static_cast<int>(F); k < f.basis().size(); ++k) {
    const auto monomial = f.basis().monomial(k);
    if (monomial.size() == 2) {
      add_pair(q, monomial[0], monomial[1], f.alpha()[k]);
    } else {
      add_product(q, monomial, f.alpha()[k], ones);
    }
  }
  return q;
}

/// Two levels of a variable are never on at once, so that any multiple of their product may be added. So large a one
/// leaves the relaxation nothing to gain from both.
void forbid_two_levels(Quadratic& q, Eigen::Index first, Eigen::Index count) {
  if (count < 2) return;
  const double most = 2 * q.A.middleCols(first, count).cwiseAbs().colwise().sum().maxCoeff() +
                      q.b.segment(first, count).cwiseAbs().maxCoeff();
  q.A.block(first, first, count, count).setConstant(most / 2);
  q.A.diagonal().segment(first, count).setZero();
}

int indicators(const Space& space) {
  double count = 0;
  for (const Coordinate& c : space.coordinates()) count += c.levels - 1;
  return count > kMostIndicators ? kMostIndicators + 1 : static_cast<int>(count);
}

}  // namespace

Quadratic quadratic_below(const Polynomial& f, const Point& x) {
  Quadratic q = quadratic_of_features(f, x);
  const Space& space = f.space();
  if (space.all_binary()) return q;
  // phi = base + T z, with the indicators z of the levels.
  const auto features = f.basis().features();
  Matrix T = Matrix::Zero(q.b.size(), indicators(space));
  Vector base(q.b.size());
  std::vector<Eigen::Index> first;
  for (Eigen::Index next = 0; const Coordinate& c : space.coordinates()) {
    first.push_back(next);
    next += c.levels - 1;
  }
  for (std::size_t k = 0; k < features.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    const int variable = features[k].variable;
    base[row] = features[k](0);
    for (int level = 1; level < space[variable].levels; ++level) {
      T(row, first[static_cast<std::size_t>(variable)] + level - 1) = features[k](level) - base[row];
    }
  }
  const Vector A_base = q.A * base;
  Quadratic result{T.transpose() * q.A * T, T.transpose() * (q.b + 2 * A_base), q.c + base.dot(q.b + A_base)};
  for (int i = 0; i < space.dimension(); ++i) {
    const auto& offsets = f.offsets(i);
    if (!offsets.empty()) result.c += offsets[0];
    for (std::size_t level = 1; level < offsets.size(); ++level) {
      result.b[first[static_cast<std::size_t>(i)] + static_cast<Eigen::Index>(level) - 1] +=
          offsets[level] - offsets[0];
    }
  }
  for (int i = 0; i < space.dimension(); ++i) {
    forbid_two_levels(result, first[static_cast<std::size_t>(i)], space[i].levels - 1);
  }
  return result;
}

double lower_bound(const Polynomial& f, const Point& x, Rng& rng) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  const int n = indicators(f.space());
  if (n > kMostIndicators) return kNone;
  const Quadratic q = quadratic_below(f, x);
  Lifting lifted = lift(q);
  const double largest = lifted.B.cwiseAbs().maxCoeff();
  const double size = sum(q) + f.alpha().cwiseAbs().sum();
  if (!std::isfinite(size)) return kNone;
  if (largest == 0) return lifted.constant;
  const double scale = std::ldexp(1, std::ilogb(largest));  // changes no digit; no square or product overflows
  lifted.B /= scale;
  const double relaxed = scale * solve_diagonal_sdp(lifted.B, {.tolerance = kTolerance}, rng).lower_bound;
  // What rounding may have done to the sums that make up q, its lifting and the values of f.
  const double rounding = static_cast<double>(f.basis().size() + n) * std::numeric_limits<double>::epsilon() * size;
  return relaxed + lifted.constant - rounding;
}

}  // namespace bocs
