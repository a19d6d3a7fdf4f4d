// The one table of the methods: adding a method is adding a row.

#include <algorithm>

#include "bocs/core/error.hpp"
#include "bocs/method/annealing.hpp"
#include "bocs/method/bocs.hpp"
#include "bocs/method/expected_improvement.hpp"
#include "bocs/method/local.hpp"
#include "bocs/method/particle.hpp"
#include "bocs/method/random.hpp"

namespace bocs {
namespace {

struct Row {
  const char* name;
  const char* help;
  std::vector<Option> (*options)();
  std::unique_ptr<Method> (*make)(const Spec& spec, const Space& space, const Constraints& constraints);
};

/// A method that no constraints make possible or impossible.
template <auto Make>
std::unique_ptr<Method> make(const Spec& spec, const Space& space, const Constraints& /*constraints*/) {
  return Make(spec, space);
}

struct NoOptions {
  void describe(OptionTable& /*table*/) {}
};

const Row kMethods[] = {
    {"bocs", "Thompson sampling with a sparse polynomial model [BP18]", &list_bocs_options, &make_bocs},
    {"random", "uniformly random points", &list_options<RandomOptions>,
     [](const Spec& spec, const Space&, const Constraints&) -> std::unique_ptr<Method> {
       return std::make_unique<RandomSearch>(parse_options<RandomOptions>(spec));
     }},
    {"ei", "expected improvement with a Gaussian process", &list_options<EiOptions>, &make<make_ei>},
    {"smac", "expected improvement with a random forest", &list_options<SmacOptions>, &make<make_smac>},
    {"particle", "sequential Monte Carlo with logistic conditionals; binary spaces", &list_options<ParticleOptions>,
     &make<make_particle>},
    {"annealing", "simulated annealing on the black box", &list_options<AnnealingSearchOptions>,
     [](const Spec& spec, const Space&, const Constraints&) -> std::unique_ptr<Method> {
       return std::make_unique<AnnealingSearch>(parse_options<AnnealingSearchOptions>(spec));
     }},
    {"local", "evaluates all one-variable changes, moves to the best, restarts at local optima",
     &list_options<NoOptions>,
     [](const Spec& spec, const Space&, const Constraints&) -> std::unique_ptr<Method> {
       parse_options<NoOptions>(spec);
       return std::make_unique<LocalSearch>();
     }},
};

/// The names of the paper, and what they stand for.
struct Shorthand {
  const char* name;
  const char* spec;
};

const Shorthand kShorthands[] = {
    {"bocs-sdp", "bocs:minimizer=sdp"},
    {"bocs-sa", "bocs:order=2,minimizer=annealing"},  // as the paper has it
    {"mle-sa", "bocs:model=mle,minimizer=annealing"},
    {"mle", "bocs:model=mle"},
    {"rs", "random"},
    {"sa", "annealing"},
    {"ols", "local"},
    {"ps", "particle"},
};

std::string known_names() {
  std::string names;
  for (const auto& row : kMethods) names += (names.empty() ? "" : ", ") + std::string(row.name);
  for (const auto& shorthand : kShorthands) names += ", " + std::string(shorthand.name);
  return names;
}

}  // namespace

Spec method_spec(std::string_view text) {
  Spec spec = Spec::parse(text);
  for (const auto& shorthand : kShorthands) {
    if (spec.name != shorthand.name) continue;
    Spec full = Spec::parse(shorthand.spec);
    full.settings.insert(full.settings.end(), spec.settings.begin(), spec.settings.end());
    return full;
  }
  return spec;
}

std::unique_ptr<Method> make_method(std::string_view text, const Space& space, const Constraints& constraints) {
  const Spec spec = method_spec(text);
  for (const auto& row : kMethods) {
    if (spec.name == row.name) return row.make(spec, space, constraints);
  }
  throw InvalidArgument("there is no method '" + spec.name + "'; there are " + known_names());
}

std::vector<MethodEntry> list_methods() {
  std::vector<MethodEntry> entries;
  for (const auto& row : kMethods) {
    MethodEntry entry{row.name, row.help, row.options(), {}};
    for (const auto& shorthand : kShorthands) {
      if (Spec::parse(shorthand.spec).name == row.name) {
        entry.shorthands.push_back(std::string(shorthand.name) + " = " + shorthand.spec);
      }
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

Spec method_spec_with_initial(std::string_view method, int initial) {
  Spec spec = method_spec(method);
  const auto sets_initial = [](const auto& setting) { return setting.first == "initial"; };
  if (initial == 0 || std::any_of(spec.settings.begin(), spec.settings.end(), sets_initial)) return spec;
  for (const auto& entry : list_methods()) {
    const auto is_initial = [](const Option& option) { return option.name == "initial"; };
    if (entry.name == spec.name && std::any_of(entry.options.begin(), entry.options.end(), is_initial)) {
      spec.settings.emplace_back("initial", std::to_string(initial));
    }
  }
  return spec;
}

}  // namespace bocs
