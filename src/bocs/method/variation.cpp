#include "bocs/method/variation.hpp"

#include <map>

namespace bocs {
namespace {

/// Of a fine number so many levels, at equal distances, say the same as all.
constexpr int kLevels = 1024;

template <class Value>
double mean_over(int levels, const Value& value) {
  const int shown = levels > 1'000'000 ? kLevels : levels;
  double sum = 0;
  for (int k = 0; k < shown; ++k) {
    sum += value(shown == levels ? k : static_cast<std::int32_t>(std::int64_t{k} * (levels - 1) / (shown - 1)));
  }
  return sum / shown;
}

double mean_of(const Feature& feature, int levels) { return mean_over(levels, feature); }

/// Of two features of the same variable.
double covariance_of(const Feature& a, const Feature& b, int levels) {
  const double product = mean_over(levels, [&](std::int32_t x) { return a(x) * b(x); });
  return product - mean_of(a, levels) * mean_of(b, levels);
}

}  // namespace

Variation::Variation(const Basis& basis, const std::vector<int>& terms) : dimension_(basis.space().dimension()) {
  const auto features = basis.features();
  const auto levels = [&](int f) { return basis.space()[features[static_cast<std::size_t>(f)].variable].levels; };
  std::vector<double> means;
  for (int f = 0; f < static_cast<int>(features.size()); ++f) means.push_back(mean_of(features[f], levels(f)));

  std::map<std::vector<int>, int> numbers;                    // of subsets of features
  std::map<std::vector<int>, std::vector<int>> by_variables;  // their numbers
  std::vector<std::vector<int>> members;
  for (const int k : terms) {
    const auto factors = basis.monomial(k);
    for (unsigned mask = 1; mask < 1U << factors.size(); ++mask) {
      std::vector<int> subset, variables;
      double weight = 1;
      for (std::size_t i = 0; i < factors.size(); ++i) {
        if ((mask >> i & 1U) == 0) {
          weight *= means[factors[i]];
          continue;
        }
        subset.push_back(factors[i]);
        variables.push_back(features[factors[i]].variable);
      }
      const auto [found, added] = numbers.try_emplace(std::move(subset), static_cast<int>(members.size()));
      if (added) {
        members.push_back(found->first);
        by_variables[std::move(variables)].push_back(found->second);
      }
      parts_.push_back({k, found->second, weight});
    }
  }
  subsets_ = static_cast<int>(members.size());
  for (const auto& [variables, subsets] : by_variables) {
    Group group{variables, subsets, Matrix(subsets.size(), subsets.size())};
    for (std::size_t a = 0; a < subsets.size(); ++a) {
      for (std::size_t b = 0; b < subsets.size(); ++b) {
        double product = 1;
        for (std::size_t i = 0; i < variables.size(); ++i) {
          const int f = members[subsets[a]][i], g = members[subsets[b]][i];
          product *= covariance_of(features[f], features[g], levels(f));
        }
        group.covariance(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) = product;
      }
    }
    groups_.push_back(std::move(group));
  }
}

Vector Variation::shares(const Vector& alpha) const {
  Vector beta = Vector::Zero(subsets_);
  for (const Part& part : parts_) beta[part.subset] += part.weight * alpha[part.term];
  Vector result = Vector::Zero(dimension_);
  for (const Group& group : groups_) {
    Vector own(static_cast<Eigen::Index>(group.subsets.size()));
    for (std::size_t i = 0; i < group.subsets.size(); ++i) own[static_cast<Eigen::Index>(i)] = beta[group.subsets[i]];
    const double variance = own.dot(group.covariance * own);
    for (const int v : group.variables) result[v] += variance / static_cast<double>(group.variables.size());
  }
  const double whole = result.sum();
  if (!(whole > 0)) return Vector::Zero(dimension_);
  return result / whole;
}

}  // namespace bocs
