#include "bocs/minimize/minimizer.hpp"

#include "bocs/core/error.hpp"
#include "bocs/minimize/annealing.hpp"
#include "bocs/minimize/auto.hpp"
#include "bocs/minimize/exact.hpp"
#include "bocs/minimize/sdp.hpp"
#include "bocs/minimize/tabu.hpp"

namespace bocs {
namespace {

struct Row {
  std::string name;
  std::string help;
  std::function<std::unique_ptr<Minimizer>(const Spec&)> make;
  std::function<std::vector<Option>()> options;
};

template <class Type, class Options>
Row row(std::string name, std::string help) {
  return {std::move(name), std::move(help),
          [](const Spec& spec) { return std::make_unique<Type>(parse_options<Options>(spec)); }, list_options<Options>};
}

/// The one table of all minimizers.
const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      row<Auto, AutoOptions>("auto", "by size: enumeration, tabu search, tabu search from SDP roundings"),
      row<Sdp, SdpOptions>("sdp", "semidefinite relaxation, rounded; binary variables, order 2; proves a lower bound"),
      row<Annealing, AnnealingOptions>("annealing", "simulated annealing"),
      row<Tabu, TabuOptions>("tabu", "multistart tabu search"),
      row<Exact, ExactOptions>("exact", "the true minimum of small problems"),
  };
  return table;
}

}  // namespace

std::unique_ptr<Minimizer> make_minimizer(const Spec& spec) {
  std::string names;
  for (const Row& r : rows()) {
    if (r.name == spec.name) return r.make(spec);
    names += (names.empty() ? "" : ", ") + r.name;
  }
  throw InvalidArgument("there is no minimizer '" + spec.name + "'; there are " + names);
}

std::vector<MinimizerEntry> list_minimizers() {
  std::vector<MinimizerEntry> entries;
  for (const Row& r : rows()) entries.push_back({r.name, r.help, r.options()});
  return entries;
}

}  // namespace bocs
