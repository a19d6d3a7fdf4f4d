#include "bocs/method/explain.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/method/explaining_draws.hpp"
#include "bocs/method/variation.hpp"
#include "bocs/model/polynomial_model.hpp"
#include "bocs/model/values.hpp"
#include "bocs/numeric/parallel.hpp"
#include "bocs/regress/horseshoe.hpp"

namespace bocs {
namespace {

constexpr int kChains = 4;
constexpr double kEffort = 2e11;     // operations for all sweeps, some ten seconds
constexpr double kMostSweeps = 300;  // of a chain: a third left out, of the rest every second one kept
constexpr double kFewestSweeps = 24;
constexpr std::size_t kShareDraws = 100;  // are enough for the shares

/// The value below which a share q of the sorted values lies, by linear interpolation.
double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Mean and interval of a number, or of a coefficient and its sign, from draws.
template <class Summary>
Summary summarize(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  Summary summary;
  for (const double value : values) summary.mean += value / count;
  summary.low = quantile(values, 0.025);
  summary.high = quantile(values, 0.975);
  if constexpr (requires { summary.probability; }) {
    const auto same_sign = [&](double value) { return value * summary.mean > 0; };
    summary.probability = static_cast<double>(std::count_if(values.begin(), values.end(), same_sign)) / count;
  }
  return summary;
}

/// A sweep solves a system of N equations in p unknowns, or of p in N, whichever is smaller.
double sweep_cost(double trials, double terms) {
  return std::min(trials, terms) * std::min(trials, terms) * std::max(trials, terms) + 1e5;
}

/// Every k-th of the trials, with the smallest k that leaves time for the fewest sweeps.
Data affordable(Data data, double terms) {
  std::size_t step = 1;
  const auto rows = [&] { return static_cast<double>(data.x.size()) / static_cast<double>(step); };
  while (rows() > 100 && kChains * kFewestSweeps * sweep_cost(rows(), terms) > kEffort) ++step;
  if (step == 1) return data;
  Data kept;
  for (std::size_t i = 0; i < data.x.size(); i += step) kept.x.push_back(data.x[i]);
  kept.y.resize(static_cast<Eigen::Index>(kept.x.size()));
  for (Eigen::Index i = 0; i < kept.y.size(); ++i) kept.y[i] = data.y[i * static_cast<Eigen::Index>(step)];
  return kept;
}

/// Throws InvalidArgument for a metric that some trial did not report.
Vector reported(const Values& values, const std::string& metric) {
  std::set<std::string> all;
  for (const Trial* trial : values.trials()) {
    for (const auto& [name, number] : trial->metrics) all.insert(name);
  }
  for (const Trial* trial : values.trials()) {
    require(trial->metrics.contains(metric), [&] {
      return "trial " + std::to_string(trial->number) + " did not report '" + metric + "'; the trials report " +
             (all.empty() ? "no metrics" : joined({all.begin(), all.end()}));
    });
  }
  return values.reported(metric);
}

}  // namespace

int Explanation::sure() const {
  return static_cast<int>(std::count_if(effects.begin(), effects.end(), [](const Effect& e) { return e.is_sure(); }));
}

int Explanation::matter() const {
  int count = 0;
  for (std::size_t k = 0; k < effects.size(); ++k) {
    const bool large = effects[k].mean != 0 && std::abs(effects[k].mean) >= 0.05 * std::abs(effects.front().mean);
    if (effects[k].is_sure() || large) count = static_cast<int>(k) + 1;
  }
  return count;
}

ExplainingDraws explaining_draws(const Method& method, const Task& task, const History& history, Sense sense,
                                 const ExplainOptions& options) {
  const auto complete = history.complete();
  require(complete.size() >= 2, [&] {
    return "an explanation needs at least two complete trials; there are " + std::to_string(complete.size());
  });
  require(options.draws == 0 || options.draws >= kChains, "an explanation needs at least four draws");
  const PolynomialModel* own = method.explained_model(task, history);
  PolynomialModel model = own != nullptr ? *own : PolynomialModel(task.space, {}, std::make_shared<const Horseshoe>());
  if (options.order > 0) model = model.of_order(options.order);
  ExplainingDraws result;
  result.basis = model.basis();
  result.own = own != nullptr && options.order == 0;
  const Values values(task, history);
  const bool of_value = options.outcome.empty();
  Data told = values.complete();
  if (!of_value) told.y = reported(values, options.outcome);
  Data data = affordable(std::move(told), result.basis->size());
  if (of_value && sense == Sense::maximize) data.y = -data.y;
  result.trials = static_cast<int>(data.x.size());
  const double cost = sweep_cost(result.trials, result.basis->size());
  const double affordable_sweeps = std::clamp(kEffort / kChains / cost, kFewestSweeps, kMostSweeps);
  const int draws = options.draws > 0 ? options.draws / kChains : static_cast<int>(affordable_sweeps / 3);
  const int sweeps = options.sweeps > 0 ? options.sweeps : static_cast<int>(affordable_sweeps / 3);
  const Rng streams(task.seed, "explain", static_cast<std::uint64_t>(complete.size()));
  std::vector<std::vector<Draw>> chains(kChains);
  parallel_for(kChains, options.threads, [&](int c) {
    Rng rng = streams.fork(static_cast<std::uint64_t>(c));
    const auto all = model.draw(data, sweeps + 2 * draws, rng);
    for (std::size_t k = sweeps + 1; k < all.size(); k += 2) chains[c].push_back(all[k]);
  });
  for (auto& chain : chains) std::move(chain.begin(), chain.end(), std::back_inserter(result.draws));
  for (Draw& draw : result.draws) {
    draw.intercept /= of_value ? values.unit() : 1;
    draw.alpha /= of_value ? values.unit() : 1;
  }

  const Vector varying = Design(result.basis, data.x).varying();
  for (int k = 0; k < result.basis->size(); ++k) {
    if (varying[k] != 0) result.terms.push_back(k);
  }
  return result;
}

Explanation explain(const ExplainingDraws& posterior) {
  const Basis& basis = *posterior.basis;
  Explanation result{basis.order(), posterior.own, posterior.trials, static_cast<int>(posterior.draws.size()), {}, {}};
  for (const int k : posterior.terms) {
    std::vector<double> values;
    for (const Draw& draw : posterior.draws) values.push_back(draw.alpha[k]);
    auto effect = summarize<Effect>(std::move(values));
    for (const int f : basis.monomial(k)) {
      effect.names.push_back(basis.name(f));  // the first monomials are the single features
    }
    result.effects.push_back(std::move(effect));
  }
  std::stable_sort(result.effects.begin(), result.effects.end(),
                   [](const Effect& a, const Effect& b) { return std::abs(a.mean) > std::abs(b.mean); });

  const Variation variation(basis, posterior.terms);
  std::vector<std::vector<double>> shares(basis.space().dimension());
  const std::size_t step = (posterior.draws.size() + kShareDraws - 1) / kShareDraws;
  for (std::size_t i = 0; i < posterior.draws.size(); i += step) {
    const Vector of_draw = variation.shares(posterior.draws[i].alpha);
    for (std::size_t v = 0; v < shares.size(); ++v) shares[v].push_back(of_draw[static_cast<Eigen::Index>(v)]);
  }
  for (std::size_t v = 0; v < shares.size(); ++v) {
    result.shares.push_back(summarize<Share>(std::move(shares[v])));
    result.shares.back().variable = static_cast<int>(v);
  }
  std::stable_sort(result.shares.begin(), result.shares.end(),
                   [](const Share& a, const Share& b) { return a.mean > b.mean; });
  return result;
}

Explanation explain(const Method& method, const Task& task, const History& history, Sense sense,
                    const ExplainOptions& options) {
  return explain(explaining_draws(method, task, history, sense, options));
}

}  // namespace bocs
