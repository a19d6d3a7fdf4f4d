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
  int polish = 4;
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

// Features up to which models of a high order, and the Gaussian process, cost little beside an expensive evaluation.
constexpr std::size_t kOrder4 = 26;  // 17 901 monomials; indicators only, whose products need no stored columns
constexpr std::size_t kOrder3 = 30;
constexpr std::size_t kPolish = 128;
constexpr std::size_t kMany = 1000;  // evaluations: above, only order 2, whose cost grows linearly with them

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

/// The orders of the models. On small spaces order 2 competes with the highest that is affordable (portfolio.hpp):
/// each is clearly better on some of the paper's problems.
std::vector<int> model_orders(const BocsOptions& options, const Space& space) {
  if (options.order != "auto") return {std::stoi(options.order)};
  const auto all = features(options, space);
  if (!options.automatic() || all.size() > kOrder3) return {2};
  const bool indicators = std::all_of(all.begin(), all.end(), [](const Feature& f) { return f.scale == 0; });
  return {2, indicators && all.size() <= kOrder4 ? 4 : 3};
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
               "largest number of variables multiplied in a monomial; auto: 2 competes with 4 (up to 26 binary "
               "variables or indicators of levels) or 3 (up to 30 features) by how good their proposals were");
  table.text("extra", extra, "monomials to add to the model, of any order: x1*x2*x3+x4*depot=river*x6; + between them");
  table.text("exclude", exclude, "monomials to leave out of the model, named in the same way");
  table.choice("integers", integers, {"curve", "value", "levels"},
               "how integer variables enter the model: a slope and a square, a slope alone, or, for those with at most "
               "32 values, an effect for each value");
  table.integer("polish", polish, 0, 1'000'000,
                "with order=auto, no repeats and at most 128 features: every so many trials are left to expected "
                "improvement with a "
                "Gaussian process, which is better at the last steps; 0: none");
  table.integer("initial", initial, 0, 1'000'000,
                "random points before the model takes over; 0: 20 for d = 10 to 25, then 4 d / 5 up to 100, 2 d below "
                "d = 10");
  table.choice("model", model, names(list_regressions()), "regression; its own options are model.KEY");
  table.choice("minimizer", minimizer, names(list_minimizers()),
               "finds the best point of a draw; its own options are minimizer.KEY");
  table.boolean("repeats", repeats, "may propose a point that has been evaluated before");
  table.boolean(
      "noise", noise,
      "measurements are random: up to every fourth trial, and all when no point is new, measures a promising point "
      "again, and the recommendation is the point that is likely best instead of the best measurement");
  table.boolean("published", published,
                "the settings of the paper's program: order 2, 1000 sweeps, repeats, sdp or (with "
                "minimizer=annealing) 5 short annealings; what is set beside it wins");
}

}  // namespace

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
  std::vector<Member> members;
  InitialDesign design;
  for (const int order : model_orders(options, space)) {
    const auto polynomials = std::make_shared<const PolynomialModel>(
        space, basis_options(options, order), make_regression(with_defaults(model, model_defaults(options, order))));
    shared_minimizer->check(space, constraints, polynomials->basis()->order());
    Member member{"order " + std::to_string(order), std::make_shared<const Thompson>(polynomials, shared_minimizer)};
    if (members.empty()) {
      design = initial_design(options, *polynomials->basis());
    } else {
      member.most_evaluations = kMany;
    }
    members.push_back(std::move(member));
  }
  if (options.polish > 0 && !options.repeats && options.automatic() && features(options, space).size() <= kPolish) {
    const auto process = std::make_shared<const GaussianProcessModel>(space, EiOptions().steps);
    members.push_back({"ei", std::make_shared<const ExpectedImprovement>(process), options.polish, kMany});
  }
  return std::make_unique<ModelBased>(ModelBasedOptions{.design = std::move(design), .noise = options.noise},
                                      Portfolio(std::move(members)));
}

}  // namespace bocs
