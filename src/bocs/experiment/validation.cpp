#include "bocs/experiment/validation.hpp"

#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/experiment/statistics.hpp"
#include "bocs/problem/problem.hpp"
#include "bocs/regress/regression.hpp"
#include "bocs/rule/feasible.hpp"

namespace bocs {
namespace {

constexpr double kLarge = 0.1;  // [BP18] supplement B

struct Model {
  std::shared_ptr<const Basis> basis;
  std::unique_ptr<Regression> regression;
  bool predicts_by_mean = false;
};

Model make_model(const std::string& text, const Space& space) {
  Spec spec = Spec::parse(text);
  int order = 2;
  OptionTable own;
  own.integer("order", order, 1, 8, "");
  const auto is_order = [](const auto& setting) { return setting.first == "order"; };
  const auto rest = std::stable_partition(spec.settings.begin(), spec.settings.end(), is_order);
  own.apply({spec.name, {spec.settings.begin(), rest}});
  spec.settings.erase(spec.settings.begin(), rest);
  return {std::make_shared<Basis>(space, order), make_regression(spec), spec.name == "bayes"};
}

/// Random points, all different; the first n do not depend on how many are asked for.
std::vector<Point> random_points(const Problem& problem, std::uint64_t seed, const char* purpose, int count,
                                 PointSet& taken) {
  const double wanted = static_cast<double>(count) + static_cast<double>(taken.size());
  const bool enough = problem.constraints.empty() ? !problem.space.no_larger_than(wanted)
                                                  : problem.constraints.feasible().count().value_or(INFINITY) > wanted;
  require(enough, [&] {
    return "the space has too few points for " + std::to_string(count) + " " + purpose + " points and the others";
  });
  Rng rng(seed, purpose);
  std::vector<Point> points;
  while (static_cast<int>(points.size()) < count) {
    Point x = random_point(problem.space, problem.constraints, rng);
    if (taken.insert(x).second) points.push_back(std::move(x));
  }
  return points;
}

/// The data of a cell, seen through its model.
struct Fit {
  Problem problem;
  Model model;
  std::vector<Point> test;
  std::vector<Draw> draws;
};

Fit fit(const Cell& cell) {
  Fit result{make_problem(cell.problem, cell.instance), {}, {}, {}};
  const Space& space = result.problem.space;
  result.model = make_model(cell.method, space);
  PointSet taken;
  result.test = random_points(result.problem, cell.task_seed(), "test", cell.test_points, taken);
  const auto train = random_points(result.problem, cell.task_seed(), "training", cell.trials, taken);
  Vector y(cell.trials);
  for (int i = 0; i < cell.trials; ++i) {
    const Point& x = train[static_cast<std::size_t>(i)];
    y[i] = result.problem.f(x);
  }
  Rng rng(cell.task_seed(), "regression");
  result.draws = result.model.regression->sample(Design(result.model.basis, train), y, cell.draws, rng);
  return result;
}

}  // namespace

void check_model(const Cell& cell, const Space& space) { make_model(cell.method, space); }

CellResult validate(const Cell& cell) {
  const Fit fitted = fit(cell);
  const Design design(fitted.model.basis, fitted.test);
  std::vector<std::vector<Observation>> predictions(fitted.test.size());  // of every test point, by draw
  for (const auto& draw : fitted.draws) {
    const Vector values = design.times(draw.alpha);
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      predictions[i].push_back({0, draw.intercept + values[static_cast<Eigen::Index>(i)]});
    }
  }
  CellResult result;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    result.truth.push_back(fitted.problem.f(fitted.test[i]));
    const Estimate over_draws = estimate(predictions[i]);
    result.predicted.push_back(fitted.model.predicts_by_mean ? over_draws.mean : over_draws.median);
    result.deviation.push_back(over_draws.error / student_quantile(cell.draws - 1) * std::sqrt(cell.draws));
  }
  return result;
}

CellResult count_large_coefficients(const Cell& cell) {
  const Fit fitted = fit(cell);
  CellResult result;
  result.large.assign(static_cast<std::size_t>(fitted.model.basis->order()), 0);
  for (int k = 0; k < fitted.model.basis->size(); ++k) {
    double& count = result.large[fitted.model.basis->monomial(k).size() - 1];
    for (const auto& draw : fitted.draws) count += std::abs(draw.alpha[k]) >= kLarge ? 1.0 / cell.draws : 0.0;
  }
  return result;
}

}  // namespace bocs
