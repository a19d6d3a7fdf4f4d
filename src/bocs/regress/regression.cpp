#include "bocs/regress/regression.hpp"

#include <functional>

#include "bocs/core/error.hpp"
#include "bocs/regress/bayes.hpp"
#include "bocs/regress/horseshoe.hpp"
#include "bocs/regress/mle.hpp"

namespace bocs {
namespace {

struct Row {
  std::string name;
  std::string help;
  std::vector<Option> options;
  std::function<std::unique_ptr<Regression>(const Spec&)> make;
};

template <class Model, class Options>
Row row(std::string name, std::string help) {
  return {std::move(name), std::move(help), list_options<Options>(),
          [](const Spec& spec) { return std::make_unique<Model>(parse_options<Options>(spec)); }};
}

std::vector<Row> rows() {
  return {row<Horseshoe, HorseshoeOptions>("horseshoe", "sparse Bayesian regression with the horseshoe prior"),
          row<Bayes, BayesOptions>("bayes", "conjugate Bayesian linear regression"),
          row<Mle, MleOptions>("mle", "least squares; no exploration")};
}

}  // namespace

std::unique_ptr<Regression> make_regression(const Spec& spec) {
  std::string known;
  for (const auto& row : rows()) {
    if (row.name == spec.name) return row.make(spec);
    known += (known.empty() ? "" : ", ") + row.name;
  }
  throw InvalidArgument("there is no model '" + spec.name + "'; there are " + known);
}

std::vector<RegressionEntry> list_regressions() {
  std::vector<RegressionEntry> list;
  for (const auto& row : rows()) list.push_back({row.name, row.help, row.options});
  return list;
}

}  // namespace bocs
