#include "bocs/acquire/thompson.hpp"

#include <algorithm>
#include <chrono>

#include "bocs/acquire/initial.hpp"
#include "bocs/base/clock.hpp"
#include "bocs/minimize/bound.hpp"
#include "bocs/model/values.hpp"

namespace bocs {
namespace {

/// The first measurement of every point; `stable` counts the leading ones that stay where they are.
Data first_of_each(const Data& all, int& stable) {
  const auto before = static_cast<std::size_t>(stable);
  Data data;
  PointSet taken;
  std::vector<double> y;
  for (std::size_t i = 0; i < all.x.size(); ++i) {
    if (!taken.insert(all.x[i]).second) {
      if (i < before) --stable;
      continue;
    }
    data.x.push_back(all.x[i]);
    y.push_back(all.y[static_cast<Eigen::Index>(i)]);
  }
  data.y = Eigen::Map<const Vector>(y.data(), static_cast<Eigen::Index>(y.size()));
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
  StablePrefix stable{values.stable_prefix(),
                      Rng(now.task.seed, "anchor", static_cast<std::uint64_t>(model_->basis()->regular_order()))};
  const Data data = options_.repeated ? values.complete() : first_of_each(values.complete(), stable.rows);
  Draw draw = model_->draw(data, stable, 1, draw_rng).front();
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
  Rng minimize_rng(now.task.seed, "minimize", index);
  const Allowed allowed(now.repeats ? kNoPoints : now.history.seen(), now.task.constraints);
  Minimum minimum = minimizer_->minimize(f, allowed, minimize_rng);
  if (!std::isfinite(minimum.lower_bound)) {  // most minimizers prove nothing
    Rng bound_rng(now.task.seed, "bound", index);
    minimum.lower_bound = lower_bound(f, minimum.x, bound_rng);
  }
  info.minimize_seconds = seconds_since(drawn);
  info.predicted = minimum.value / values.unit();
  if (std::isfinite(minimum.lower_bound)) info.lower_bound = minimum.lower_bound / values.unit();
  info.status = draw.repairs > 0 ? Status::repaired : minimum.status;
  info.how = "order " + std::to_string(model_->basis()->regular_order());
  if (!minimum.how.empty()) info.how += ", " + minimum.how;
  proposal.x = std::move(minimum.x);
  return proposal;
}

}  // namespace bocs
