#include "bocs/poly/walker.hpp"

#include <numeric>

#include "bocs/core/config.hpp"

namespace bocs {
namespace {

// Rounding errors of so many moves stay near 1e-14 of the largest coefficient, and recomputing costs little in between.
constexpr int kMovesBetweenRecomputations = 1 << 14;

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

  [[nodiscard]] std::size_t size() const { return linear.size(); }
  [[nodiscard]] std::span<const Term> terms_of(std::size_t feature) const {
    return {terms.data() + offsets[feature], terms.data() + offsets[feature + 1]};
  }

  int order;
  std::vector<double> linear;  // coefficient of each feature alone
  // Order 2: the symmetric matrix of pair coefficients, one column after the other.
  std::vector<double> pairs;
  // Order >= 3: monomials of two features or more with non-zero coefficients, listed once for each of their features.
  std::vector<Term> terms;
  std::vector<std::size_t> offsets;  // terms of feature f: terms[offsets[f] ... offsets[f+1])
  std::vector<std::size_t> others;
};

Walker::Interactions::Interactions(const Polynomial& f) : order(f.basis().order()) {
  const Basis& basis = f.basis();
  const std::size_t n = basis.features().size();
  linear.assign(f.alpha().data(), f.alpha().data() + n);
  const int first = static_cast<int>(n);
  if (order == 2) {
    pairs.assign(n * n, 0.0);
    for (int k = first; k < basis.size(); ++k) {
      const auto g = static_cast<std::size_t>(basis.monomial(k)[0]);
      const auto h = static_cast<std::size_t>(basis.monomial(k)[1]);
      pairs[g * n + h] = pairs[h * n + g] = f.alpha()[k];
    }
  } else if (order >= 3) {
    offsets.assign(n + 1, 0);
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
}

Walker::Walker(const Polynomial& f, Point start)
    : f_(&f), interactions_(std::make_shared<const Interactions>(f)), phi_(interactions_->size()) {
  const Space& space = f.space();
  auto axes = std::make_shared<std::vector<Axis>>(static_cast<std::size_t>(space.dimension()));
  const auto features = f.basis().features();
  for (std::size_t g = features.size(); g-- > 0;) {
    Axis& axis = (*axes)[static_cast<std::size_t>(features[g].variable)];
    axis.feature = g;
    axis.scale = space[features[g].variable].kind == Kind::binary ? 1 : features[g].scale;
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
  if (all.order == 1) return;
  if (all.order == 2) {
    add_scaled(by, all.pairs.data() + feature * all.size(), gradient_.data(), all.size());
    return;
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

void Walker::recompute() {
  const Interactions& all = *interactions_;
  const auto features = f_->basis().features();
  for (std::size_t g = 0; g < all.size(); ++g)
    phi_[g] = features[g](x_[static_cast<std::size_t>(features[g].variable)]);
  gradient_ = all.linear;
  moves_ = 0;
  if (all.order >= 3) {
    for (std::size_t g = 0; g < all.size(); ++g) {
      for (const auto& term : all.terms_of(g)) {
        double product = term.coefficient;
        for (std::size_t j = term.begin; j < term.end; ++j) product *= phi_[all.others[j]];
        gradient_[g] += product;
      }
    }
    value_ = (*f_)(x_);
    return;
  }
  for (std::size_t g = 0; g < all.size(); ++g) {
    if (phi_[g] != 0) change(g, phi_[g]);
  }
  // Each pair is in the gradient of both its features: value = constant + sum of phi (linear + gradient) / 2.
  value_ = f_->constant();
  for (std::size_t g = 0; g < all.size(); ++g) value_ += phi_[g] * (all.linear[g] + gradient_[g]) / 2;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    if ((*axes_)[i].offsets != nullptr) value_ += (*axes_)[i].offsets[x_[i]];
  }
}

}  // namespace bocs
