#include "bocs/minimize/minimizer.hpp"

#include "bocs/minimize/annealing.hpp"
#include "bocs/minimize/auto.hpp"
#include "bocs/minimize/exact.hpp"
#include "bocs/minimize/sdp.hpp"
#include "bocs/minimize/tabu.hpp"

namespace bocs {

void check_quadratic(const std::string& who, const Space& space, int order) {
  const std::string advice = "; use minimizer=annealing or tabu";
  for (const Coordinate& v : space.coordinates()) {
    require(v.is_bit(), [&] {
      return who + " needs binary variables, but " + v.name + " is " + (v.has_value() ? "a number" : "categorical") +
             advice;
    });
  }
  require(order <= 2, [&] { return who + " needs order 1 or 2, not " + std::to_string(order) + advice; });
}

const Alternatives<MinimizerOptions>& minimizers() {
  static constexpr Alternatives<MinimizerOptions> table(
      "minimizer", {{{"auto", "by size: enumeration, tabu search, tabu search from SDP roundings"},
                     {"sdp", "semidefinite relaxation, rounded; binary variables, order 2; proves a lower bound"},
                     {"annealing", "simulated annealing"},
                     {"tabu", "multistart tabu search"},
                     {"exact", "the true minimum of small problems"}}});
  return table;
}

std::unique_ptr<Minimizer> make_minimizer(const MinimizerOptions& options) {
  struct Maker {
    std::unique_ptr<Minimizer> operator()(const AutoOptions& o) const { return std::make_unique<Auto>(o); }
    std::unique_ptr<Minimizer> operator()(const SdpOptions& o) const { return std::make_unique<Sdp>(o); }
    std::unique_ptr<Minimizer> operator()(const AnnealingOptions& o) const { return std::make_unique<Annealing>(o); }
    std::unique_ptr<Minimizer> operator()(const TabuOptions& o) const { return std::make_unique<Tabu>(o); }
    std::unique_ptr<Minimizer> operator()(const ExactOptions& o) const { return std::make_unique<Exact>(o); }
  };
  std::visit([](const auto& chosen) { check_options(chosen); }, options);
  return std::visit(Maker(), options);
}

std::unique_ptr<Minimizer> make_minimizer(const Spec& spec) { return make_minimizer(minimizers().parse(spec)); }

}  // namespace bocs
