#include "bocs/regress/regression.hpp"

#include "bocs/regress/bayes.hpp"
#include "bocs/regress/horseshoe.hpp"
#include "bocs/regress/mle.hpp"

namespace bocs {
namespace {

using Regressions = Registry<std::unique_ptr<Regression>(const Spec&)>;

template <class Type, class Options>
Regressions::Row row(const char* name, const char* help) {
  return {name, help, list_options<Options>, make_from_options<Regression, Type, Options>};
}

/// The one table of all regressions.
const Regressions& regressions() {
  static const Regressions table(
      "model", {
                   row<Horseshoe, HorseshoeOptions>("horseshoe", "sparse Bayesian regression with the horseshoe prior"),
                   row<Bayes, BayesOptions>("bayes", "conjugate Bayesian linear regression"),
                   row<Mle, MleOptions>("mle", "least squares; no exploration"),
               });
  return table;
}

}  // namespace

std::unique_ptr<Regression> make_regression(const Spec& spec) { return regressions().make(spec); }

std::vector<RegistryEntry> list_regressions() { return regressions().list(); }

}  // namespace bocs
