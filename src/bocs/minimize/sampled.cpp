#include "bocs/minimize/sampled.hpp"

#include "bocs/base/error.hpp"
#include "bocs/minimize/local_search.hpp"

namespace bocs {

void Sampled::check(const Space& space, const Constraints& /*constraints*/, int order) const {
  check_quadratic("a sampler", space, order);
}

Minimum Sampled::minimize(const Polynomial& f, const Allowed& allowed, Rng& rng) const {
  check(f.space(), allowed.constraints, f.basis().order());
  const Constraints& constraints = allowed.constraints;
  std::vector<Point> samples = sampler_(*f.quadratic(), rng.bits());
  require(!samples.empty(), "the sampler gave no point; it must give at least one");
  Incumbent found(allowed);
  MoveScanner moves(f.space(), constraints);
  Walker walker(f, Point(static_cast<std::size_t>(f.space().dimension()), 0));
  for (Point& sample : samples) {
    f.space().check(sample);
    if (!constraints.empty()) sample = constraints.feasible().repair(sample, rng);
    walker.reset(std::move(sample));
    found.offer(walker);
    moves.descend(walker, found);
  }
  Minimum result = best_or_nearest_allowed(f, found, std::move(walker), allowed);
  result.how = "sampler";
  return result;
}

}  // namespace bocs
