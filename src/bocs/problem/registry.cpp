#include "bocs/base/registry.hpp"
#include "bocs/problem/ackley.hpp"
#include "bocs/problem/aerostruct/aerostruct.hpp"
#include "bocs/problem/bqp.hpp"
#include "bocs/problem/contamination.hpp"
#include "bocs/problem/features.hpp"
#include "bocs/problem/ising.hpp"
#include "bocs/problem/labs.hpp"
#include "bocs/problem/maxcut.hpp"
#include "bocs/problem/maxsat.hpp"
#include "bocs/problem/mixed.hpp"
#include "bocs/problem/nk.hpp"
#include "bocs/problem/order.hpp"
#include "bocs/problem/pest.hpp"
#include "bocs/problem/problem.hpp"
#include "bocs/problem/subset.hpp"

namespace bocs {
namespace {

using Problems = Registry<Problem(const Spec&, std::uint64_t)>;

// The one table of problems. A new one is a header, a source, and a line here.
const Problems& problems() {
  static const Problems table(
      "problem",
      {
          {"bqp", "binary quadratic program with decaying interactions, maximized", list_options<BqpOptions>, make_bqp},
          {"ising", "which edges of an Ising grid to keep, least Kullback-Leibler divergence",
           list_options<IsingOptions>, make_ising},
          {"contamination", "at which stages of a food supply chain to act", list_options<ContaminationOptions>,
           make_contamination},
          {"labs", "binary sequence of low autocorrelation", list_options<LabsOptions>, make_labs},
          {"maxsat", "weighted maximum satisfiability, from a WCNF file or random", list_options<MaxsatOptions>,
           make_maxsat},
          {"nk", "NK landscape: the mean of random contributions of k + 1 variables, maximized",
           list_options<NkOptions>, make_nk},
          {"maxcut", "the heaviest cut of a random graph", list_options<MaxcutOptions>, make_maxcut},
          {"features", "which columns of a data set explain a target", list_options<FeaturesOptions>, make_features},
          {"ackley", "Ackley's function on a grid with shuffled levels", list_options<AckleyOptions>, make_ackley},
          {"pest", "which of four pesticides, if any, to use at each stage", list_options<PestOptions>, make_pest},
          {"subset", "which k of d items are worth most together; a constraint", list_options<SubsetOptions>,
           make_subset},
          {"mixed", "a function of switches, settings and kinds under a budget; constraints",
           list_options<MixedOptions>, make_mixed},
          {"order", "in which order: linear ordering, assignment, flow shop, tardiness, tour, set-up times",
           list_options<OrderOptions>, make_order},
          {"aerostruct", "which couplings of an aero-structural wing model to keep", list_options<AerostructOptions>,
           [](const Spec& spec, std::uint64_t) { return make_aerostruct(spec); }},
      });
  return table;
}

}  // namespace

Problem make_problem(std::string_view text, std::uint64_t instance) {
  return problems().make(Spec::parse(text), instance);
}

std::vector<RegistryEntry> list_problems() { return problems().list(); }

}  // namespace bocs
