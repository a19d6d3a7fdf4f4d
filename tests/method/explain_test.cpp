#include "bocs/method/explain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/method/variation.hpp"
#include "bocs/model/polynomial_model.hpp"
#include "bocs/model/values.hpp"
#include "bocs/regress/bayes.hpp"

namespace bocs {
namespace {

/// With the method of that spec.
std::vector<Effect> explain(const std::string& method, const Task& task, const History& history, Sense sense,
                            const ExplainOptions& options = {}) {
  return explain(*make_method(method, task.space), task, history, sense, options).effects;
}

/// The order of the polynomial that leads.
int leading_order(const std::string& method, const Task& task, const History& history) {
  return make_method(method, task.space)->explained_model(task, history)->basis()->order();
}

Space mixed() {
  return Space({binary("a"), binary("b"), binary("c"), binary("d"), binary("e"), binary("f"),
                categorical("depot", {"north", "south", "river"}), integer("crew", 1, 5)});
}

/// f = 1 + 3 a - 2 b d + 4 [depot = river] + 0.5 crew, with a little noise.
History observed(Sense sense, int count) {
  const Space space = mixed();
  Rng rng(5, "explain test");
  History history;
  for (int n = 0; n < count; ++n) {
    Trial trial;
    trial.number = n;
    trial.x = space.random(rng);
    const auto& x = trial.x;
    const double f = 1 + 3.0 * x[0] - 2.0 * x[1] * x[3] + (x[6] == 2 ? 4 : 0) + 0.5 * (x[7] + 1) + 0.05 * rng.normal();
    history.add(trial);
    history.finish(n, Outcome::value(oriented(sense, f)));
  }
  return history;
}

TEST(Explain, FindsTheTermsOfAKnownPolynomialInTheUsersSense) {
  const std::vector<std::pair<std::vector<std::string>, double>> truth{
      {{"depot=river"}, 4}, {{"a"}, 3}, {{"b", "d"}, -2}, {{"crew"}, 2}};  // crew: from 1 to 5
  for (const Sense sense : {Sense::minimize, Sense::maximize}) {
    const auto effects = explain("bocs:order=2", {mixed()}, observed(sense, 150), sense);
    ASSERT_GE(effects.size(), truth.size() + 10);
    for (const auto& [names, coefficient] : truth) {
      const auto end = effects.begin() + static_cast<std::ptrdiff_t>(truth.size());
      const auto found = std::find_if(effects.begin(), end, [&](const Effect& e) { return e.names == names; });
      ASSERT_NE(found, end) << names.front() << " is not among the strongest";
      EXPECT_NEAR(found->mean, coefficient, 0.15) << names.front();
      EXPECT_LT(found->low, coefficient + 0.05);
      EXPECT_GT(found->high, coefficient - 0.05);
      EXPECT_LT(found->high - found->low, 0.6);
      EXPECT_GT(found->probability, 0.99);
    }
    for (std::size_t k = truth.size(); k < effects.size(); ++k) EXPECT_LT(std::abs(effects[k].mean), 0.2);
  }
}

TEST(Explain, IntervalsCoverTheTruth) {
  int covered = 0, all = 0;
  for (int seed = 0; seed < 6; ++seed) {
    const Space space = Space::binary(8);
    Rng rng(static_cast<std::uint64_t>(seed), "coverage");
    History history;
    for (int n = 0; n < 60; ++n) {
      Trial trial;
      trial.number = n;
      trial.x = space.random(rng);
      history.add(trial);
      history.finish(n, Outcome::value(2.0 * trial.x[0] - 1.5 * trial.x[1] * trial.x[2] + 0.3 * rng.normal()));
    }
    for (const Effect& effect : explain("bocs:order=2", {space}, history, Sense::minimize)) {
      const double truth = effect.names == std::vector<std::string>{"x0"}         ? 2
                           : effect.names == std::vector<std::string>{"x1", "x2"} ? -1.5
                                                                                  : 0;
      covered += effect.low <= truth && truth <= effect.high ? 1 : 0;
      ++all;
    }
  }
  EXPECT_EQ(all, 6 * 36);
  EXPECT_GE(covered, all * 9 / 10);
}

TEST(Explain, SameBitsForAnyNumberOfThreads) {
  const History history = observed(Sense::minimize, 40);
  ExplainOptions options{.draws = 40, .sweeps = 10};
  const auto one = explain("bocs:order=2", {mixed()}, history, Sense::minimize, options);
  options.threads = 4;
  const auto four = explain("bocs:order=2", {mixed()}, history, Sense::minimize, options);
  ASSERT_EQ(one.size(), four.size());
  for (std::size_t k = 0; k < one.size(); ++k) EXPECT_EQ(one[k].mean, four[k].mean);
}

TEST(Explain, LeavesOutWhatDoesNotVaryAndRefusesTooLittle) {
  History history;
  for (int n = 0; n < 4; ++n) {
    Trial trial;
    trial.number = n;
    trial.x = {n % 2, n / 2, 1};
    history.add(trial);
    if (n == 1) {
      EXPECT_THROW(explain("ei", {Space::binary(3)}, history, Sense::minimize), InvalidArgument);
    }
    history.finish(n, Outcome::value(n));
  }
  for (const auto& effect : explain("ei", {Space::binary(3)}, history, Sense::minimize, {.order = 1})) {
    EXPECT_NE(effect.names, std::vector<std::string>{"x2"});
    EXPECT_EQ(effect.names.size(), 1U);
  }
}

TEST(Explain, TheModelIsTheOneOfTheMethod) {
  const Task task{mixed()};
  const auto effects = explain("bocs:order=1,extra=d*b*a,exclude=c,integers=levels,model.sweeps=50", task,
                               observed(Sense::minimize, 40), Sense::minimize, {.draws = 40});
  std::set<std::vector<std::string>> terms;
  for (const auto& effect : effects) terms.insert(effect.names);
  const std::set<std::vector<std::string>> expected{{"a"},      {"b"},           {"d"},           {"e"},
                                                    {"f"},      {"depot=south"}, {"depot=river"}, {"crew=2"},
                                                    {"crew=3"}, {"crew=4"},      {"crew=5"},      {"a", "b", "d"}};
  EXPECT_EQ(terms, expected);
}

/// Ten proposals of order 2 and ten of order 3, those of `better` with the lower values.
History competition(const std::string& better) {
  History history;
  Rng rng(1, "competition");
  for (int n = 0; n < 20; ++n) {
    Trial trial;
    trial.number = n;
    trial.state = State::complete;
    trial.x = mixed().random(rng);
    trial.info.member = n % 2 == 0 ? "order 2" : "order 3";
    trial.y = trial.info.member == better ? 0 : 1;
    history.add(trial);
  }
  return history;
}

TEST(Explain, OfCompetingModelsTheBetterOneIsExplained) {
  const Task task{mixed()};
  EXPECT_EQ(leading_order("bocs", task, competition("order 2")), 2);
  EXPECT_EQ(leading_order("bocs", task, competition("order 3")), 3);
  EXPECT_EQ(leading_order("bocs", task, {}), 2);  // nothing to choose by
  EXPECT_EQ(leading_order("bocs-sa", task, competition("order 3")), 2);
  EXPECT_EQ(leading_order("bocs:published=true,order=1,minimizer=annealing", task, {}), 1);
  EXPECT_EQ(make_method("random", task.space)->explained_model(task, {}), nullptr);
}

/// The means of standard Bayesian regression are known in closed form, and least squares has no doubt at all.
TEST(Explain, ThePosteriorIsTheOneThatProposes) {
  const Task task{Space::binary(6)};
  History history;
  Rng rng(4, "posterior");
  for (int n = 0; n < 30; ++n) {
    Trial trial;
    trial.number = n;
    trial.x = task.space.random(rng);
    history.add(trial);
    history.finish(n, Outcome::value(100 + 5.0 * trial.x[0] + rng.normal()));
  }
  // [BP18] supplement F in closed form: the posterior mean of the standard Bayesian regression.
  const PolynomialModel model(task.space, {.order = 2}, std::make_shared<Bayes>());
  const Data data = Values(task, history).complete();
  const Vector exact = Bayes().posterior(Design(model.basis(), data.x), data.y).mean.tail(model.basis()->size());
  const auto effects = explain("bocs:order=2,model=bayes", task, history, Sense::minimize, {.draws = 4000});
  ASSERT_EQ(effects.size(), 21U);
  for (const Effect& effect : effects) {
    std::string name = effect.names.front();
    if (effect.names.size() == 2) name += "*" + effect.names.back();
    EXPECT_NEAR(effect.mean, exact[*model.basis()->find(name)], (effect.high - effect.low) / 4 * 5 / std::sqrt(4000.0))
        << name;
  }
  for (const Effect& effect : explain("mle", task, history, Sense::minimize)) EXPECT_EQ(effect.low, effect.high);
}

/// The Shapley effects of f over all points of the space, from their definition: the mean, over all orders in which the
/// variables become known, of the variance that knowing the next one explains.
std::vector<double> shapley(const Space& space, const std::function<double(const Point&)>& f) {
  std::vector<Point> all = {{}};
  for (const auto& v : space.coordinates()) {
    std::vector<Point> longer;
    for (const auto& x : all) {
      for (int level = 0; level < v.levels; ++level) {
        longer.push_back(x);
        longer.back().push_back(level);
      }
    }
    all = std::move(longer);
  }
  const int d = space.dimension();
  const auto explained = [&](unsigned known) {  // Var(E[f | the variables in `known`])
    std::map<Point, std::pair<double, int>> sums;
    double mean = 0;
    for (const auto& x : all) {
      Point seen;
      for (int i = 0; i < d; ++i) seen.push_back((known >> i & 1U) != 0 ? x[i] : 0);
      sums[seen].first += f(x);
      ++sums[seen].second;
      mean += f(x) / static_cast<double>(all.size());
    }
    double variance = 0;
    for (const auto& [seen, sum] : sums) {
      variance += std::pow(sum.first / sum.second - mean, 2) * sum.second / static_cast<double>(all.size());
    }
    return variance;
  };
  std::vector<int> order(d);
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> shares(d, 0.0);
  double orders = 0;
  do {
    unsigned known = 0;
    for (const int v : order) {
      const double before = explained(known);
      known |= 1U << v;
      shares[v] += explained(known) - before;
    }
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  for (double& share : shares) share /= orders * explained((1U << d) - 1);
  return shares;
}

TEST(Variation, SharesAreTheShapleyEffectsOfTheirDefinition) {
  const Space space({binary("a"), categorical("c", {"r", "g", "b"}), integer("n", 2, 5), binary("z")});
  for (const Integers integers : {Integers::value, Integers::curve, Integers::levels}) {
    const Basis basis(space, BasisOptions{.order = 3, .integers = integers});
    std::vector<int> terms(basis.size());
    std::iota(terms.begin(), terms.end(), 0);
    Rng rng(3, "shares");
    Vector alpha(basis.size());
    for (auto& coefficient : alpha) coefficient = rng.uniform() < 0.5 ? 0 : rng.normal();
    const Vector shares = Variation(basis, terms).shares(alpha);
    const auto truth = shapley(space, [&](const Point& x) {
      double value = 0;
      for (int k = 0; k < basis.size(); ++k) value += alpha[k] * basis.value(k, x);
      return value;
    });
    for (int v = 0; v < space.dimension(); ++v) EXPECT_NEAR(shares[v], truth[v], 1e-12) << space[v].name;
    EXPECT_NEAR(shares.sum(), 1, 1e-12);
    EXPECT_EQ(Variation(basis, terms).shares(Vector::Zero(basis.size())), Vector::Zero(4));
  }
}

TEST(Explain, SharesFollowTheTruthAndTermsStopWhereTheyNoLongerMatter) {
  const Task task{mixed()};
  const auto result =
      bocs::explain(*make_method("bocs:order=2", task.space), task, observed(Sense::minimize, 150), Sense::minimize);
  // 3 a: 9/4; 4 [river]: 16 * 2/9; 0.5 crew: 0.25 * 2; -2 b d: 4 * 3/16, half each. Sum 7.06.
  const std::map<std::string, double> variance{
      {"a", 2.25}, {"depot", 32.0 / 9}, {"crew", 0.5}, {"b", 0.375}, {"d", 0.375}};
  double sum = 0;
  for (const auto& share : result.shares) {
    const auto found = variance.find(task.space[share.variable].name);
    EXPECT_NEAR(share.mean, (found == variance.end() ? 0 : found->second) / 7.0556, 0.02);
    EXPECT_LE(share.low, share.mean);
    EXPECT_GE(share.high, share.mean);
    sum += share.mean;
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_EQ(task.space[result.shares.front().variable].name, "depot");
  EXPECT_EQ(result.sure(), 4);
  EXPECT_GE(result.matter(), 4);
  EXPECT_LE(result.matter(), 8) << "of " << result.effects.size();
  EXPECT_TRUE(result.own);
  EXPECT_EQ(result.trials, 150);
}

TEST(Explain, NothingIsSureAboutNoise) {
  const Task task{Space::binary(8)};
  History history;
  Rng rng(8, "noise");
  for (int n = 0; n < 25; ++n) {
    Trial trial;
    trial.number = n;
    trial.x = task.space.random(rng);
    history.add(trial);
    history.finish(n, Outcome::value(rng.normal()));
  }
  EXPECT_EQ(bocs::explain(*make_method("bocs", task.space), task, history, Sense::minimize).sure(), 0);
}

}  // namespace
}  // namespace bocs
