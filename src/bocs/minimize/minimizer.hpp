#pragma once
// The interface of the minimizers: a polynomial in, a good point out.

#include <memory>
#include <string>
#include <vector>

#include "bocs/core/options.hpp"
#include "bocs/poly/polynomial.hpp"

namespace bocs {

struct Minimum {
  Point x;
  double value = 0;
  double lower_bound =
      -std::numeric_limits<double>::infinity();  // certified, over the whole space (excluded points too)
  Status status = Status::ok;
};

class Minimizer {
 public:
  virtual ~Minimizer() = default;
  /// Throws InvalidArgument when it cannot treat polynomials of this order over this space.
  virtual void check(const Space& space, int order) const = 0;
  /// The best point found outside `excluded`. Throws SpaceExhausted when there is none. Deterministic in (f, excluded,
  /// rng) for any number of threads.
  [[nodiscard]] virtual Minimum minimize(const Polynomial& f, const PointSet& excluded, Rng& rng) const = 0;
};

/// "auto", "sdp", "annealing", "tabu" or "exact", with their options. Throws InvalidArgument.
std::unique_ptr<Minimizer> make_minimizer(const Spec& spec);

/// One row of the list of minimizers, as `bocs methods` prints it.
struct MinimizerEntry {
  std::string name;
  std::string help;
  std::vector<Option> options;
};
std::vector<MinimizerEntry> list_minimizers();

}  // namespace bocs
