// The one table of the methods: adding a method is adding a row.

#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/base/registry.hpp"
#include "bocs/method/options.hpp"
#include "bocs/method/rows.hpp"

namespace bocs {
namespace {

using Methods = Registry<std::unique_ptr<Method>(const Spec&, const Space&, const Constraints&)>;

/// Does a method go from a point to its neighbours? Then it needs points that have some: no table of candidates.
enum class Steps { no, yes };

/// A method that no constraints make possible or impossible; some need no space either.
template <class Options, auto Make, Steps steps = Steps::no>
Methods::Row row(const char* name, const char* help) {
  return {name, help, list_options<Options>,
          [name](const Spec& spec, const Space& space, const Constraints& constraints) {
            require(steps == Steps::no || constraints.candidates() == nullptr, [&] {
              return "the method '" + std::string(name) +
                     "' steps to neighbours, and a table of candidates has none; allowed: bocs, ei, smac or random";
            });
            if constexpr (std::is_invocable_v<decltype(Make), const Space&, const Options&>) {
              return Make(space, parse_options<Options>(spec));
            } else {
              return Make(parse_options<Options>(spec));
            }
          }};
}

Methods& methods() {
  static Methods table(
      "method",
      {
          {"bocs", "a portfolio around Thompson sampling with a sparse polynomial model [BP18]", list_bocs_options,
           [](const Spec& spec, const Space& space, const Constraints& constraints) {
             return make_bocs(spec, space, constraints);
           }},
          row<RandomOptions, make_random>("random", "uniformly random points"),
          row<EiOptions, make_ei>("ei", "expected improvement with a Gaussian process"),
          row<SmacOptions, make_smac>("smac", "expected improvement with a random forest"),
          row<ParticleOptions, make_particle, Steps::yes>(
              "particle", "sequential Monte Carlo with logistic conditionals; binary spaces"),
          row<AnnealingSearchOptions, make_annealing, Steps::yes>("annealing", "simulated annealing on the black box"),
          row<LocalOptions, make_local, Steps::yes>(
              "local", "evaluates all one-variable changes, moves to the best, restarts at local optima"),
      },
      {
          // the names of the paper, and what they stand for
          {"bocs-sdp", "bocs:minimizer=sdp"},
          {"bocs-sa", "bocs:order=2,minimizer=annealing"},
          {"mle-sa", "bocs:model=mle,minimizer=annealing"},
          {"mle", "bocs:model=mle"},
          {"fmqa", "bocs:model=factorization,minimizer=annealing"},
          {"rs", "random"},
          {"sa", "annealing"},
          {"ols", "local"},
          {"ps", "particle"},
      });
  return table;
}

}  // namespace

void register_method(MethodRow row) {
  methods().add({std::move(row.name), std::move(row.help), std::move(row.options), std::move(row.make)});
}

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
