#include "bocs/minimize/minimizer.hpp"

#include "bocs/minimize/annealing.hpp"
#include "bocs/minimize/auto.hpp"
#include "bocs/minimize/exact.hpp"
#include "bocs/minimize/sdp.hpp"
#include "bocs/minimize/tabu.hpp"

namespace bocs {
namespace {

using Minimizers = Registry<std::unique_ptr<Minimizer>(const Spec&)>;

template <class Type, class Options>
Minimizers::Row row(const char* name, const char* help) {
  return {name, help, list_options<Options>, make_from_options<Minimizer, Type, Options>};
}

/// The one table of all minimizers.
const Minimizers& minimizers() {
  static const Minimizers table(
      "minimizer",
      {
          row<Auto, AutoOptions>("auto", "by size: enumeration, tabu search, tabu search from SDP roundings"),
          row<Sdp, SdpOptions>("sdp",
                               "semidefinite relaxation, rounded; binary variables, order 2; proves a lower bound"),
          row<Annealing, AnnealingOptions>("annealing", "simulated annealing"),
          row<Tabu, TabuOptions>("tabu", "multistart tabu search"),
          row<Exact, ExactOptions>("exact", "the true minimum of small problems"),
      });
  return table;
}

}  // namespace

std::unique_ptr<Minimizer> make_minimizer(const Spec& spec) { return minimizers().make(spec); }

std::vector<RegistryEntry> list_minimizers() { return minimizers().list(); }

}  // namespace bocs
