#include "bocs/method/explain.hpp"

#include <algorithm>
#include <cmath>

#include "bocs/core/error.hpp"
#include "bocs/core/parallel.hpp"
#include "bocs/model/polynomial_model.hpp"
#include "bocs/regress/horseshoe.hpp"

namespace bocs {
namespace {

constexpr int kChains = 4;

/// The value below which a share q of the sorted values lies, by linear interpolation.
double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Mean, interval and sign of one coefficient from its draws.
Effect summarize(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  Effect effect;
  for (const double value : values) effect.mean += value / count;
  effect.low = quantile(values, 0.025);
  effect.high = quantile(values, 0.975);
  const auto same_sign = [&](double value) { return value * effect.mean > 0; };
  effect.probability = static_cast<double>(std::count_if(values.begin(), values.end(), same_sign)) / count;
  return effect;
}

/// Of the method, or, if it has none, of order 2.
PolynomialModel explaining_model(const Method& method, const Task& task, const History& history, int order) {
  const PolynomialModel* own = method.polynomial(task, history);
  const PolynomialModel model =
      own != nullptr ? *own : PolynomialModel(task.space, {}, std::make_shared<const Horseshoe>());
  return order > 0 ? model.of_order(order) : model;
}

}  // namespace

std::vector<Effect> explain(const Method& method, const Task& task, const History& history, Sense sense,
                            const ExplainOptions& options) {
  const auto complete = history.complete();
  require(complete.size() >= 2, [&] {
    return "an explanation needs at least two complete trials; there are " + std::to_string(complete.size());
  });
  require(options.draws >= kChains, "an explanation needs at least four draws");
  Data data = complete_data(history);
  if (sense == Sense::maximize) data.y = -data.y;
  const PolynomialModel model = explaining_model(method, task, history, options.order);
  const Rng streams(task.seed, "explain", static_cast<std::uint64_t>(complete.size()));
  std::vector<std::vector<Draw>> chains(kChains);
  parallel_for(kChains, options.threads, [&](int c) {
    Rng rng = streams.fork(static_cast<std::uint64_t>(c));
    const auto draws = model.draw(data, options.sweeps + 2 * (options.draws / kChains), rng);
    for (std::size_t k = options.sweeps + 1; k < draws.size(); k += 2) chains[c].push_back(draws[k]);
  });

  const auto basis = model.basis();
  const Design X(basis, data.x);
  std::vector<Effect> effects;
  for (int k = 0; k < basis->size(); ++k) {
    if (X.varying()[k] == 0) continue;
    std::vector<double> values;
    for (const auto& draws : chains) {
      for (const Draw& draw : draws) values.push_back(draw.alpha[k]);
    }
    Effect effect = summarize(std::move(values));
    for (const int f : basis->monomial(k)) {
      effect.names.push_back(basis->name(f));  // the first monomials are the single features
    }
    effects.push_back(std::move(effect));
  }
  std::stable_sort(effects.begin(), effects.end(),
                   [](const Effect& a, const Effect& b) { return std::abs(a.mean) > std::abs(b.mean); });
  return effects;
}

}  // namespace bocs
