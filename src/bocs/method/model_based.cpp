#include "bocs/method/model_based.hpp"

#include "bocs/core/error.hpp"
#include "bocs/core/numbers.hpp"
#include "bocs/model/polynomial_model.hpp"

namespace bocs {
namespace {

constexpr int kDraws = 15;      // of each model, for medians
constexpr int kAgainEvery = 4;  // with noise: every so many trials measure a point again

const PolynomialModel* polynomial_of(const Member& member) {
  return dynamic_cast<const PolynomialModel*>(&member.acquisition->model());
}

}  // namespace

ModelBased::ModelBased(ModelBasedOptions options, Portfolio portfolio)
    : options_(std::move(options)), portfolio_(std::move(portfolio)) {}

Proposal ModelBased::propose(const Task& task, const History& history, int number) const {
  const Situation now{task, history, number, options_.design.repeats};
  const bool may_measure_again = options_.noise && !history.complete().empty();
  if (may_measure_again && number >= options_.design.points && number % kAgainEvery == 0) {
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

Proposal ModelBased::propose_new(const Situation& now) const {
  const auto& [task, history, number, repeats] = now;
  const bool in_design = number < options_.design.points;
  if (in_design || history.complete().empty()) {
    Proposal proposal{in_design ? design_point(task, history, number, options_.design)
                                : initial_point(task, history, number, repeats),
                      {}};
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

std::optional<Proposal> ModelBased::propose_again(const Situation& now, Choice choose) const {
  Rng rng(now.task.seed, "remeasure", static_cast<std::uint64_t>(now.number));
  const auto points = measured(now.task, now.history, rng.fork(0));
  const MeasuredPoint* again = choose(points, rng);
  if (again == nullptr) return std::nullopt;
  Proposal proposal;
  proposal.x = again->x;
  proposal.info.predicted = again->mean;
  proposal.info.member = "again";
  proposal.info.how = "measured again, " + std::to_string(again->measurements) + " before";
  return proposal;
}

std::vector<MeasuredPoint> ModelBased::measured(const Task& task, const History& history, Rng rng) const {
  const auto complete = history.complete();
  const Data data = complete_data(history);
  std::vector<std::vector<double>> predictions(complete.size());  // of each trial under each draw
  std::vector<double> variances;
  for (const Member& member : portfolio_.members()) {
    const PolynomialModel* model = polynomial_of(member);
    if (model == nullptr || complete.size() > member.most_evaluations) continue;
    const Design X(model->basis(), data.x);
    for (const Draw& draw : model->draw(data, kDraws, rng)) {
      if (!is_finite(draw)) return {};
      const Vector f = X.times(draw.alpha);
      for (std::size_t i = 0; i < complete.size(); ++i) {
        predictions[i].push_back(draw.intercept + f[static_cast<Eigen::Index>(i)]);
      }
      variances.push_back(draw.sigma2);
    }
  }
  // Medians: means would follow the horseshoe's heavy tails.
  Vector middle(static_cast<Eigen::Index>(complete.size()));
  for (std::size_t i = 0; i < complete.size(); ++i) {
    middle[static_cast<Eigen::Index>(i)] = median(std::move(predictions[i]));
  }
  return measured_points(task, complete, middle, median(std::move(variances)));
}

// [BP18] Algorithm 1, last line, returns the optimum of the model; a point that has been measured is a safer bet.
Proposal ModelBased::recommend(const Task& task, const History& history) const {
  Proposal proposal = Method::recommend(task, history);
  if (!options_.noise && !shows_noise(history)) return proposal;
  const auto points = measured(task, history, Rng(task.seed, "recommend", static_cast<std::uint64_t>(history.size())));
  if (const MeasuredPoint* best = likely_best(points)) {
    proposal.x = best->x;
    proposal.info.predicted = best->mean;
    proposal.info.how = "likely best, from " + std::to_string(best->measurements) + " measurements and the model";
  }
  return proposal;
}

const PolynomialModel* ModelBased::polynomial(const Task& task, const History& history) const {
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
