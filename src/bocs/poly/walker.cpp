#include "bocs/poly/walker.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "bocs/numeric/config.hpp"

namespace bocs {
namespace {

// Rounding errors of so many moves stay near 1e-14 of the largest coefficient, and recomputing costs little in between.
constexpr int kMovesBetweenRecomputations = 1 << 14;

constexpr std::size_t kMaxTripleFeatures = 128;  // 16 MB
constexpr std::size_t kMaxQuadFeatures = 32;     // 4 MB

/// The place of the pair h < g among all pairs.
std::size_t pair_index(std::size_t h, std::size_t g) { return g * (g - 1) / 2 + h; }

BOCS_MULTIVERSION void add_scaled(double factor, const double* from, double* to, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] += factor * from[i];
}

}  // namespace

struct Walker::Interactions {
  /// A monomial seen from one of its features f: coefficient times the other features.
  struct Term {
    double coefficient;
    std::size_t begin;  // the other features: others[begin ... end)
    std::size_t end;
  };

  explicit Interactions(const Polynomial& f);
  void fill_arrays(const Polynomial& f);
  void fill_lists(const Polynomial& f, int first);

  [[nodiscard]] std::size_t size() const { return linear.size(); }
  [[nodiscard]] std::span<const Term> terms_of(std::size_t feature) const {
    if (offsets.empty()) return {};
    return {terms.data() + offsets[feature], terms.data() + offsets[feature + 1]};
  }

  std::vector<double> linear;  // coefficient of each feature alone
  // Regular order 2, and 3 and 4 of few features: all pair coefficients as a symmetric matrix, one column after the
  // other, all triple coefficients as a symmetric n x n x n array, and those of (f, h < g, i) at [f][pair_index][i].
  std::vector<double> pairs;
  std::vector<double> triples;
  std::vector<double> quads;
  // Otherwise, and extra monomials: those of two features or more with non-zero coefficients, listed once for each of
  // their features.
  std::vector<Term> terms;
  std::vector<std::size_t> offsets;  // terms of feature f: terms[offsets[f] ... offsets[f+1])
  std::vector<std::size_t> others;
};

Walker::Interactions::Interactions(const Polynomial& f) {
  const std::size_t n = f.basis().features().size();
  linear.assign(f.alpha().data(), f.alpha().data() + n);
  const Basis& basis = f.basis();
  const int order = basis.regular_order();
  const bool arrays = order == 2 || (order == 3 && n <= kMaxTripleFeatures) || (order == 4 && n <= kMaxQuadFeatures);
  const int listed = arrays ? basis.regular_size() : static_cast<int>(n);
  if (arrays) fill_arrays(f);
  if (listed < basis.size()) fill_lists(f, listed);
}

void Walker::Interactions::fill_arrays(const Polynomial& f) {
  const Basis& basis = f.basis();
  const std::size_t n = size();
  pairs.assign(n * n, 0.0);
  if (basis.regular_order() >= 3) triples.assign(n * n * n, 0.0);
  const std::size_t all_pairs = n * (n - 1) / 2;
  if (basis.regular_order() == 4) quads.assign(n * all_pairs * n, 0.0);
  for (int k = static_cast<int>(n); k < basis.regular_size(); ++k) {
    const double alpha = f.alpha()[k];
    if (alpha == 0) continue;
    std::array<std::size_t, 4> m{};  // the features, ascending
    const auto monomial = basis.monomial(k);
    std::copy(monomial.begin(), monomial.end(), m.begin());
    const auto [a, b, c, d] = m;
    if (monomial.size() == 2) {
      pairs[a * n + b] = pairs[b * n + a] = alpha;
    } else if (monomial.size() == 3) {
      triples[(a * n + b) * n + c] = triples[(a * n + c) * n + b] = alpha;
      triples[(b * n + a) * n + c] = triples[(b * n + c) * n + a] = alpha;
      triples[(c * n + a) * n + b] = triples[(c * n + b) * n + a] = alpha;
    } else {
      for (std::size_t h = 0; h < 4; ++h) {
        for (std::size_t g = h + 1; g < 4; ++g) {
          const std::size_t pair = pair_index(m[h], m[g]);
          const std::size_t first = h == 0 ? (g == 1 ? 2 : 1) : 0, last = 6 - h - g - first;  // the other two
          quads[(m[first] * all_pairs + pair) * n + m[last]] = alpha;
          quads[(m[last] * all_pairs + pair) * n + m[first]] = alpha;
        }
      }
    }
  }
}

void Walker::Interactions::fill_lists(const Polynomial& f, int first) {
  const Basis& basis = f.basis();
  offsets.assign(size() + 1, 0);
  for (int k = first; k < basis.size(); ++k) {
    if (f.alpha()[k] == 0) continue;
    for (const int g : basis.monomial(k)) ++offsets[static_cast<std::size_t>(g) + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  terms.resize(offsets.back());
  auto next = offsets;
  for (int k = first; k < basis.size(); ++k) {
    if (f.alpha()[k] == 0) continue;
    for (const int g : basis.monomial(k)) {
      const std::size_t begin = others.size();
      for (const int h : basis.monomial(k)) {
        if (h != g) others.push_back(static_cast<std::size_t>(h));
      }
      terms[next[static_cast<std::size_t>(g)]++] = {f.alpha()[k], begin, others.size()};
    }
  }
}

Walker::Walker(const Polynomial& f, Point start)
    : f_(&f), interactions_(std::make_shared<const Interactions>(f)), phi_(interactions_->size()) {
  const Space& space = f.space();
  auto axes = std::make_shared<std::vector<Axis>>(static_cast<std::size_t>(space.dimension()));
  const auto features = f.basis().features();
  for (std::size_t g = features.size(); g-- > 0;) {
    Axis& axis = (*axes)[static_cast<std::size_t>(features[g].variable)];
    axis.feature = g;
    axis.scale = space[features[g].variable].is_bit() ? 1 : features[g].scale;
    axis.square |= features[g].square;
  }
  for (int i = 0; i < space.dimension(); ++i) {
    if (!f.offsets(i).empty()) (*axes)[static_cast<std::size_t>(i)].offsets = f.offsets(i).data();
  }
  axes_ = std::move(axes);
  reset(std::move(start));
}

void Walker::reset(Point x) {
  x_ = std::move(x);
  recompute();
}

void Walker::move(int variable, int level) {
  auto& x = x_[static_cast<std::size_t>(variable)];
  if (x == level) return;
  const Axis& axis = (*axes_)[static_cast<std::size_t>(variable)];
  value_ += delta(variable, level);
  if (axis.scale > 0) {
    change(axis.feature, axis.scale * (level - x));
    phi_[axis.feature] = axis.scale * level;
    if (axis.square) {
      const std::size_t square = axis.feature + 1;
      change(square, axis.square_change(x, level));
      phi_[square] = f_->basis().features()[square](level);
    }
  } else {
    if (x > 0) {
      change(axis.feature + static_cast<std::size_t>(x) - 1, -1);
      phi_[axis.feature + static_cast<std::size_t>(x) - 1] = 0;
    }
    if (level > 0) {
      change(axis.feature + static_cast<std::size_t>(level) - 1, 1);
      phi_[axis.feature + static_cast<std::size_t>(level) - 1] = 1;
    }
  }
  x = level;
  if (++moves_ >= kMovesBetweenRecomputations) recompute();
}

/// What adding `by` to a feature does to the gradient of the others.
void Walker::change(std::size_t feature, double by) {
  const Interactions& all = *interactions_;
  const std::size_t n = all.size();
  if (!all.pairs.empty()) add_scaled(by, all.pairs.data() + feature * n, gradient_.data(), n);
  if (!all.triples.empty()) {
    for (std::size_t h = 0; h < n; ++h) {
      if (phi_[h] != 0) add_scaled(by * phi_[h], all.triples.data() + (feature * n + h) * n, gradient_.data(), n);
    }
  }
  if (!all.quads.empty()) {
    const double* own = all.quads.data() + feature * (n * (n - 1) / 2) * n;
    for (std::size_t g = 1; g < n; ++g) {
      if (phi_[g] == 0) continue;
      for (std::size_t h = 0; h < g; ++h) {
        if (phi_[h] != 0) add_scaled(by * phi_[g] * phi_[h], own + pair_index(h, g) * n, gradient_.data(), n);
      }
    }
  }
  for (const auto& term : all.terms_of(feature)) {
    // The gradient of g gains coefficient * by * (product of the others but g): nothing if two of them are zero, only
    // the zero one if there is one.
    double product = term.coefficient * by;
    std::size_t zero = term.end;
    int zeros = 0;
    for (std::size_t j = term.begin; j < term.end; ++j) {
      const double phi = phi_[all.others[j]];
      if (phi == 0) {
        zero = j;
        if (++zeros == 2) break;
      } else {
        product *= phi;
      }
    }
    if (zeros == 1) {
      gradient_[all.others[zero]] += product;
    } else if (zeros == 0) {
      for (std::size_t j = term.begin; j < term.end; ++j) gradient_[all.others[j]] += product / phi_[all.others[j]];
    }
  }
}

/// Adds one feature after the other to the point where all are zero.
void Walker::recompute() {
  const auto features = f_->basis().features();
  std::fill(phi_.begin(), phi_.end(), 0.0);
  gradient_ = interactions_->linear;
  value_ = f_->constant();
  moves_ = 0;
  for (std::size_t g = 0; g < features.size(); ++g) {
    const double phi = features[g](x_[static_cast<std::size_t>(features[g].variable)]);
    if (phi == 0) continue;
    value_ += phi * gradient_[g];
    change(g, phi);
    phi_[g] = phi;
  }
  for (std::size_t i = 0; i < x_.size(); ++i) {
    if ((*axes_)[i].offsets != nullptr) value_ += (*axes_)[i].offsets[x_[i]];
  }
}

}  // namespace bocs
