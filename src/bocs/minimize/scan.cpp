#include "bocs/minimize/scan.hpp"

#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/rule/feasible.hpp"

namespace bocs {
namespace {

/// A polynomial at many points. Most features of a point are 0, and a monomial with a factor 0 is never looked at: the
/// products of the others are followed as a tree. The children of monomial m, which is m times a feature of a later
/// variable, stand side by side in the basis.
class SparseValues {
 public:
  explicit SparseValues(const Polynomial& f) : f_(f), basis_(f.basis()) {
    const auto features = basis_.features();
    const int n = static_cast<int>(features.size());
    later_.assign(features.size(), n);
    for (std::size_t k = features.size(); k-- > 1;) {
      later_[k - 1] = features[k - 1].variable == features[k].variable ? later_[k] : static_cast<int>(k);
    }
    int next = n;  // the singles come first
    for (int m = 0; m < basis_.regular_size(); ++m) {
      children_.push_back(next);
      const auto monomial = basis_.monomial(m);
      if (static_cast<int>(monomial.size()) < basis_.regular_order()) next += n - later_[monomial.back()];
    }
  }

  double operator()(const std::int32_t* x) {
    active_.clear();
    const auto features = basis_.features();
    for (std::size_t k = 0; k < features.size(); ++k) {
      const double value = features[k](x[features[k].variable]);
      if (value != 0) active_.push_back({static_cast<int>(k), value});
    }
    double sum = f_.constant();
    for (std::size_t a = 0; a < active_.size(); ++a) sum += subtree(active_[a].feature, active_[a].value, a, 1);
    for (int m = basis_.regular_size(); m < basis_.size(); ++m) {  // those the user named
      double product = f_.alpha()[m];
      for (const int k : basis_.monomial(m)) product *= features[k](x[features[k].variable]);
      sum += product;
    }
    for (int i = 0; i < basis_.space().dimension(); ++i) {
      if (!f_.offsets(i).empty()) sum += f_.offsets(i)[x[i]];
    }
    return sum;
  }

 private:
  struct Active {
    int feature;
    double value;
  };

  /// The monomial m, whose last feature is active_[last], and all that begin with it.
  [[nodiscard]] double subtree(int m, double product, std::size_t last, int order) const {
    double sum = f_.alpha()[m] * product;
    if (order == basis_.regular_order()) return sum;
    const int begin = later_[static_cast<std::size_t>(active_[last].feature)];
    for (std::size_t a = last + 1; a < active_.size(); ++a) {
      if (active_[a].feature < begin) continue;  // of the same variable
      const int child = children_[static_cast<std::size_t>(m)] + active_[a].feature - begin;
      sum += subtree(child, product * active_[a].value, a, order + 1);
    }
    return sum;
  }

  const Polynomial& f_;
  const Basis& basis_;
  std::vector<int> later_;     // by feature: the first one of a later variable
  std::vector<int> children_;  // by monomial: the first of its children
  std::vector<Active> active_;
};

}  // namespace

Minimum Scan::minimize(const Polynomial& f, const Allowed& allowed, Rng& /*rng*/) const {
  const Feasible& feasible = allowed.constraints.feasible();
  const Candidates& candidates = feasible.candidates();
  SparseValues value_of(f);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double best = kInfinity, lowest = kInfinity;
  Point x;
  for (const std::uint32_t row : *feasible.candidate_rows()) {
    const double value = value_of(candidates.levels(row));
    lowest = std::min(lowest, value);
    if (!(value < best)) continue;
    Point candidate = candidates.point(row);
    if (!allowed.excluded.empty() && allowed.excluded.contains(candidate)) continue;
    best = value;
    x = std::move(candidate);
  }
  if (x.empty()) throw SpaceExhausted("every candidate is excluded or violates a constraint");
  return {.x = std::move(x), .value = best, .lower_bound = lowest, .how = "all candidates"};
}

}  // namespace bocs
