#include "bocs/minimize/auto.hpp"

#include <algorithm>

#include "bocs/minimize/annealing.hpp"
#include "bocs/minimize/enumerate.hpp"
#include "bocs/minimize/local_search.hpp"
#include "bocs/minimize/sdp.hpp"
#include "bocs/minimize/tabu.hpp"

namespace bocs {
namespace {

constexpr double kEnumerable = 4096;  // points: microseconds, and certainly right
constexpr int kRandomStarts = 30;     // variables up to which random starts of tabu search suffice

/// Rounded and descended solutions of the relaxation, the best few different ones first. No certificate: it would cost
/// more than the solution.
std::vector<Point> relaxed_starts(const Polynomial& f, const Quadratic& q, std::size_t count, Rng& rng) {
  constexpr int kRoundings = 100;
  const Matrix V = solve_diagonal_sdp(lift(q).B, {.tolerance = 1e-4, .certify = false}, rng).V;
  MoveScanner moves(f.space());
  Walker walker(f, Point(static_cast<std::size_t>(f.space().dimension()), 0));
  std::vector<std::pair<double, Point>> candidates;
  for (int k = 0; k < kRoundings; ++k) {
    walker.reset(round_hyperplane(V, rng));
    Incumbent ignored{Allowed()};
    moves.descend(walker, ignored);
    candidates.emplace_back(walker.value(), walker.point());
  }
  std::sort(candidates.begin(), candidates.end());
  std::vector<Point> starts;
  for (auto& [value, x] : candidates) {
    if (starts.size() < count && std::find(starts.begin(), starts.end(), x) == starts.end()) {
      starts.push_back(std::move(x));
    }
  }
  return starts;
}

}  // namespace

Minimum Auto::minimize(const Polynomial& f, const Allowed& allowed, Rng& rng) const {
  if (enumerable(f.space(), allowed.constraints, kEnumerable)) return enumerate(f, allowed);
  const auto q = f.space().dimension() > kRandomStarts ? f.quadratic() : std::nullopt;
  if (!q) return Tabu().minimize(f, allowed, rng);
  Rng own(rng.bits(), "auto");
  std::vector<Point> starts;
  if (allowed.constraints.empty()) starts = relaxed_starts(f, *q, 4, own);  // the relaxation knows no constraints
  starts.push_back(Annealing().minimize(f, allowed, own).x);
  return Tabu().minimize(f, allowed, rng, starts);
}

}  // namespace bocs
