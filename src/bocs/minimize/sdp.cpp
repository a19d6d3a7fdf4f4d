#include "bocs/minimize/sdp.hpp"

#include <cmath>

#include "bocs/base/error.hpp"
#include "bocs/minimize/local_search.hpp"
#include "bocs/minimize/tabu.hpp"

namespace bocs {

void SdpOptions::describe(OptionTable& table) {
  table.integer("roundings", roundings, 1, 1000000, "random roundings, of which the best counts");
  table.choice("rounding", rounding, "how vectors become points");
  table.boolean("descend", descend, "improve each rounded point by single flips");
  table.real("tolerance", tolerance, 1e-9, 1, "relative certified gap at which the relaxation counts as solved");
  table.integer("sweeps", sweeps, 1, 100000000, "limit of the passes over the vectors");
}

void Sdp::check(const Space& space, const Constraints& /*constraints*/, int order) const {
  check_quadratic("minimizer=sdp", space, order);
}

Lifting lift(const Quadratic& q) {
  // [BP18] Sec. 3.2: A~ = A/4, c = b/4 + A'1/4, B = [A~ c; c' 0]; and the constant, which the paper drops.
  const Eigen::Index d = q.b.size();
  const Vector ones = Vector::Ones(d);
  const Vector row_sums = q.A * ones;
  Lifting lifted{Matrix::Zero(d + 1, d + 1), q.c + row_sums.sum() / 4 + q.b.sum() / 2};
  lifted.B.topLeftCorner(d, d) = q.A / 4;
  lifted.B.col(d).head(d) = (q.b + row_sums) / 4;
  lifted.B.row(d).head(d) = lifted.B.col(d).head(d).transpose();
  return lifted;
}

namespace {

/// The projections of the vectors onto a random direction.
Vector project(const Matrix& V, Rng& rng) {
  Vector direction(V.rows());
  for (double& r : direction) r = rng.normal();
  return transposed_times(V, direction);
}

/// x_i = 1 where the sign agrees with that of the last coordinate, which stands for the constant 1.
template <class IsPositive>
Point relative_to_last(const Vector& projections, IsPositive&& is_positive) {
  const bool reference = is_positive(projections[projections.size() - 1]);
  Point x(static_cast<std::size_t>(projections.size()) - 1);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = is_positive(projections[static_cast<Eigen::Index>(i)]) == reference ? 1 : 0;
  }
  return x;
}

}  // namespace

Point round_hyperplane(const Matrix& V, Rng& rng) {
  return relative_to_last(project(V, rng), [](double p) { return p >= 0; });
}

Point round_charikar_wirth(const Matrix& V, Rng& rng) {
  const double T = std::sqrt(4 * std::log(static_cast<double>(V.cols())));
  const Vector projections = project(V, rng);
  return relative_to_last(projections, [&](double p) { return 2 * rng.uniform() < 1 + p / T; });
}

Minimum Sdp::minimize(const Polynomial& f, const Allowed& allowed, Rng& rng) const {
  check(f.space(), allowed.constraints, f.basis().order());
  const Rng stream(rng.bits(), "sdp");
  const Lifting lifted = lift(*f.quadratic());
  Rng start = stream.fork(0);
  const DiagonalSdp relaxation =
      solve_diagonal_sdp(lifted.B, {.tolerance = options_.tolerance, .sweeps = options_.sweeps}, start);

  const Constraints& constraints = allowed.constraints;
  Incumbent found(allowed);
  MoveScanner moves(f.space(), constraints);
  Walker walker(f, Point(static_cast<std::size_t>(f.space().dimension()), 0));
  const auto round = options_.rounding == Rounding::hyperplane ? round_hyperplane : round_charikar_wirth;
  for (int k = 0; k < options_.roundings; ++k) {
    Rng own = stream.fork(static_cast<std::uint64_t>(k) + 1);
    Point rounded = round(relaxation.V, own);
    if (!constraints.empty()) rounded = constraints.feasible().repair(rounded, own);
    walker.reset(std::move(rounded));
    found.offer(walker);
    if (options_.descend) moves.descend(walker, found);
  }
  Minimum result = best_or_nearest_allowed(f, found, std::move(walker), allowed);
  if (!constraints.empty()) {  // repairing undoes much of what the relaxation knows
    Minimum improved = Tabu().minimize(f, allowed, rng, {&result.x, 1});
    if (improved.value < result.value) result = std::move(improved);
    result.how =
        "sdp roundings repaired to the constraints and improved by tabu; the bound is that without constraints";
  }
  result.lower_bound = relaxation.lower_bound + lifted.constant;
  result.status = relaxation.status;
  return result;
}

}  // namespace bocs
