#pragma once
// The interface of the minimizers: a polynomial in, a good point out.

#include <memory>
#include <string>
#include <vector>

#include "bocs/base/alternatives.hpp"
#include "bocs/minimize/options.hpp"
#include "bocs/poly/polynomial.hpp"

namespace bocs {

inline const PointSet kNoPoints;
inline const Constraints kNoConstraints;

/// The points that may be the answer: not excluded, and satisfying the constraints. Keeps references.
struct Allowed {
  // NOLINTNEXTLINE(google-explicit-constructor): points to exclude are all that most callers have to say
  Allowed(const PointSet& points = kNoPoints, const Constraints& known = kNoConstraints)
      : excluded(points), constraints(known) {}

  const PointSet& excluded;
  const Constraints& constraints;

  [[nodiscard]] bool contains(const Point& x) const {
    return (excluded.empty() || !excluded.contains(x)) && constraints.satisfied(x);
  }
};

struct Minimum {
  Point x;
  double value = 0;
  /// Certified: no point that satisfies the constraints is below, excluded ones too.
  double lower_bound = -std::numeric_limits<double>::infinity();
  Status status = Status::ok;
  std::string how = {};  // where that is not what the name of the minimizer says
};

class Minimizer {
 public:
  virtual ~Minimizer() = default;
  /// Throws InvalidArgument when it cannot treat polynomials of this order over this space under these constraints.
  virtual void check(const Space& space, const Constraints& constraints, int order) const = 0;
  /// The best allowed point found. Throws SpaceExhausted when there is none. Deterministic in (f, allowed, rng) for any
  /// number of threads.
  [[nodiscard]] virtual Minimum minimize(const Polynomial& f, const Allowed& allowed, Rng& rng) const = 0;
};

/// Throws InvalidArgument unless the space is binary and the order at most 2; `who` needs that.
void check_quadratic(const std::string& who, const Space& space, int order);

/// Their names: "auto", "sdp", "annealing", "tabu", "exact".
const Alternatives<MinimizerOptions>& minimizers();

/// Throws InvalidArgument for options out of bounds.
std::unique_ptr<Minimizer> make_minimizer(const MinimizerOptions& options);
/// "annealing:sweeps=50". Throws InvalidArgument.
std::unique_ptr<Minimizer> make_minimizer(const Spec& spec);

}  // namespace bocs
