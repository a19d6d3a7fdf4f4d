#include "bocs/poly/basis.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

std::vector<Feature> make_features(const Space& space, Integers integers) {
  std::vector<Feature> features;
  for (int i = 0; i < space.dimension(); ++i) {
    const Coordinate& v = space[i];
    if (v.is_bit()) {
      features.push_back({i, 1, 0});
    } else if (!v.ordered || (integers == Integers::levels && v.levels <= Basis::kMaxOneHot)) {
      for (int level = 1; level < v.levels; ++level) features.push_back({i, level, 0});
    } else {
      const double scale = 1.0 / (v.levels - 1);
      if (v.levels > 1) features.push_back({i, 0, scale});
      if (v.levels > 2 && integers == Integers::curve) features.push_back({i, 0, scale, true});
    }
  }
  return features;
}

std::string feature_name(const Space& space, const Feature& feature) {
  const Coordinate& v = space[feature.variable];
  const bool of_level = !v.is_bit() && feature.scale == 0;
  if (of_level) return v.name + "=" + format_level(v, feature.level);
  return feature.square ? v.name + "^2" : v.name;
}

/// Fewer factors first, then lexicographic: the order of the monomials in a basis.
bool before(std::span<const int> a, std::span<const int> b) {
  if (a.size() != b.size()) return a.size() < b.size();
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}
struct Before {
  bool operator()(const std::vector<int>& a, const std::vector<int>& b) const { return before(a, b); }
};
using Monomials = std::set<std::vector<int>, Before>;

/// From the name of a monomial to its features.
class Reader {
 public:
  Reader(const Space& space, std::span<const Feature> features) : features_(features) {
    for (std::size_t f = 0; f < features.size(); ++f) {
      index_.emplace(feature_name(space, features[f]), static_cast<int>(f));
      if (f < kListed) known_ += (f == 0 ? "" : ", ") + feature_name(space, features[f]);
    }
    if (features.size() > kListed) known_ += " and " + std::to_string(features.size() - kListed) + " more";
  }

  [[nodiscard]] std::vector<int> read(const std::string& name) const {
    std::vector<int> monomial;
    for (std::size_t begin = 0; begin <= name.size();) {
      const std::size_t end = std::min(name.find('*', begin), name.size());
      const std::string factor = name.substr(begin, end - begin);
      const auto found = index_.find(factor);
      require(found != index_.end(), [&] {
        return "monomial '" + name + "': the model has no '" + factor + "'; a monomial is a product of " + known_ +
               ", joined by *";
      });
      monomial.push_back(found->second);
      begin = end + 1;
    }
    std::sort(monomial.begin(), monomial.end());
    const auto same = [&](int a, int b) { return variable(a) == variable(b); };
    require(std::adjacent_find(monomial.begin(), monomial.end(), same) == monomial.end(),
            [&] { return "monomial '" + name + "' has a variable twice"; });
    return monomial;
  }

  [[nodiscard]] Monomials read(const std::vector<std::string>& names) const {
    Monomials result;
    for (const auto& name : names) result.insert(read(name));
    return result;
  }

 private:
  static constexpr std::size_t kListed = 30;
  [[nodiscard]] int variable(int feature) const { return features_[static_cast<std::size_t>(feature)].variable; }

  std::span<const Feature> features_;
  std::map<std::string, int> index_;
  std::string known_;
};

/// Elementary symmetric sums of the features per variable count the monomials of each order before any is made.
void check_count(const Space& space, std::span<const Feature> features, int order) {
  std::vector<double> per_variable(static_cast<std::size_t>(space.dimension()), 0.0);
  for (const Feature& f : features) per_variable[static_cast<std::size_t>(f.variable)] += 1;
  std::vector<double> count(static_cast<std::size_t>(order) + 1, 0.0);
  count[0] = 1;
  for (const double own : per_variable) {
    for (std::size_t k = count.size() - 1; k >= 1; --k) count[k] += own * count[k - 1];
  }
  double total = -1;
  for (const double c : count) total += c;
  require(total <= Basis::kMaxMonomials, [&] {
    return "order " + std::to_string(order) + " over " + std::to_string(space.dimension()) + " variables has " +
           (total < 1e18 ? std::to_string(static_cast<long long>(total)) : "too many") +
           " monomials; at most 20000000 are allowed";
  });
}

}  // namespace

Basis::Basis(Space space, int order) : Basis(std::move(space), BasisOptions{.order = order}) {}

Basis::Basis(Space space, const BasisOptions& options)
    : space_(std::move(space)),
      regular_order_(options.order),
      order_(options.order),
      features_(make_features(space_, options.integers)) {
  require(order_ >= 1, [&] { return "the order of a basis is at least 1, not " + std::to_string(order_); });
  check_count(space_, features_, regular_order_);
  append_regular();
  if (options.extra.empty() && options.excluded.empty()) return;

  const Reader reader(space_, features_);
  const Monomials extra = reader.read(options.extra);
  for (const auto& monomial : extra) {
    const int factors = static_cast<int>(monomial.size());
    if (factors <= regular_order_) continue;
    append(monomial);
    order_ = factors;  // they ascend
  }
  for (const auto& monomial : reader.read(options.excluded)) {
    const auto k = find(monomial);
    require(!extra.contains(monomial), [&] { return "monomial '" + name(*k) + "' is both extra and excluded"; });
    if (k) excluded_.push_back(*k);
  }
}

/// Order k from order k-1: append every later feature of a later variable.
void Basis::append_regular() {
  offsets_.push_back(0);
  const int n = static_cast<int>(features_.size());
  std::vector<int> later(features_.size(), n);  // the first feature of a later variable
  for (std::size_t f = features_.size(); f-- > 1;) {
    later[f - 1] = features_[f - 1].variable == features_[f].variable ? later[f] : static_cast<int>(f);
  }
  for (int f = 0; f < n; ++f) append({&f, 1});
  int begin = 0;
  for (int k = 2; k <= regular_order_; ++k) {
    const int end = size();
    for (int parent = begin; parent < end; ++parent) {
      const auto from = static_cast<std::size_t>(offsets_[static_cast<std::size_t>(parent)]);
      const int last = members_[static_cast<std::size_t>(offsets_[static_cast<std::size_t>(parent) + 1]) - 1];
      for (int f = later[static_cast<std::size_t>(last)]; f < n; ++f) {
        for (std::size_t j = 0; j + 1 < static_cast<std::size_t>(k); ++j) members_.push_back(members_[from + j]);
        members_.push_back(f);
        offsets_.push_back(static_cast<int>(members_.size()));
      }
    }
    begin = end;
  }
  regular_size_ = size();
}

void Basis::append(std::span<const int> monomial) {
  members_.insert(members_.end(), monomial.begin(), monomial.end());
  offsets_.push_back(static_cast<int>(members_.size()));
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
    if (!text.empty()) text += '*';
    text += feature_name(space_, features_[static_cast<std::size_t>(f)]);
  }
  return text;
}

std::optional<int> Basis::find(const std::string& name) const { return find(Reader(space_, features_).read(name)); }

std::optional<int> Basis::find(std::span<const int> wanted) const {
  int low = 0;
  for (int high = size(); low < high;) {
    const int middle = low + (high - low) / 2;
    if (before(monomial(middle), wanted)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == size() || before(wanted, monomial(low))) return std::nullopt;
  return low;
}

}  // namespace bocs
