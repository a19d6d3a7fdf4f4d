// The one table of the methods: adding a method is adding a row.

#include <algorithm>

#include "bocs/base/registry.hpp"
#include "bocs/method/baseline/annealing.hpp"
#include "bocs/method/baseline/local.hpp"
#include "bocs/method/baseline/particle.hpp"
#include "bocs/method/baseline/published.hpp"
#include "bocs/method/baseline/random.hpp"
#include "bocs/method/bocs.hpp"
#include "bocs/method/expected_improvement.hpp"

namespace bocs {
namespace {

using Methods = Registry<std::unique_ptr<Method>(const Spec&, const Space&, const Constraints&)>;

/// A method that no constraints make possible or impossible.
template <auto Make>
std::unique_ptr<Method> make(const Spec& spec, const Space& space, const Constraints& /*constraints*/) {
  return Make(spec, space);
}

struct LocalOptions {
  bool restarts = true;
  void describe(OptionTable& table) {
    table.boolean("restarts", restarts, "false, as in the paper: stays at its first local optimum");
  }
};

const Methods& methods() {
  static const Methods table(
      "method",
      {
          {"bocs", "a portfolio around Thompson sampling with a sparse polynomial model [BP18]", &list_bocs_options,
           &make_bocs},
          {"random", "uniformly random points", &list_options<RandomOptions>,
           [](const Spec& spec, const Space&, const Constraints&) -> std::unique_ptr<Method> {
             return std::make_unique<RandomSearch>(parse_options<RandomOptions>(spec));
           }},
          {"ei", "expected improvement with a Gaussian process", &list_options<EiOptions>, &make<make_ei>},
          {"smac", "expected improvement with a random forest", &list_options<SmacOptions>, &make<make_smac>},
          {"particle", "sequential Monte Carlo with logistic conditionals; binary spaces",
           &list_options<ParticleOptions>, &make<make_particle>},
          {"annealing", "simulated annealing on the black box", &list_options<AnnealingSearchOptions>,
           [](const Spec& spec, const Space&, const Constraints&) -> std::unique_ptr<Method> {
             const auto options = parse_options<AnnealingSearchOptions>(spec);
             if (options.published == "no") return std::make_unique<AnnealingSearch>(options);
             return std::make_unique<PublishedAnnealing>(options.published == "spears");
           }},
          {"local", "evaluates all one-variable changes, moves to the best, restarts at local optima",
           &list_options<LocalOptions>,
           [](const Spec& spec, const Space&, const Constraints&) -> std::unique_ptr<Method> {
             if (parse_options<LocalOptions>(spec).restarts) return std::make_unique<LocalSearch>();
             return std::make_unique<PublishedLocalSearch>();
           }},
      },
      {
          // the names of the paper, and what they stand for
          {"bocs-sdp", "bocs:minimizer=sdp"},
          {"bocs-sa", "bocs:order=2,minimizer=annealing"},
          {"mle-sa", "bocs:model=mle,minimizer=annealing"},
          {"mle", "bocs:model=mle"},
          {"rs", "random"},
          {"sa", "annealing"},
          {"ols", "local"},
          {"ps", "particle"},
      });
  return table;
}

}  // namespace

Spec method_spec(std::string_view text) { return methods().expand(text); }

std::unique_ptr<Method> make_method(std::string_view text, const Space& space, const Constraints& constraints) {
  return methods().make(method_spec(text), space, constraints);
}

void check_method(std::string_view text) {
  Spec spec = method_spec(text);
  std::erase_if(spec.settings, [](const auto& s) { return s.first == "extra" || s.first == "exclude"; });  // of a space
  (void)make_method(spec.text(), Space::binary(2));
}

std::vector<RegistryEntry> list_methods() { return methods().list(); }

std::vector<MemberEntry> list_members(std::string_view method) {
  return method == "bocs" ? list_bocs_members() : std::vector<MemberEntry>{};
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
