#include "bocs/poly/basis.hpp"

#include "bocs/core/error.hpp"

namespace bocs {
namespace {

std::vector<Feature> make_features(const Space& space) {
  std::vector<Feature> features;
  for (int i = 0; i < space.dimension(); ++i) {
    const Variable& v = space[i];
    if (v.kind == Kind::categorical) {
      for (int level = 1; level < v.levels; ++level) features.push_back({i, level, 0});
    } else if (v.kind == Kind::integer) {
      if (v.levels > 1) features.push_back({i, 0, 1.0 / (v.levels - 1)});
    } else {
      features.push_back({i, 1, 0});
    }
  }
  return features;
}

}  // namespace

Basis::Basis(Space space, int order) : space_(std::move(space)), order_(order), features_(make_features(space_)) {
  require(order >= 1, [&] { return "the order of a basis is at least 1, not " + std::to_string(order); });

  // Elementary symmetric sums of the features per variable count the monomials of each order before any is made.
  std::vector<double> count(static_cast<std::size_t>(order) + 1, 0.0);
  count[0] = 1;
  for (int i = 0; i < space_.dimension(); ++i) {
    double own = 0;
    for (const auto& f : features_) own += f.variable == i ? 1 : 0;
    for (std::size_t k = count.size() - 1; k >= 1; --k) count[k] += own * count[k - 1];
  }
  double total = -1;
  for (const double c : count) total += c;
  require(total <= kMaxMonomials, [&] {
    return "order " + std::to_string(order) + " over " + std::to_string(space_.dimension()) + " variables has " +
           (total < 1e18 ? std::to_string(static_cast<long long>(total)) : "too many") +
           " monomials; at most 20000000 are allowed";
  });

  // Order k from order k-1: append every later feature of a later variable.
  offsets_.push_back(0);
  const int n = static_cast<int>(features_.size());
  for (int f = 0; f < n; ++f) {
    members_.push_back(f);
    offsets_.push_back(static_cast<int>(members_.size()));
  }
  int begin = 0;
  for (int k = 2; k <= order; ++k) {
    const int end = size();
    for (int parent = begin; parent < end; ++parent) {
      const auto from = static_cast<std::size_t>(offsets_[static_cast<std::size_t>(parent)]);
      const int last = members_[static_cast<std::size_t>(offsets_[static_cast<std::size_t>(parent) + 1]) - 1];
      for (int f = last + 1; f < n; ++f) {
        if (features_[static_cast<std::size_t>(f)].variable == features_[static_cast<std::size_t>(last)].variable) {
          continue;
        }
        for (std::size_t j = 0; j + 1 < static_cast<std::size_t>(k); ++j) members_.push_back(members_[from + j]);
        members_.push_back(f);
        offsets_.push_back(static_cast<int>(members_.size()));
      }
    }
    begin = end;
  }
}

double Basis::value(int k, const Point& x) const {
  double product = 1;
  for (const int f : monomial(k)) {
    const Feature& feature = features_[static_cast<std::size_t>(f)];
    product *= feature(x[static_cast<std::size_t>(feature.variable)]);
  }
  return product;
}

std::string Basis::name(int k) const {
  std::string text;
  for (const int f : monomial(k)) {
    const Feature& feature = features_[static_cast<std::size_t>(f)];
    const Variable& v = space_[feature.variable];
    if (!text.empty()) text += '*';
    text += v.name;
    if (v.kind == Kind::categorical) text += "=" + v.labels[static_cast<std::size_t>(feature.level)];
  }
  return text;
}

}  // namespace bocs
