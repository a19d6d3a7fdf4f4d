#pragma once
// The methods with their options as types: what a spec string says, checked by the compiler.
//
//   bocs::make_bocs(space, {.order = 2, .minimizer = bocs::AnnealingOptions{.sweeps = 200}});   // C++
//   bocs::make_method("bocs:order=2,minimizer=annealing,minimizer.sweeps=200", space);         // a text, for users
//
// Options out of bounds, and spaces that a method cannot treat, are refused: InvalidArgument.

#include <optional>
#include <string>

#include "bocs/acquire/score.hpp"
#include "bocs/method/method.hpp"
#include "bocs/minimize/options.hpp"
#include "bocs/minimize/sampler.hpp"
#include "bocs/model/kernel.hpp"
#include "bocs/poly/integers.hpp"
#include "bocs/regress/options.hpp"

namespace bocs {

/// Thompson sampling with a sparse polynomial [BP18], and the portfolio around it.
struct BocsOptions {
  /// Where a polynomial is learnt soon: up to so many features a draw is a guess worth trying, and order 4 has at most
  /// 17 901 monomials. Above, a draw of all coefficients is nearly a random point, and expected improvement finds more
  /// (docs/methods.md, "Members").
  static constexpr int kFewFeatures = 26;
  static constexpr int kPatience = 100;          // proposals of `ei` without an improvement, before it begins anew
  static constexpr int kManyEvaluations = 1000;  // above, orders higher than 2 are too expensive

  std::optional<int> order = {};  // nothing: 2, and 4 or 3 beside it where there are few features
  std::string extra = {};         // names of monomials, joined by +
  std::string exclude = {};       // the same
  Integers integers = Integers::curve;
  int polish = -1;
  int initial = 0;
  RegressionOptions model = {};
  MinimizerOptions minimizer = {};
  bool repeats = false;
  bool noise = false;
  bool published = false;                     // alone: published_options() has all that belongs to it
  std::shared_ptr<const Kernel> kernel = {};  // of the Gaussian process of member `ei`; nullptr: default_kernel
  QuadraticSampler sampler = {};  // in place of `minimizer`, with order 2 and binary variables: docs/ising-machines.md

  void describe(OptionTable& table);
};
std::unique_ptr<Method> make_bocs(const Space& space, const BocsOptions& options = {},
                                  const Constraints& constraints = {});
/// The settings of the paper's program: `bocs:published=true`.
BocsOptions published_options();

/// Expected improvement, or a score of your own, with a Gaussian process ([BP18] Sec. 4, EI).
struct EiOptions {
  int initial = 0;
  bool noise = false;
  bool repeats = false;
  int steps = -1;                             // of the fit; -1: usual_steps(space)
  std::shared_ptr<const Kernel> kernel = {};  // nullptr: default_kernel(space)
  Score score = expected_improvement();

  void describe(OptionTable& table);
};
std::unique_ptr<Method> make_ei(const Space& space, const EiOptions& options = {});

/// The same with a random forest (Hutter, Hoos and Leyton-Brown 2011).
struct SmacOptions {
  int initial = 0;
  bool noise = false;
  bool repeats = false;
  int trees = 50;
  double split_fraction = 5.0 / 6;
  int min_split = 3;
  double random_fraction = 0.2;
  Score score = expected_improvement();

  void describe(OptionTable& table);
};
std::unique_ptr<Method> make_smac(const Space& space, const SmacOptions& options = {});

/// Uniformly random points.
struct RandomOptions {
  bool repeats = false;

  void describe(OptionTable& table);
};
std::unique_ptr<Method> make_random(const RandomOptions& options = {});

/// How the paper ran its competitors: not at all, as the authors' program, or as Spears (1993).
enum class AsPublished { no, authors, spears };
template <>
inline constexpr auto kWords<AsPublished> = std::to_array<Word<AsPublished>>({{AsPublished::no, "no"},
                                                                              {AsPublished::authors, "authors"},
                                                                              {AsPublished::spears, "spears"}});

/// Simulated annealing on the black box itself ([BP18] Sec. 4, SA).
struct AnnealingSearchOptions {
  double start = 1;
  double cooling = 0.8;
  AsPublished published = AsPublished::no;

  void describe(OptionTable& table);
};
std::unique_ptr<Method> make_annealing(const AnnealingSearchOptions& options = {});

/// All neighbours, then the best of them ([BP18] Sec. 4, OLS).
struct LocalOptions {
  bool restarts = true;

  void describe(OptionTable& table);
};
std::unique_ptr<Method> make_local(const LocalOptions& options = {});

/// Sequential Monte Carlo with logistic conditionals ([BP18] Sec. 4, PS); binary spaces.
struct ParticleOptions {
  int particles = 0;  // 0: by the number of variables
  double keep = 0.3;

  void describe(OptionTable& table);
};
std::unique_ptr<Method> make_particle(const Space& space, const ParticleOptions& options = {});

/// The spec that stands for the options: what a study stores. Throws InvalidArgument for a kernel or a sampler of your
/// own, which have no spec.
Spec bocs_spec(const BocsOptions& options);
/// The options of "bocs:order=2". Throws InvalidArgument for other methods.
BocsOptions bocs_options(const Spec& spec);

}  // namespace bocs
