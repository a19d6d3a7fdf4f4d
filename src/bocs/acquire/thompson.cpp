#include "bocs/acquire/thompson.hpp"

#include <algorithm>
#include <chrono>

#include "bocs/acquire/initial.hpp"
#include "bocs/acquire/outcome_draws.hpp"
#include "bocs/base/clock.hpp"
#include "bocs/minimize/bound.hpp"
#include "bocs/minimize/scan.hpp"

namespace bocs {
namespace {

/// All complete trials, or the first measurement of every point.
DrawData draw_data(const Values& values, bool repeated) {
  DrawData data{{}, {}, values.stable_prefix()};
  PointSet taken;
  const auto& all = values.complete().x;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!repeated && !taken.insert(all[i]).second) {
      if (i < static_cast<std::size_t>(values.stable_prefix())) --data.stable;
      continue;
    }
    data.x.push_back(all[i]);
    data.rows.push_back(static_cast<Eigen::Index>(i));
  }
  return data;
}

/// Adds what failing costs to the draw, times a draw of the chance to fail.
void add_failures(const ProposalContext& now, const Values& values, const PolynomialModel& model, Draw& draw) {
  Data data;
  std::vector<double> failed;
  for (const Trial& trial : now.history.trials()) {
    if (!values.counts(trial) && !values.has_failed(trial)) continue;
    data.x.push_back(trial.x);
    failed.push_back(values.has_failed(trial) ? 1 : 0);
  }
  if (std::find(failed.begin(), failed.end(), 1.0) == failed.end()) return;
  data.y = Eigen::Map<const Vector>(failed.data(), static_cast<Eigen::Index>(failed.size()));
  Rng rng(now.task.seed, "failures", static_cast<std::uint64_t>(now.number));
  const Draw chance = model.draw(data, 1, rng).front();
  const Vector totals = values.totals();
  const double cost = totals.maxCoeff() > totals.minCoeff() ? totals.maxCoeff() - totals.minCoeff() : values.unit();
  Draw avoiding = draw;
  avoiding.alpha += cost * chance.alpha;
  avoiding.intercept += cost * chance.intercept;
  if (is_finite(avoiding)) draw = std::move(avoiding);  // not at the edge of what a double holds
}

}  // namespace

// [BP18] Algorithm 1: the body of its loop. Evaluating the point (line 7) is the caller's part.
Proposal Thompson::choose(const ProposalContext& now) const {
  const auto index = static_cast<std::uint64_t>(now.number);
  Proposal proposal;
  Info& info = proposal.info;

  // Lines 3 and 8: the posterior given all evaluations so far. Line 5: alpha ~ P(alpha | X, y).
  const auto start = std::chrono::steady_clock::now();
  Rng draw_rng(now.task.seed, "draw", index);
  const Values values(now.task, now.history,
                      options_.failures ? Values::Extremes::set_apart : Values::Extremes::as_told);
  const DrawData data = draw_data(values, options_.repeated);
  const StablePrefix stable{data.stable,
                            Rng(now.task.seed, "anchor", static_cast<std::uint64_t>(model_->basis()->regular_order()))};
  Draw draw = model_->draw({data.x, data.of(values.complete().y)}, stable, 1, draw_rng).front();
  info.regress_seconds = seconds_since(start);
  info.repairs = draw.repairs;
  if (!is_finite(draw)) {  // values at the edge of what a double holds: a random point is still a fair trial
    info.how = "random: the draw is not finite";
    info.repairs += 1;
    info.status = Status::repaired;
    proposal.x = initial_point(now.task, now.history, now.number, now.repeats);
    return proposal;
  }
  if (options_.failures) add_failures(now, values, *model_, draw);

  // Line 6: x = argmin f_alpha(x) + P(x), outside what has been seen.
  const auto drawn = std::chrono::steady_clock::now();
  Polynomial f(model_->basis(), std::move(draw.alpha), draw.intercept);
  values.add_penalty(f);
  if (now.task.has_front()) f = weighted_goals(now, values, *model_, data, std::move(f));
  const std::vector<DrawnLimit> limits = draw_limits(now, values, *model_, data);
  Rng minimize_rng(now.task.seed, "minimize", index);
  const Allowed allowed(now.repeats ? kNoPoints : now.history.seen(), now.task.constraints);
  const double unit = now.task.has_front() ? 1 : Standard(values.totals()).scale();
  const Scan scan;
  const Minimizer& minimizer = now.task.constraints.candidates() != nullptr ? scan : *minimizer_;
  Minimum minimum = limits.empty() ? minimizer.minimize(f, allowed, minimize_rng)
                                   : minimize_within(f, limits, unit, minimizer, allowed, minimize_rng);
  if (limits.empty() && !std::isfinite(minimum.lower_bound)) {  // most minimizers prove nothing
    Rng bound_rng(now.task.seed, "bound", index);
    minimum.lower_bound = lower_bound(f, minimum.x, bound_rng);
  }
  info.minimize_seconds = seconds_since(drawn);
  if (!now.task.has_front()) info.predicted = minimum.value / values.unit();
  if (!now.task.has_front() && std::isfinite(minimum.lower_bound))
    info.lower_bound = minimum.lower_bound / values.unit();
  info.status = draw.repairs > 0 ? Status::repaired : minimum.status;
  info.how = "order " + std::to_string(model_->basis()->regular_order());
  if (!minimum.how.empty()) info.how += ", " + minimum.how;
  proposal.x = std::move(minimum.x);
  return proposal;
}

}  // namespace bocs
