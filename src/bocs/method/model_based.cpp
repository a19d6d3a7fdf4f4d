#include "bocs/method/model_based.hpp"

#include "bocs/base/error.hpp"
#include "bocs/model/polynomial_model.hpp"

namespace bocs {
namespace {

const PolynomialModel* polynomial_of(const Member& member) {
  return dynamic_cast<const PolynomialModel*>(&member.acquisition->model());
}

/// Without repeats while there are other points, so that all methods begin with the same ones.
Point first_point(const ProposalContext& now, InitialDesign design) {
  const bool repeats = design.repeats;
  design.repeats = false;
  try {
    return design_point(now.task, now.history, now.number, design);
  } catch (const SpaceExhausted&) {
    if (!repeats) throw;
    design.repeats = true;
    return design_point(now.task, now.history, now.number, design);
  }
}

}  // namespace

void describe_initial(OptionTable& table, int& initial) {
  table.integer(
      "initial", initial, 0, 1'000'000,
      "random points before the model takes over; 0 (default): 20, 2d for d < 10, and at most a fifth of the planned "
      "trials");
}

void describe_noise(OptionTable& table, bool& noise) {
  table.boolean(
      "noise", noise,
      "measurements are random: up to every fourth trial, and all when no point is new, measures a promising point "
      "again, and the recommendation is the point that is likely best instead of the best measurement");
}

void describe_repeats(OptionTable& table, bool& repeats) {
  table.boolean("repeats", repeats, "may propose a point that has been evaluated before");
}

ModelBased::ModelBased(ModelBasedOptions options, Portfolio portfolio)
    : options_(std::move(options)), portfolio_(std::move(portfolio)) {}

Proposal ModelBased::propose(const Task& task, const History& history, int number) const {
  const ProposalContext now{task, history, number, options_.design.repeats, options_.noise || shows_noise(history)};
  const bool may_measure_again = options_.noise && !history.complete().empty();
  if (may_measure_again && number >= initial_points(task) && is_turn_to_measure_again(number)) {
    if (auto again = propose_again(now, best_in_doubt)) return std::move(*again);
  }
  try {
    return propose_new(now);
  } catch (const SpaceExhausted&) {
    if (!may_measure_again) throw;
    auto again = propose_again(now, best_in_doubt_or_likely);
    if (!again) throw;
    return std::move(*again);
  }
}

Proposal ModelBased::propose_new(const ProposalContext& now) const {
  const auto& [task, history, number, repeats, noise] = now;
  const InitialDesign design = options_.design.of(task);
  const bool in_design = number < design.points;
  if (in_design || history.complete().empty()) {
    Proposal proposal{in_design ? first_point(now, design) : initial_point(task, history, number, repeats), {}};
    proposal.info.origin = Origin::initial;
    proposal.info.how = "initial design";
    return proposal;
  }
  if (Rng(task.seed, "interleave", static_cast<std::uint64_t>(number)).uniform() < options_.random_fraction) {
    Proposal proposal{initial_point(task, history, number, repeats), {}};
    proposal.info.how = "random: interleaved";
    return proposal;
  }
  if (!repeats) require_unseen(task, history);
  const Member& member = portfolio_.next(task, history, number);
  Proposal proposal = member.acquisition->choose(now);
  proposal.info.member = member.name;
  return proposal;
}

std::optional<Proposal> ModelBased::propose_again(const ProposalContext& now, Choice choose) const {
  Rng rng(now.task.seed, "remeasure", static_cast<std::uint64_t>(now.number));
  const Model& model = portfolio_.leader(now.task, now.history).acquisition->model();
  auto points = measured_points(now.task, now.history, model, rng.fork(0));
  std::erase_if(points, [&](const MeasuredPoint& point) { return !now.task.constraints.satisfied(point.x); });
  const MeasuredPoint* again = choose(points, rng);
  if (again == nullptr) return std::nullopt;
  Proposal proposal;
  proposal.x = again->x;
  proposal.info.predicted = again->mean;
  proposal.info.member = "again";
  proposal.info.how = "measured again, " + std::to_string(again->measurements) + " before";
  return proposal;
}

// [BP18] Algorithm 1, last line, returns the optimum of the model; a point that has been measured is a safer bet.
Recommendation ModelBased::recommend(const Task& task, const History& history) const {
  const Recommendation observed = Method::recommend(task, history);
  if (!options_.noise && !shows_noise(history)) return observed;
  const Model& model = portfolio_.leader(task, history).acquisition->model();
  const Rng rng(task.seed, "recommend", static_cast<std::uint64_t>(history.size()));
  const auto points = measured_points(task, history, model, rng);
  const MeasuredPoint* best = likely_best(points);
  // Its deviation is that of a model which was fitted to these very measurements: too good to be shown.
  return best == nullptr ? observed : Recommendation{best->x, best->mean, best->error, best->measurements};
}

const PolynomialModel* ModelBased::explained_model(const Task& task, const History& history) const {
  const auto shares = portfolio_.shares(task, history);
  const PolynomialModel* best = nullptr;
  double most = -1;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const PolynomialModel* model = polynomial_of(portfolio_.members()[i]);
    if (model == nullptr || shares[i] <= most) continue;
    best = model;
    most = shares[i];
  }
  return best;
}

}  // namespace bocs
