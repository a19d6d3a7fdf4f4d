#pragma once
// The options of the regressions: how the coefficients of a polynomial are drawn, given the data.

#include <optional>
#include <variant>

#include "bocs/base/options.hpp"

namespace bocs {

/// flat: alpha_0 has a flat prior and is integrated out. mean: alpha_0 is fixed at the mean of y, the authors' way.
enum class Intercept { flat, mean };
template <>
inline constexpr auto kWords<Intercept> = std::to_array<Word<Intercept>>({{Intercept::flat, "flat"},
                                                                          {Intercept::mean, "mean"}});

/// collapsed: tau is integrated against y. auxiliary: the plain sampler of Makalic and Schmidt.
enum class Sampler { collapsed, auxiliary };
template <>
inline constexpr auto kWords<Sampler> = std::to_array<Word<Sampler>>({{Sampler::collapsed, "collapsed"},
                                                                      {Sampler::auxiliary, "auxiliary"}});

/// How the coefficients are drawn: all ways are exact, and differ in cost.
enum class GaussianKernel { fastest, coefficient_space, data_space, conjugate_gradients };
template <>
inline constexpr auto kWords<GaussianKernel> =
    std::to_array<Word<GaussianKernel>>({{GaussianKernel::fastest, "fastest"},
                                         {GaussianKernel::coefficient_space, "coefficients"},
                                         {GaussianKernel::data_space, "data"},
                                         {GaussianKernel::conjugate_gradients, "gradients"}});

/// Sparse Bayesian linear regression with the horseshoe prior, [BP18] Sec. 3.1.
struct HorseshoeOptions {
  int sweeps = 0;    // before the first draw; 0: 25 collapsed, 16 to 10 from an anchor, 1000 auxiliary
  int anchor = 100;  // sweeps at an anchor, collapsed only; fewer where they are expensive; 0: no anchors
  int thin = 1;      // sweeps from one draw to the next
  std::optional<Intercept> intercept = {};  // nothing: flat; of `bocs`, mean from order 3 on
  Sampler sampler = Sampler::collapsed;
  GaussianKernel kernel = GaussianKernel::fastest;

  void describe(OptionTable& table);
};

/// Conjugate Bayesian linear regression, [BP18] supplement F: alpha | s2 ~ N(m 1, s2 v I), s2 ~ IG(a, b).
struct BayesOptions {
  double prior_mean = 0;      // m, of every coefficient
  double prior_variance = 1;  // v, in units of s2
  double a = 2;
  double b = 1;

  void describe(OptionTable& table);
};

/// Least squares.
struct MleOptions {
  void describe(OptionTable& /*table*/) {}
};

/// A factorization machine (Rendle 2010), the model of FMQA.
struct FactorizationOptions {
  int factors = 8;
  int sweeps = 50;
  double ridge = 1;

  void describe(OptionTable& table);
};

/// Which regression, with its options.
using RegressionOptions = std::variant<HorseshoeOptions, BayesOptions, MleOptions, FactorizationOptions>;

}  // namespace bocs
