// BOCS, [BP18], and what grew around it: a portfolio of polynomial models and a Gaussian process.

#include <algorithm>

#include "bocs/acquire/ascent.hpp"
#include "bocs/acquire/thompson.hpp"
#include "bocs/base/error.hpp"
#include "bocs/method/model_based.hpp"
#include "bocs/method/options.hpp"
#include "bocs/method/rows.hpp"
#include "bocs/minimize/sampled.hpp"
#include "bocs/model/gaussian_process.hpp"

namespace bocs {
namespace {

/// Several members: for the sparse model alone, and not for what minimizes quadratic forms alone.
bool automatic(const BocsOptions& options) {
  return !options.order && std::holds_alternative<HorseshoeOptions>(options.model) &&
         !std::holds_alternative<SdpOptions>(options.minimizer) && !options.sampler;
}

/// Integer variables of at most so many values have an effect for each of them; 2: only those that have no other.
int all_values(const BocsOptions& options) { return options.integers == Integers::levels ? Basis::kMaxOneHot : 2; }

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

BasisOptions basis_options(const BocsOptions& options, int order) {
  return {order, options.integers, split_names(options.extra), split_names(options.exclude)};
}

/// The features of the model, each a column of order 1.
std::vector<Feature> features(const BocsOptions& options, const Space& space) {
  const Basis basis(space, basis_options(options, 1));
  return {basis.features().begin(), basis.features().end()};
}

/// A polynomial is learnt soon. Not where it hardly says what f is like: of an order of items it sees single positions
/// (docs/decisions/0004-orders.md), of a real number a slope and a square, of variables that exist only sometimes
/// little in each branch (docs/decisions/0051-numbers.md), and nothing of what describes levels.
bool learns_soon(const Space& space, const std::vector<Feature>& features) {
  const auto& coordinates = space.coordinates();
  const auto hard = [](const Coordinate& c) {
    return c.optional || !c.described.names.empty() || (c.has_value() && c.ordered && !c.whole);
  };
  return features.size() <= BocsOptions::kFewFeatures &&
         std::none_of(space.variables().begin(), space.variables().end(), is_order) &&
         std::none_of(coordinates.begin(), coordinates.end(), hard);
}

/// Expected improvement takes every so many trials; 0: none.
int improvement_every(const BocsOptions& options, const Space& space, const std::vector<Feature>& features) {
  if (!automatic(options) || options.repeats) return 0;
  if (options.polish >= 0) return options.polish;
  return learns_soon(space, features) ? 4 : 1;
}

/// The orders of the polynomials. Order 2 competes with the highest that is affordable where there are few features:
/// each is clearly better on some of the paper's problems. Products of indicators need no stored columns, others do.
std::vector<int> model_orders(const BocsOptions& options, const Space& space, const std::vector<Feature>& features) {
  constexpr std::size_t kManyFeatures = 2000;  // all their pairs would take much memory
  if (options.order) return {*options.order};
  const bool only_explains = improvement_every(options, space, features) == 1;
  if (only_explains && features.size() > kManyFeatures) return {1};
  if (!automatic(options) || !learns_soon(space, features)) return {2};
  const bool indicators = std::all_of(features.begin(), features.end(), [](const Feature& f) { return f.scale == 0; });
  return {2, indicators ? 4 : 3};
}

/// The regression of a polynomial of this order.
RegressionOptions model_of(const BocsOptions& options, int order) {
  RegressionOptions model = options.model;
  if (auto* horseshoe = std::get_if<HorseshoeOptions>(&model); horseshoe != nullptr && !horseshoe->intercept) {
    horseshoe->intercept = order >= 3 ? Intercept::mean : Intercept::flat;
  }
  return model;
}

/// What the paper's program does when it anneals.
const AnnealingOptions kPublishedAnnealing{.restarts = 5, .schedule = Schedule::authors};

/// Shows what the model could not learn otherwise: the levels of variables, and the extra monomials.
InitialDesign initial_design(const BocsOptions& options, const Basis& basis) {
  const Space& space = basis.space();
  const int points = options.initial > 0 ? options.initial : default_initial(space, all_values(options));
  InitialDesign design{points, options.repeats, all_values(options)};
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

}  // namespace

void BocsOptions::describe(OptionTable& table) {
  const std::string few = std::to_string(kFewFeatures);
  table.integer("order", order, 1, 8,
                "largest number of variables multiplied in a monomial; auto: up to " + few +
                    " features, 2 competes with 4 (binary variables and indicators of levels) or 3 by how good their "
                    "proposals were; above, 2");
  table.text("extra", extra, "monomials to add to the model, of any order: x1*x2*x3+x4*depot=river*x6; + between them");
  table.text("exclude", exclude, "monomials to leave out of the model, named in the same way");
  table.choice(
      "integers", integers,
      "how integer variables enter the model: a slope and a square, a slope alone, or, for those with at most " +
          std::to_string(Basis::kMaxOneHot) + " values, an effect for each value");
  table.integer("polish", polish, -1, 1'000'000,
                "with order=auto and no repeats: expected improvement with a Gaussian process takes every so many "
                "trials; 0: none, -1: every fourth up to " +
                    few + " features, every one above");
  describe_initial(table, initial);
  table.choice("model", regressions().name(model), regressions().names(), "regression; its own options are model.KEY",
               [this](const std::string& name) { regressions().choose(name, model); });
  table.choice("minimizer", minimizers().name(minimizer), minimizers().names(),
               "finds the best point of a draw; its own options are minimizer.KEY",
               [this](const std::string& name) { minimizers().choose(name, minimizer); });
  describe_repeats(table, repeats);
  describe_noise(table, noise);
  table.boolean("published", published,
                "the settings of the paper's program: order 2, 1000 sweeps, repeats, sdp or (with "
                "minimizer=annealing) 5 short annealings; what is set beside it wins");
}

BocsOptions published_options() {
  return {.order = 2,
          .model = HorseshoeOptions{.sweeps = 1000, .intercept = Intercept::mean, .sampler = Sampler::auxiliary},
          .minimizer = SdpOptions{.roundings = 100, .descend = false},
          .repeats = true,
          .published = true};
}

BocsOptions bocs_options(const Spec& given) {
  require(given.name == "bocs", [&] { return "the method is '" + given.name + "', not bocs"; });
  Spec spec = given;
  const Spec model = spec.take("model", {}), minimizer = spec.take("minimizer", {});
  auto options = parse_options<BocsOptions>(spec);
  if (options.published) {
    options = parse_options(spec, published_options());
    if (std::holds_alternative<AnnealingOptions>(options.minimizer)) options.minimizer = kPublishedAnnealing;
  }
  regressions().apply(model.settings, options.model);
  minimizers().apply(minimizer.settings, options.minimizer);
  return options;
}

Spec bocs_spec(const BocsOptions& options) {
  require(options.kernel == nullptr && !options.sampler,
          "a kernel or a sampler of your own has no spec string: pass the method itself");
  BocsOptions defaults = options.published ? published_options() : BocsOptions{};
  Spec spec = spec_of("bocs", options, defaults);
  if (options.published) {
    spec.set("published", "true");
    if (std::holds_alternative<AnnealingOptions>(options.minimizer)) defaults.minimizer = kPublishedAnnealing;
  }
  for (auto& [key, value] : regressions().settings(options.model, defaults.model)) spec.set("model." + key, value);
  for (auto& [key, value] : minimizers().settings(options.minimizer, defaults.minimizer)) {
    spec.set("minimizer." + key, value);
  }
  return spec;
}

std::vector<MemberEntry> list_bocs_members() {
  const std::string few = std::to_string(BocsOptions::kFewFeatures) + " features";
  const std::string many = std::to_string(BocsOptions::kManyEvaluations) + " evaluations";
  return {
      {"order 2", "Thompson draws of a sparse polynomial [BP18]: competes for the trials that the others leave"},
      {"order 4", "the same with products of four, or order 3 where a variable is an integer: up to " + few + " and " +
                      many +
                      ", competes with order 2; a coin favours the one whose last 60 proposals had better values"},
      {"ei", "expected improvement with a Gaussian process: every fourth trial up to " + few + ", every trial above"},
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
  append("model", regressions().list());
  append("minimizer", minimizers().list());
  return rows;
}

std::unique_ptr<Method> make_bocs(const Spec& spec, const Space& space, const Constraints& constraints) {
  return make_bocs(space, bocs_options(spec), constraints);
}

std::unique_ptr<Method> make_bocs(const Space& space, const BocsOptions& options, const Constraints& constraints) {
  check_options(options);
  std::shared_ptr<const Minimizer> minimizer = make_minimizer(options.minimizer);
  if (options.sampler) minimizer = std::make_shared<const Sampled>(options.sampler);
  const ThompsonOptions thompson{.failures = !options.published, .repeated = !options.published};
  const auto all_features = features(options, space);
  std::vector<Member> members;
  InitialDesign design;
  for (const int order : model_orders(options, space, all_features)) {
    const auto polynomials = std::make_shared<const PolynomialModel>(space, basis_options(options, order),
                                                                     make_regression(model_of(options, order)));
    if (constraints.candidates() == nullptr) minimizer->check(space, constraints, polynomials->basis()->order());
    Member member{"order " + std::to_string(order), std::make_shared<const Thompson>(polynomials, minimizer, thompson)};
    if (members.empty()) {
      design = initial_design(options, *polynomials->basis());
    } else {
      member.most_evaluations = BocsOptions::kManyEvaluations;
    }
    members.push_back(std::move(member));
  }
  if (const int every = improvement_every(options, space, all_features); every > 0) {
    const auto process = std::make_shared<const GaussianProcessModel>(
        options.kernel ? options.kernel : default_kernel(space), usual_steps(space));
    members.push_back(
        {"ei", std::make_shared<const Ascent>(process, expected_improvement(), BocsOptions::kPatience * every), every});
  }
  return std::make_unique<ModelBased>(ModelBasedOptions{.design = std::move(design), .noise = options.noise},
                                      Portfolio(std::move(members)));
}

}  // namespace bocs
