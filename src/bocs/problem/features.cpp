#include "bocs/problem/features.hpp"

#include <cmath>
#include <memory>

#include "bocs/problem/binary.hpp"
#include "bocs/problem/features_data.hpp"

namespace bocs {
namespace {

constexpr double kRidge = 1e-3;
constexpr double kUnit = 1e-6;  // of the stored correlations

struct Correlations {
  Matrix columns;    // d x d
  Vector target;     // of each column with y
  double price = 0;  // of one column
};

Correlations correlations(const FeatureData& data, std::uint64_t instance) {
  const auto d = static_cast<Eigen::Index>(data.names.size());
  Correlations c{Matrix::Identity(d, d), Vector(d), std::log(data.rows) / data.rows};
  std::size_t next = 0;
  for (Eigen::Index i = 0; i < d; ++i) {
    for (Eigen::Index j = i + 1; j < d; ++j) c.columns(i, j) = c.columns(j, i) = kUnit * data.columns[next++];
  }
  const std::size_t targets = data.targets.size() / data.names.size();
  const std::size_t first = instance % targets * data.names.size();
  for (Eigen::Index i = 0; i < d; ++i) c.target[i] = kUnit * data.targets[first + static_cast<std::size_t>(i)];
  return c;
}

// With R the correlations of the chosen columns and r those with y: min_b 1 - 2 r'b + b'(R + ridge I) b is
// 1 - r'(R + ridge I)^-1 r = 1 - |L^-1 r|^2.
double evaluate(const Correlations& c, const Point& x) {
  std::vector<Eigen::Index> chosen;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] == 1) chosen.push_back(static_cast<Eigen::Index>(i));
  }
  const auto k = static_cast<Eigen::Index>(chosen.size());
  Matrix R(k, k);
  Vector r(k);
  for (Eigen::Index i = 0; i < k; ++i) {
    for (Eigen::Index j = 0; j < k; ++j) R(i, j) = c.columns(chosen[i], chosen[j]);
    R(i, i) += kRidge;
    r[i] = c.target[chosen[i]];
  }
  cholesky(R);
  solve_lower(R, r);
  return std::log(1 - r.squaredNorm()) + static_cast<double>(k) * c.price;
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const FeatureData& data : feature_data()) result.emplace_back(data.name);
  return result;
}

}  // namespace

void FeaturesOptions::describe(OptionTable& table) {
  table.choice("data", data, names(), "breast cancer, 30 columns, or handwritten digits, 61 pixels");
  FlipOptions::describe(table);
}

Problem make_features(const Spec& spec, std::uint64_t instance) {
  const auto options = parse_options<FeaturesOptions>(spec);
  const auto all = feature_data();
  const FeatureData& data =
      *std::find_if(all.begin(), all.end(), [&](const auto& d) { return options.data == d.name; });
  std::vector<Variable> variables;
  for (const char* name : data.names) variables.push_back(binary(name));
  const int d = static_cast<int>(variables.size());
  BinaryProblem problem{
      spec.text(), Space(std::move(variables)), Sense::minimize, flip_mask(options.flip, d), {}, {}, {}, {}, {}};
  const auto shared = std::make_shared<const Correlations>(correlations(data, instance));
  problem.f = [shared](const Point& z) { return evaluate(*shared, z); };
  return finish(std::move(problem));
}

}  // namespace bocs
