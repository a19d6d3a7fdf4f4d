#include "bocs/method/bocs.hpp"

#include <algorithm>

#include "bocs/acquire/improvement.hpp"
#include "bocs/acquire/thompson.hpp"
#include "bocs/method/expected_improvement.hpp"
#include "bocs/method/model_based.hpp"
#include "bocs/model/gaussian_process.hpp"

namespace bocs {
namespace {

/// Besides these, "model.KEY" and "minimizer.KEY" set the options of the parts.
struct BocsOptions {
  std::string order = "auto";
  std::string extra;               // names of monomials, joined by +
  std::string exclude;             // the same
  std::string integers = "curve";  // curve | value | levels
  int polish = -1;
  int initial = 0;
  std::string model = "horseshoe";
  std::string minimizer = "auto";
  bool repeats = false;
  bool noise = false;
  bool published = false;
  void describe(OptionTable& table);
  /// Several members: for the sparse model alone, and not for the semidefinite relaxation, which is for order 2.
  [[nodiscard]] bool automatic() const { return order == "auto" && model == "horseshoe" && minimizer != "sdp"; }
  /// Integer variables of at most so many values have an effect for each of them; 2: only those that have no other.
  [[nodiscard]] int all_values() const { return integers == "levels" ? Basis::kMaxOneHot : 2; }
};

// Where a polynomial is learnt soon: up to so many features a draw is a guess worth trying, and order 4 has at most 17
// 901 monomials. Above, a draw of all coefficients is nearly a random point, and expected improvement finds more
// (docs/methods.md, "Members").
constexpr std::size_t kFewFeatures = 26;
constexpr int kProcessVariables = 256;          // up to which a Gaussian process costs no more than order 2
constexpr std::size_t kManyEvaluations = 1000;  // above, only order 2, whose cost grows linearly with them

using Settings = std::vector<std::pair<std::string, std::string>>;

/// The last setting of a key counts, so what comes first is only a default.
Spec with_defaults(Spec spec, const Settings& defaults) {
  spec.settings.insert(spec.settings.begin(), defaults.begin(), defaults.end());
  return spec;
}

/// "x1*x2+x3*x4" -> "x1*x2", "x3*x4"
std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

Integers integers(const std::string& name) {
  if (name == "levels") return Integers::levels;
  return name == "curve" ? Integers::curve : Integers::value;
}

BasisOptions basis_options(const BocsOptions& options, int order) {
  return {order, integers(options.integers), split_names(options.extra), split_names(options.exclude)};
}

/// The features of the model, each a column of order 1.
std::vector<Feature> features(const BocsOptions& options, const Space& space) {
  const Basis basis(space, basis_options(options, 1));
  return {basis.features().begin(), basis.features().end()};
}

/// The orders of the polynomials. Order 2 competes with the highest that is affordable where there are few features:
/// each is clearly better on some of the paper's problems. Products of indicators need no stored columns, others do.
std::vector<int> model_orders(const BocsOptions& options, const std::vector<Feature>& features) {
  if (options.order != "auto") return {std::stoi(options.order)};
  if (!options.automatic() || features.size() > kFewFeatures) return {2};
  const bool indicators = std::all_of(features.begin(), features.end(), [](const Feature& f) { return f.scale == 0; });
  return {2, indicators ? 4 : 3};
}

/// Expected improvement takes every so many trials; 0: none.
int improvement_every(const BocsOptions& options, const Space& space, const std::vector<Feature>& features) {
  if (!options.automatic() || options.repeats || space.dimension() > kProcessVariables) return 0;
  if (options.polish >= 0) return options.polish;
  return features.size() <= kFewFeatures ? 4 : 1;
}

Settings model_defaults(const BocsOptions& options, int order) {
  if (options.model != "horseshoe") return {};
  if (options.published) return {{"sampler", "auxiliary"}, {"sweeps", "1000"}, {"intercept", "mean"}};
  return {{"intercept", order >= 3 ? "mean" : "flat"}};
}

Settings minimizer_defaults(const BocsOptions& options) {
  if (!options.published) return {};
  if (options.minimizer == "sdp") return {{"roundings", "100"}, {"descend", "false"}};
  if (options.minimizer == "annealing") return {{"schedule", "authors"}, {"restarts", "5"}};
  return {};
}

/// The options of a spec from which those of the parts have been taken.
BocsOptions own_options(const Spec& spec) {
  const auto options = parse_options<BocsOptions>(spec);
  if (!options.published) return options;
  return parse_options<BocsOptions>(with_defaults(spec, {{"order", "2"}, {"repeats", "true"}, {"minimizer", "sdp"}}));
}

template <class Entry>
std::vector<std::string> names(const std::vector<Entry>& entries) {
  std::vector<std::string> result;
  for (const auto& entry : entries) result.push_back(entry.name);
  return result;
}

/// Shows what the model could not learn otherwise: the levels of variables, and the extra monomials.
InitialDesign initial_design(const BocsOptions& options, const Basis& basis) {
  const Space& space = basis.space();
  const int points = options.initial > 0 ? options.initial : default_initial(space, options.all_values());
  InitialDesign design{points, options.repeats, options.all_values()};
  design.fixed = options.initial > 0;
  for (int k = basis.regular_size(); k < basis.size(); ++k) {
    Point& pattern = design.patterns.emplace_back(space.dimension(), -1);
    for (const int f : basis.monomial(k)) {
      const Feature& feature = basis.features()[f];
      pattern[feature.variable] =
          feature.scale > 0 ? space[feature.variable].levels - 1 : feature.level;  // where it is 1
    }
  }
  return design;
}

void BocsOptions::describe(OptionTable& table) {
  table.choice("order", order, {"auto", "1", "2", "3", "4", "5", "6", "7", "8"},
               "largest number of variables multiplied in a monomial; auto: up to 26 features, 2 competes with 4 "
               "(binary variables and indicators of levels) or 3 by how good their proposals were; above, 2");
  table.text("extra", extra, "monomials to add to the model, of any order: x1*x2*x3+x4*depot=river*x6; + between them");
  table.text("exclude", exclude, "monomials to leave out of the model, named in the same way");
  table.choice("integers", integers, {"curve", "value", "levels"},
               "how integer variables enter the model: a slope and a square, a slope alone, or, for those with at most "
               "32 values, an effect for each value");
  table.integer("polish", polish, -1, 1'000'000,
                "with order=auto, no repeats and at most 256 variables: expected improvement with a Gaussian process "
                "takes every so many trials; 0: none, -1: every fourth up to 26 features, every one above");
  describe_initial(table, initial);
  table.choice("model", model, names(list_regressions()), "regression; its own options are model.KEY");
  table.choice("minimizer", minimizer, names(list_minimizers()),
               "finds the best point of a draw; its own options are minimizer.KEY");
  describe_repeats(table, repeats);
  describe_noise(table, noise);
  table.boolean("published", published,
                "the settings of the paper's program: order 2, 1000 sweeps, repeats, sdp or (with "
                "minimizer=annealing) 5 short annealings; what is set beside it wins");
}

}  // namespace

std::vector<MemberEntry> list_bocs_members() {
  const std::string few = std::to_string(kFewFeatures) + " features";
  const std::string many = std::to_string(kManyEvaluations) + " evaluations";
  return {
      {"order 2",
       "Thompson draws of a sparse polynomial [BP18]: competes for the trials that the others leave; alone above " +
           many},
      {"order 4", "the same with products of four, or order 3 where a variable is an integer: up to " + few +
                      ", competes with order 2; a coin favours the one whose last 60 proposals had better values"},
      {"ei", "expected improvement with a Gaussian process: every fourth trial up to " + few +
                 ", every trial above; up to " + std::to_string(kProcessVariables) + " variables and " + many},
      {"again", "measures a promising point once more: with noise=true, up to every fourth trial"},
  };
}

std::vector<Option> list_bocs_options() {
  std::vector<Option> rows = list_options<BocsOptions>();
  const auto append = [&rows](const std::string& part, const auto& entries) {
    for (const auto& entry : entries) {
      for (Option option : entry.options) {
        option.name = part + "." + option.name;
        option.help = entry.name + ": " + option.help;
        rows.push_back(std::move(option));
      }
    }
  };
  append("model", list_regressions());
  append("minimizer", list_minimizers());
  return rows;
}

std::unique_ptr<Method> make_bocs(const Spec& given, const Space& space, const Constraints& constraints) {
  Spec spec = given;
  Spec model = spec.take("model", {});
  Spec minimizer = spec.take("minimizer", {});
  const BocsOptions options = own_options(spec);
  model.name = options.model;
  minimizer.name = options.minimizer;

  const std::shared_ptr<const Minimizer> shared_minimizer =
      make_minimizer(with_defaults(minimizer, minimizer_defaults(options)));
  const ThompsonOptions thompson{.failures = !options.published, .repeated = !options.published};
  const auto all_features = features(options, space);
  std::vector<Member> members;
  InitialDesign design;
  for (const int order : model_orders(options, all_features)) {
    const auto polynomials = std::make_shared<const PolynomialModel>(
        space, basis_options(options, order), make_regression(with_defaults(model, model_defaults(options, order))));
    shared_minimizer->check(space, constraints, polynomials->basis()->order());
    Member member{"order " + std::to_string(order),
                  std::make_shared<const Thompson>(polynomials, shared_minimizer, thompson)};
    if (members.empty()) {
      design = initial_design(options, *polynomials->basis());
    } else {
      member.most_evaluations = kManyEvaluations;
    }
    members.push_back(std::move(member));
  }
  if (const int every = improvement_every(options, space, all_features); every > 0) {
    const auto process = std::make_shared<const GaussianProcessModel>(space, EiOptions().steps);
    members.push_back({"ei", std::make_shared<const ExpectedImprovement>(process), every, kManyEvaluations});
  }
  return std::make_unique<ModelBased>(ModelBasedOptions{.design = std::move(design), .noise = options.noise},
                                      Portfolio(std::move(members)));
}

}  // namespace bocs
