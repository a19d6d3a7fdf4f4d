#include "bocs/method/bocs.hpp"

#include <algorithm>
#include <chrono>

#include "bocs/core/error.hpp"
#include "bocs/method/competition.hpp"
#include "bocs/method/initial.hpp"

namespace bocs {
namespace {

constexpr int kMeasuredDraws = 15;   // of each model, for medians
constexpr std::size_t kMany = 1000;  // evaluations: above, only order 2, whose cost grows linearly with them
constexpr int kRemeasureEvery = 4;   // with noise: every so many trials measure a point again

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Data {
  std::vector<Point> x;
  Vector y;
};

Data training_data(const std::vector<const Trial*>& complete) {
  Data data{{}, Vector(static_cast<Eigen::Index>(complete.size()))};
  for (const Trial* trial : complete) {
    data.y[static_cast<Eigen::Index>(data.x.size())] = trial->y;
    data.x.push_back(trial->x);
  }
  return data;
}

/// Shows what the model could not learn otherwise: the levels of variables, and the extra monomials.
InitialDesign initial_design(const BocsOptions& options, const Basis& basis) {
  InitialDesign design{options.initial, options.repeats, options.all_values()};
  for (int k = basis.regular_size(); k < basis.size(); ++k) {
    Point& pattern = design.patterns.emplace_back(static_cast<std::size_t>(basis.space().dimension()), -1);
    for (const int f : basis.monomial(k)) {
      const Feature& feature = basis.features()[static_cast<std::size_t>(f)];
      pattern[static_cast<std::size_t>(feature.variable)] =
          feature.scale > 0 ? basis.space()[feature.variable].levels - 1 : feature.level;  // where it is 1
    }
  }
  return design;
}

bool usable(const Draw& draw) { return std::isfinite(draw.intercept) && draw.alpha.allFinite(); }

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

/// Failures as part of the draw: a draw of the chance to fail, which is the regression of 1 (failed) and 0 (complete)
/// on the same monomials, times what a failure costs. Failing is worth as much as the worst value seen: regions that
/// fail are avoided, not forbidden.
void add_failures(const Task& task, const History& history, const Surrogate& surrogate, Rng rng, Draw& draw) {
  std::vector<Point> points;
  std::vector<double> failed;
  double best = std::numeric_limits<double>::infinity();
  double worst = -best;
  for (const Trial& trial : history.trials()) {
    if (trial.state != State::complete && trial.state != State::failed) continue;
    points.push_back(trial.x);
    failed.push_back(trial.state == State::failed ? 1 : 0);
    if (trial.state != State::complete) continue;
    best = std::min(best, total(task, trial));
    worst = std::max(worst, total(task, trial));
  }
  if (std::find(failed.begin(), failed.end(), 1.0) == failed.end()) return;
  const Vector y = Eigen::Map<const Vector>(failed.data(), static_cast<Eigen::Index>(failed.size()));
  const Draw chance = surrogate.regression->sample(Design(surrogate.basis, points), y, 1, rng).front();
  const double cost = worst > best ? worst - best : 1;
  Draw avoiding = draw;
  avoiding.alpha += cost * chance.alpha;
  avoiding.intercept += cost * chance.intercept;
  if (usable(avoiding)) draw = std::move(avoiding);  // not at the edge of what a double holds
}

}  // namespace

Bocs::Bocs(BocsOptions options, std::vector<Surrogate> surrogates, std::unique_ptr<Minimizer> minimizer,
           std::unique_ptr<Method> polish)
    : options_(std::move(options)),
      surrogates_(std::move(surrogates)),
      minimizer_(std::move(minimizer)),
      polish_(std::move(polish)) {}

std::span<const Surrogate> Bocs::affordable(std::size_t evaluations) const {
  return {surrogates_.data(), evaluations > kMany ? 1 : surrogates_.size()};
}

const Surrogate& Bocs::surrogate_for(const Task& task, const History& history, int number) const {
  const auto surrogates = affordable(history.complete().size());
  if (surrogates.size() == 1) return surrogates.front();
  const Orders orders{surrogates.front().basis->regular_order(), surrogates.back().basis->regular_order()};
  return next_order(task, history, orders, number) == orders.low ? surrogates.front() : surrogates.back();
}

Proposal Bocs::propose(const Task& task, const History& history, int number) const {
  const bool may_repeat = options_.noise && !history.complete().empty();
  if (may_repeat && number >= options_.initial && number % kRemeasureEvery == 0) {
    if (auto again = propose_again(task, history, number, to_measure_again)) return std::move(*again);
  }
  try {
    return propose_new(task, history, number);
  } catch (const SpaceExhausted&) {
    if (!may_repeat) throw;
    auto again = propose_again(task, history, number, to_measure_at_last);
    if (!again) throw;
    return std::move(*again);
  }
}

std::optional<Proposal> Bocs::propose_again(const Task& task, const History& history, int number, Choice choose) const {
  Rng rng(task.seed, "remeasure", static_cast<std::uint64_t>(number));
  const auto points = measured(task, history, rng.fork(0));
  const Worth* again = choose(points, rng);
  if (again == nullptr) return std::nullopt;
  Proposal proposal;
  proposal.x = again->x;
  proposal.info.predicted = again->mean;
  proposal.info.how = "measured again, " + std::to_string(again->measurements) + " before";
  return proposal;
}

// [BP18] Algorithm 1: the body of its loop. Evaluating the point (line 7) is the caller's part.
Proposal Bocs::propose_new(const Task& task, const History& history, int number) const {
  const auto index = static_cast<std::uint64_t>(number);
  const auto complete = history.complete();
  Proposal proposal;
  Info& info = proposal.info;
  if (number < options_.initial || complete.empty()) {
    info.how = "initial design";
    proposal.x = number < options_.initial
                     ? design_point(task, history, number, initial_design(options_, *surrogates_.front().basis))
                     : initial_point(task, history, number, options_.repeats);
    return proposal;
  }
  if (!options_.repeats) require_unseen(task, history);
  if (polish_ && complete.size() <= kMany && number % options_.polish == options_.polish - 1) {
    return polish_->propose(task, history, number);
  }

  // Lines 3 and 8: the posterior given all evaluations so far. Line 5: alpha ~ P(alpha | X, y).
  const auto start = std::chrono::steady_clock::now();
  const Surrogate& surrogate = surrogate_for(task, history, number);
  const Data data = training_data(complete);
  Rng draw_rng(task.seed, "draw", index);
  const Settled settled{history.settled(), Rng(task.seed, "anchor", surrogate.basis->regular_order())};
  Draw draw = surrogate.regression->sample(Design(surrogate.basis, data.x), data.y, settled, 1, draw_rng).front();
  info.regress_seconds = seconds_since(start);
  info.repairs = draw.repairs;
  if (!usable(draw)) {  // values at the edge of what a double holds: a random point is still a fair trial
    info.how = "random: the draw is not finite";
    info.repairs += 1;
    info.status = Status::repaired;
    proposal.x = initial_point(task, history, number, options_.repeats);
    return proposal;
  }

  add_failures(task, history, surrogate, Rng(task.seed, "failures", index), draw);

  // Line 6: x = argmin f_alpha(x) + P(x), outside what has been seen.
  const auto drawn = std::chrono::steady_clock::now();
  Polynomial f(surrogate.basis, std::move(draw.alpha), draw.intercept);
  f.add_penalty(task);
  Rng minimize_rng(task.seed, "minimize", index);
  const Allowed allowed(options_.repeats ? kNoPoints : history.seen(), task.constraints);
  Minimum minimum = minimizer_->minimize(f, allowed, minimize_rng);
  info.minimize_seconds = seconds_since(drawn);
  info.predicted = minimum.value;
  info.lower_bound = minimum.lower_bound;
  info.status = draw.repairs > 0 ? Status::repaired : minimum.status;
  info.order = surrogate.basis->regular_order();
  info.how = "order " + std::to_string(info.order);
  if (!minimum.how.empty()) info.how += ", " + minimum.how;
  proposal.x = std::move(minimum.x);
  return proposal;
}

std::vector<Worth> Bocs::measured(const Task& task, const History& history, Rng rng) const {
  const auto complete = history.complete();
  const Data data = training_data(complete);
  std::vector<std::vector<double>> predictions(complete.size());  // of each trial under each draw
  std::vector<double> variances;
  for (const Surrogate& surrogate : affordable(complete.size())) {
    const Design X(surrogate.basis, data.x);
    for (const Draw& draw : surrogate.regression->sample(X, data.y, kMeasuredDraws, rng)) {
      if (!usable(draw)) return {};
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
  return worths(task, complete, middle, median(std::move(variances)));
}

// [BP18] Algorithm 1, last line, returns the optimum of the model; a point that has been measured is a safer bet.
Proposal Bocs::recommend(const Task& task, const History& history) const {
  Proposal proposal = Method::recommend(task, history);
  if (!options_.noise && !shows_noise(history)) return proposal;
  const auto points = measured(task, history, Rng(task.seed, "recommend", static_cast<std::uint64_t>(history.size())));
  if (const Worth* best = likely_best(points)) {
    proposal.x = best->x;
    proposal.info.predicted = best->mean;
    proposal.info.how = "likely best, from " + std::to_string(best->measurements) + " measurements and the model";
  }
  return proposal;
}

}  // namespace bocs
