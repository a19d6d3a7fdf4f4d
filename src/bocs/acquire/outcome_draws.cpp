#include "bocs/acquire/outcome_draws.hpp"

#include <algorithm>
#include <optional>

#include "bocs/model/scalarization.hpp"

namespace bocs {
namespace {

constexpr int kGrowing = 7;    // weights tried until no limit is broken: 1/4, 1, 4, ... of the units
constexpr int kNarrowing = 3;  // and then between the last two

/// A draw of an outcome, with an anchor of its own. Values that no regression can treat are drawn as 0: such an outcome
/// says nothing.
Polynomial draw_of(const ProposalContext& now, const PolynomialModel& model, const DrawData& data, const Vector& y,
                   std::string_view stream, std::size_t k) {
  Rng rng = Rng(now.task.seed, stream, static_cast<std::uint64_t>(now.number)).fork(k);
  const auto order = static_cast<std::uint64_t>(model.basis()->regular_order());
  const StablePrefix stable{data.stable, Rng(now.task.seed, "anchor", order).fork(k)};
  Draw draw = model.draw({data.x, data.of(y)}, stable, 1, rng).front();
  if (!is_finite(draw)) draw = {0, Vector::Zero(model.basis()->size())};
  return {model.basis(), std::move(draw.alpha), draw.intercept};
}

}  // namespace

Vector DrawData::of(const Vector& y) const {
  Vector result(rows.size());
  for (Eigen::Index i = 0; i < result.size(); ++i) result[i] = y[rows[static_cast<std::size_t>(i)]];
  return result;
}

int DrawnLimit::side(const Point& x) const {
  const double value = g(x);
  return value < low ? -1 : value > high ? 1 : 0;
}

std::vector<DrawnLimit> draw_limits(const ProposalContext& now, const Values& values, const PolynomialModel& model,
                                    const DrawData& data) {
  std::vector<DrawnLimit> limits;
  for (const OutcomeLimit& limit : now.task.outcomes) {
    const Vector y = values.reported(limit.metric);
    limits.push_back(
        {draw_of(now, model, data, y, "draw outcome", limits.size()), limit.low, limit.high, Standard(y).scale()});
  }
  return limits;
}

Polynomial weighted_goals(const ProposalContext& now, const Values& values, const PolynomialModel& model,
                          const DrawData& data, Polynomial first) {
  const Scalarization direction(now.task, now.history, now.number);
  first.scale(direction.weight(0) / values.unit());
  for (std::size_t k = 1; k < now.task.goals.size(); ++k) {
    const Goal& goal = now.task.goals[k];
    const double weight = oriented(goal.sense, direction.weight(static_cast<int>(k)));
    if (goal.known != nullptr) {
      first.add(*goal.known, weight);
    } else {
      first.add(draw_of(now, model, data, values.reported(goal.name), "draw goal", k), weight);
    }
  }
  return first;
}

Minimum minimize_within(const Polynomial& f, const std::vector<DrawnLimit>& limits, double unit,
                        const Minimizer& minimizer, const Allowed& allowed, Rng& rng) {
  std::vector<int> sides(limits.size(), 0);  // of the limits that some minimum has broken
  std::optional<Minimum> best;
  Minimum last;
  double weight = 0, too_small = 0, enough = 0;
  for (int growing = 0, narrowing = 0; growing <= kGrowing && narrowing <= kNarrowing;) {
    Polynomial sum = f;
    for (std::size_t k = 0; k < limits.size(); ++k) {
      if (sides[k] != 0) sum.add(limits[k].g, weight * unit * sides[k] / limits[k].unit);
    }
    Minimum minimum = minimizer.minimize(sum, allowed, rng);
    bool is_within = true;
    for (std::size_t k = 0; k < limits.size(); ++k) {
      const int side = limits[k].side(minimum.x);
      if (side == 0) continue;
      sides[k] = side;
      is_within = false;
    }
    if (is_within && weight == 0) return minimum;
    minimum.value = f(minimum.x);
    minimum.lower_bound = -std::numeric_limits<double>::infinity();
    (is_within ? enough : too_small) = weight;
    if (is_within && (!best || minimum.value < best->value)) best = minimum;
    last = std::move(minimum);
    if (best) {
      ++narrowing;
      weight = (too_small + enough) / 2;
    } else {
      ++growing;
      weight = weight == 0 ? 0.25 : 4 * weight;
    }
  }
  return best ? *best : last;
}

}  // namespace bocs
