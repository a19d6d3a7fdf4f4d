#include "bocs/core/error.hpp"
#include "bocs/problem/aerostruct/aerostruct.hpp"
#include "bocs/problem/bqp.hpp"
#include "bocs/problem/contamination.hpp"
#include "bocs/problem/ising.hpp"
#include "bocs/problem/labs.hpp"
#include "bocs/problem/maxsat.hpp"
#include "bocs/problem/mixed.hpp"
#include "bocs/problem/pest.hpp"
#include "bocs/problem/problem.hpp"
#include "bocs/problem/subset.hpp"

namespace bocs {
namespace {

struct Entry {
  const char* name;
  const char* help;
  Problem (*make)(const Spec&, std::uint64_t instance);
  std::vector<Option> (*options)();
};

// The one table of problems. A new one is a header, a source, and a line here.
constexpr Entry kProblems[] = {
    {"bqp", "binary quadratic program with decaying interactions, maximized", make_bqp, list_options<BqpOptions>},
    {"ising", "which edges of an Ising grid to keep, least Kullback-Leibler divergence", make_ising,
     list_options<IsingOptions>},
    {"contamination", "at which stages of a food supply chain to act", make_contamination,
     list_options<ContaminationOptions>},
    {"labs", "binary sequence of low autocorrelation", make_labs, list_options<LabsOptions>},
    {"maxsat", "weighted maximum satisfiability, from a WCNF file", make_maxsat, list_options<MaxsatOptions>},
    {"pest", "which of four pesticides, if any, to use at each stage", make_pest, list_options<PestOptions>},
    {"subset", "which k of d items are worth most together; a constraint", make_subset, list_options<SubsetOptions>},
    {"mixed", "a function of switches, settings and kinds under a budget; constraints", make_mixed,
     list_options<MixedOptions>},
    {"aerostruct", "which couplings of an aero-structural wing model to keep",
     [](const Spec& spec, std::uint64_t) { return make_aerostruct(spec); }, list_options<AerostructOptions>},
};

}  // namespace

Problem make_problem(std::string_view text, std::uint64_t instance) {
  const Spec spec = Spec::parse(text);
  std::string known;
  for (const auto& entry : kProblems) {
    if (spec.name == entry.name) return entry.make(spec, instance);
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw InvalidArgument("there is no problem '" + spec.name + "'; there are " + known);
}

std::vector<ProblemEntry> list_problems() {
  std::vector<ProblemEntry> rows;
  for (const auto& entry : kProblems) rows.push_back({entry.name, entry.help, entry.options()});
  return rows;
}

}  // namespace bocs
