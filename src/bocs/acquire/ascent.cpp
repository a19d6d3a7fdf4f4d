#include "bocs/acquire/ascent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bocs/acquire/ascent_data.hpp"
#include "bocs/acquire/climb.hpp"
#include "bocs/acquire/epoch.hpp"
#include "bocs/acquire/initial.hpp"
#include "bocs/base/error.hpp"
#include "bocs/rule/feasible.hpp"

namespace bocs {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// While no trial is allowed: nothing counts but the chance to be.
Score chance_alone() {
  return {"chance to be allowed", [](double, double, const ScoreContext&) { return 0.0; }, /*optimistic=*/true};
}

}  // namespace

Ascent::Ascent(std::shared_ptr<const Model> model, Score score, int patience)
    : model_(std::move(model)), score_(std::move(score)), patience_(patience) {
  require(score_.value != nullptr || score_.values != nullptr, "a score needs a function: value or values");
}

Proposal Ascent::choose(const ProposalContext& now) const {
  if (patience_ == 0) return choose_by(now.history, now);
  const Epoch epoch(now, patience_);
  if (!epoch.begins_at_random()) return choose_by(epoch.history(), now);
  Proposal proposal{initial_point(now.task, now.history, now.number, now.repeats), {}};
  proposal.info.how = "random: nothing better was found for long, the search begins anew";
  return proposal;
}

Proposal Ascent::choose_by(const History& history, const ProposalContext& now) const {
  const Task& task = now.task;
  const auto index = static_cast<std::uint64_t>(now.number);
  const Values values(task, history);
  Data complete = values.complete();
  const Standard standard(complete.y);
  complete.y = complete.y.unaryExpr(standard);
  const OtherNumbers others(now, values, standard);
  Matrix other_values;
  Data data = all_data(history, values, complete.y, others.measured(), other_values);
  if (now.noise) data.noise = noise_variance(complete);
  const Rng of_fit(task.seed, "fit", index);
  const std::unique_ptr<Posterior> posterior =
      other_values.cols() == 0 ? model_->fit(data, of_fit) : model_->fit_all(data, other_values, of_fit);
  Penalty penalty = [&](const Point& x) { return values.penalty(x) / standard.scale(); };
  if (others.has_front()) penalty = [](const Point&) { return 0.0; };  // it is part of the first goal

  // What there is to improve on: the best of the points that are allowed.
  const Vector totals = totals_of(now, values, complete.y, *posterior, others, penalty);
  const Vector violations = others.violations(*posterior);
  ScoreContext context{kInfinity, now.number, static_cast<int>(complete.x.size())};
  for (Eigen::Index i = 0; i < totals.size(); ++i) {
    if (violations[i] == 0) context.best = std::min(context.best, totals[i]);
  }
  if (context.best < kInfinity) {
    context.best = std::min(context.best, best_expected(data.under_way, *posterior, penalty, others));
  }
  const Score score = context.best < kInfinity ? score_ : chance_alone();
  Climb climb(now, *posterior, penalty, score, context, others);
  Rng rng(task.seed, "acquire", index);
  if (task.constraints.candidates() != nullptr) {
    climb.over_candidates();
  } else {
    std::vector<Point> starts = best_points(complete.x, totals, violations, Climb::kMostStarts);
    for (Point& x : starts) {  // the rules of a batch are not those of trials before it
      if (!task.constraints.satisfied(x)) x = task.constraints.feasible().repair(x, rng);
    }
    climb.from(std::move(starts), rng);
    climb.refine();
  }

  Proposal proposal;
  proposal.info.repairs = posterior->repairs();
  proposal.info.status = posterior->repairs() != 0 ? Status::repaired : Status::ok;
  if (climb.best().empty()) {
    proposal.x = initial_point(task, now.history, now.number, now.repeats);
    proposal.info.how = "random: the search met only known points";
    return proposal;
  }
  proposal.x = climb.best();
  proposal.info.how = score.name;
  if (others.has_front()) return proposal;  // a prediction of one trial's direction tells nobody anything
  const Prediction f = posterior->predict({&proposal.x, 1});
  proposal.info.predicted = standard.original(f.mean[0]) / values.unit() + bocs::penalty(task, proposal.x);
  return proposal;
}

}  // namespace bocs
