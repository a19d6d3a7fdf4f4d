#include "bocs/method/bocs.hpp"

#include <algorithm>
#include <chrono>

#include "bocs/core/error.hpp"
#include "bocs/method/competition.hpp"
#include "bocs/method/initial.hpp"

namespace bocs {
namespace {

constexpr int kRecommendDraws = 25;

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
          feature.scale > 0 ? basis.space()[feature.variable].levels - 1 : feature.level;
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

/// Each coefficient's median over the draws: a mean would follow the horseshoe's heavy tails.
Polynomial median_model(const std::shared_ptr<const Basis>& basis, const std::vector<Draw>& draws) {
  std::vector<double> values(draws.size());
  const auto median_of = [&](const auto& entry) {
    std::transform(draws.begin(), draws.end(), values.begin(), entry);
    return median(values);
  };
  Vector alpha(basis->size());
  for (Eigen::Index k = 0; k < alpha.size(); ++k) alpha[k] = median_of([k](const Draw& draw) { return draw.alpha[k]; });
  return {basis, std::move(alpha), median_of([](const Draw& draw) { return draw.intercept; })};
}

}  // namespace

Bocs::Bocs(BocsOptions options, std::vector<Surrogate> surrogates, std::unique_ptr<Minimizer> minimizer)
    : options_(std::move(options)), surrogates_(std::move(surrogates)), minimizer_(std::move(minimizer)) {}

const Surrogate& Bocs::surrogate_for(const Task& task, const History& history, int number) const {
  if (surrogates_.size() == 1) return surrogates_.front();
  const Orders orders{surrogates_.front().basis->regular_order(), surrogates_.back().basis->regular_order()};
  return next_order(task, history, orders, number) == orders.low ? surrogates_.front() : surrogates_.back();
}

// [BP18] Algorithm 1: the body of its loop. Evaluating the point (line 7) is the caller's part.
Proposal Bocs::propose(const Task& task, const History& history, int number) const {
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

  // Lines 3 and 8: the posterior given all evaluations so far. Line 5: alpha ~ P(alpha | X, y).
  const auto start = std::chrono::steady_clock::now();
  const Surrogate& surrogate = surrogate_for(task, history, number);
  const Data data = training_data(complete);
  Rng draw_rng(task.seed, "draw", index);
  Draw draw = surrogate.regression->sample(Design(surrogate.basis, data.x), data.y, 1, draw_rng).front();
  info.regress_seconds = seconds_since(start);
  info.repairs = draw.repairs;
  if (!usable(draw)) {  // values at the edge of what a double holds: a random point is still a fair trial
    info.how = "random: the draw is not finite";
    info.repairs += 1;
    info.status = Status::repaired;
    proposal.x = initial_point(task, history, number, options_.repeats);
    return proposal;
  }

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

// [BP18] Algorithm 1, last line: the optimum of the model, here of its median.
Proposal Bocs::recommend(const Task& task, const History& history) const {
  const auto complete = history.complete();
  if (complete.empty()) return Method::recommend(task, history);  // refuses

  const Data data = training_data(complete);
  std::vector<std::vector<Draw>> draws;
  std::vector<Point> candidates = data.x;
  for (std::size_t s = 0; s < surrogates_.size(); ++s) {
    const Surrogate& surrogate = surrogates_[s];
    Rng rng = Rng(task.seed, "recommend", static_cast<std::uint64_t>(history.size())).fork(s);
    draws.push_back(surrogate.regression->sample(Design(surrogate.basis, data.x), data.y, kRecommendDraws, rng));
    if (!std::all_of(draws.back().begin(), draws.back().end(), usable)) return Method::recommend(task, history);
    Polynomial f = median_model(surrogate.basis, draws.back());
    f.add_penalty(task);
    candidates.push_back(minimizer_->minimize(f, {kNoPoints, task.constraints}, rng).x);
  }

  std::vector<std::vector<double>> predictions(candidates.size());  // of each candidate under each draw
  for (std::size_t s = 0; s < surrogates_.size(); ++s) {
    const Design X(surrogates_[s].basis, candidates);
    for (const Draw& draw : draws[s]) {
      const Vector f = X.times(draw.alpha);
      for (std::size_t c = 0; c < candidates.size(); ++c) {
        predictions[c].push_back(draw.intercept + f[static_cast<Eigen::Index>(c)]);
      }
    }
  }
  Proposal proposal;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const double value = median(std::move(predictions[c])) + penalty(task, candidates[c]);
    if (proposal.x.empty() || value < proposal.info.predicted) {
      proposal.x = candidates[c];
      proposal.info.predicted = value;
    }
  }
  proposal.info.how = "smallest median prediction";
  return proposal;
}

}  // namespace bocs
