#include "bocs/minimize/auto.hpp"

#include "bocs/minimize/enumerate.hpp"
#include "bocs/minimize/tabu.hpp"

namespace bocs {
namespace {

constexpr double kEnumerable = 4096;  // points: microseconds, and certainly right

}  // namespace

Minimum Auto::minimize(const Polynomial& f, const PointSet& excluded, Rng& rng) const {
  if (f.space().no_larger_than(kEnumerable)) return enumerate(f, excluded);
  return Tabu().minimize(f, excluded, rng);
}

}  // namespace bocs
