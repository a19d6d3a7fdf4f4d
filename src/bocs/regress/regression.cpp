#include "bocs/regress/regression.hpp"

#include "bocs/base/alternatives.hpp"
#include "bocs/regress/bayes.hpp"
#include "bocs/regress/factorization.hpp"
#include "bocs/regress/horseshoe.hpp"
#include "bocs/regress/mle.hpp"

namespace bocs {

const Alternatives<RegressionOptions>& regressions() {
  static constexpr Alternatives<RegressionOptions> table(
      "model", {{{"horseshoe", "sparse Bayesian regression with the horseshoe prior"},
                 {"bayes", "conjugate Bayesian linear regression"},
                 {"mle", "least squares; no exploration"},
                 {"factorization", "factorization machine, the model of FMQA; order 2"}}});
  return table;
}

std::unique_ptr<Regression> make_regression(const RegressionOptions& options) {
  struct Maker {
    std::unique_ptr<Regression> operator()(const HorseshoeOptions& o) const { return std::make_unique<Horseshoe>(o); }
    std::unique_ptr<Regression> operator()(const BayesOptions& o) const { return std::make_unique<Bayes>(o); }
    std::unique_ptr<Regression> operator()(const MleOptions& o) const { return std::make_unique<Mle>(o); }
    std::unique_ptr<Regression> operator()(const FactorizationOptions& o) const {
      return std::make_unique<Factorization>(o);
    }
  };
  std::visit([](const auto& chosen) { check_options(chosen); }, options);
  return std::visit(Maker(), options);
}

std::unique_ptr<Regression> make_regression(const Spec& spec) { return make_regression(regressions().parse(spec)); }

}  // namespace bocs
