#include "bocs/method/remaining.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "bocs/acquire/ascent_data.hpp"
#include "bocs/acquire/initial.hpp"
#include "bocs/base/error.hpp"
#include "bocs/method/options.hpp"
#include "bocs/model/gaussian_process.hpp"
#include "bocs/rule/moves.hpp"

namespace bocs {
namespace {

// Chosen on instances 300-314 of 16 problems: docs/decisions/0072-remaining-gain.md.
constexpr std::size_t kStarts = 5;                // searches begin at so many of the best points,
constexpr auto kOptimism = {0.5, 1.0, 2.0, 4.0};  // for the smallest mean less so many deviations
constexpr std::size_t kCandidates = 300;
constexpr int kDraws = 400;
constexpr double kSpread = 0.35;  // of the logarithm of the factor that widens a draw
constexpr std::size_t kFewest = 10;
constexpr auto kBends = {0.5, 1.5};

/// The candidates leave out most of a large space, where a draw would find more: so the deviations are multiplied.
double widening(const Space& space) { return std::max(1.0, std::sqrt(static_cast<double>(space.dimension())) / 3); }

/// [YJ00]: 1 leaves values as they are, less draws large ones together, more draws small ones together.
double bent(double y, double power) {
  return y >= 0 ? (std::pow(1 + y, power) - 1) / power : -(std::pow(1 - y, 2 - power) - 1) / (2 - power);
}

/// The log likelihood of the values y, each bent, under a process of the same parameters.
double likelihood_of_bent(const std::shared_ptr<const Kernel>& kernel, const Data& data,
                          const ProcessParameters& parameters, double power) {
  Vector y = data.y.unaryExpr([&](double value) { return bent(value, power); });
  const Standard standard(y);
  y = y.unaryExpr(standard);
  double jacobian = -static_cast<double>(y.size()) * std::log(standard.scale());
  for (const double value : data.y) jacobian += (power - 1) * std::copysign(std::log1p(std::abs(value)), value);
  return GaussianProcess(kernel, data.x, y, parameters).log_likelihood() + jacobian;
}

/// What there is to draw from: the data of the process, standardized, and the totals of its complete points.
struct Fit {
  Data data;
  Standard standard;
  std::shared_ptr<const Kernel> kernel;
  std::unique_ptr<GaussianProcess> process;
};

Fit fit(const Task& task, const History& history, const Values& values, bool noise) {
  Data complete = values.complete();
  const Standard standard(complete.y);
  complete.y = complete.y.unaryExpr(standard);
  Matrix none;
  Data data = all_data(history, values, complete.y, Matrix(complete.y.size(), 0), none);
  data.under_way.clear();
  if (noise) data.noise = noise_variance(complete);
  auto kernel = default_kernel(task.space);
  auto process = fit_gaussian_process(kernel, data.x, data.y, usual_steps(task.space), data.noise);
  return {std::move(data), standard, std::move(kernel), std::move(process)};
}

/// The unseen points met by searches for a small value, under more and less optimism, from the best points.
class MetPoints {
 public:
  MetPoints(const Task& task, const History& history, const Posterior& posterior, Penalty penalty)
      : task_(task), history_(history), posterior_(posterior), penalty_(std::move(penalty)) {}

  void search(Point x, double optimism) {
    double value = std::numeric_limits<double>::infinity();
    for (;;) {
      std::vector<Point> neighbours;
      for_each_neighbour(task_.space, task_.constraints, x, [&](const Point& y) { neighbours.push_back(y); });
      look_at(neighbours);
      const Point* next = nullptr;
      for (const Point& y : neighbours) {
        const auto& [mean, deviation] = met_.at(y);
        if (!(mean - optimism * deviation < value)) continue;  // nor where a prediction is not a number
        value = mean - optimism * deviation;
        next = &y;
      }
      if (next == nullptr) return;
      x = *next;
    }
  }

  /// Those with the largest chance to be below `best`; of equals the one met first.
  [[nodiscard]] std::vector<Point> likeliest(double best) const {
    std::vector<std::pair<double, const Point*>> order;
    for (const Point& x : unseen_) {
      const auto& [mean, deviation] = met_.at(x);
      order.emplace_back((mean - best) / deviation, &x);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    order.resize(std::min(order.size(), kCandidates));
    std::vector<Point> points;
    for (const auto& [score, x] : order) points.push_back(*x);
    return points;
  }

 private:
  struct Believed {
    double mean, deviation;
  };
  void look_at(const std::vector<Point>& points) {
    std::vector<Point> fresh;
    for (const Point& x : points) {
      if (met_.try_emplace(x).second) fresh.push_back(x);
    }
    if (fresh.empty()) return;
    const Prediction f = posterior_.predict(fresh);  // of each point once
    for (std::size_t k = 0; k < fresh.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      met_.at(fresh[k]) = {f.mean[i] + penalty_(fresh[k]), std::sqrt(std::max(f.variance[i], 1e-12))};
      if (!history_.seen().contains(fresh[k])) unseen_.push_back(fresh[k]);
    }
  }

  const Task& task_;
  const History& history_;
  const Posterior& posterior_;
  Penalty penalty_;
  std::unordered_map<Point, Believed, PointHash> met_;
  std::vector<Point> unseen_;
};

/// How much better the best of the points is than the answer, in joint draws at all of them. The value of the answer;
/// nothing: it is the first of the points, and drawn, too.
std::vector<double> drawn_gains(const GaussianProcess& process, const std::vector<Point>& points,
                                const Penalty& penalty, std::optional<double> answer, double widening, Rng& rng) {
  const Prediction f = process.predict(points);
  Matrix L = process.covariance(points);
  const Matrix covariance = L;
  cholesky(L, [&](Matrix& A) { A = covariance; });
  L.triangularView<Eigen::StrictlyUpper>().setZero();
  const Eigen::Index n = f.mean.size();
  Vector mean = f.mean;
  for (Eigen::Index i = 0; i < n; ++i) mean[i] += penalty(points[static_cast<std::size_t>(i)]);
  std::vector<double> gains;
  for (int k = 0; k < kDraws; ++k) {
    Vector z(n);
    for (double& value : z) value = rng.normal();
    const double factor = widening * std::exp(kSpread * rng.normal());
    const Vector draw = mean + factor * (L * z);
    gains.push_back(std::max(0.0, answer.value_or(draw[0]) - draw.minCoeff()));
  }
  std::sort(gains.begin(), gains.end());
  return gains;
}

/// Why nothing can be said; empty: something can.
std::string why_not(const Method& method, const Task& task, const History& history) {
  const std::size_t complete = history.complete().size();
  const auto initial = static_cast<std::size_t>(std::max(0, method.initial_points(task)));
  if (task.has_front() || !task.outcomes.empty()) return "there are limits or several goals";
  if (history.best(task) == nullptr) return "no trial is complete yet";
  if (complete < std::max(initial, kFewest)) {
    return "it takes " + std::to_string(std::max(initial, kFewest)) + " complete trials, the initial design among them";
  }
  constexpr int kMostVariables = 256;  // more were not calibrated
  if (task.space.dimension() > kMostVariables) {
    return "there are more than " + std::to_string(kMostVariables) + " variables";
  }
  constexpr std::size_t kMostRows = 20'000;  // each step of a search looks at all of them
  if (const Candidates* table = task.constraints.candidates(); table != nullptr && table->size() > kMostRows) {
    return "there are more than " + std::to_string(kMostRows) + " candidates";
  }
  if (complete > BocsOptions::kManyEvaluations) {
    return "there are more than " + std::to_string(BocsOptions::kManyEvaluations) + " complete trials";
  }
  return {};
}

bool is_exhausted(const Task& task, const History& history) {
  try {
    require_unseen(task, history);
    return false;
  } catch (const SpaceExhausted&) {
    return true;
  }
}

Remaining not_known(std::string why) {
  Remaining remaining;
  remaining.why_not = std::move(why);
  return remaining;
}

}  // namespace

Remaining remaining_gain(const Method& method, const Task& task, const History& history) {
  if (std::string why = why_not(method, task, history); !why.empty()) return not_known(std::move(why));
  const Recommendation answer = method.recommend(task, history);
  const bool noise = std::isfinite(answer.error);
  if (!noise && is_exhausted(task, history)) return {0, 0, 0, 1};
  const Values values(task, history);
  const auto& [data, standard, kernel, process] = fit(task, history, values, noise);
  const double straight = process->log_likelihood();
  for (const double power : kBends) {
    if (likelihood_of_bent(kernel, data, process->parameters(), power) > straight) {
      return not_known("the values are too skewed to tell");
    }
  }

  const Penalty penalty = [&values = values, scale = standard.scale()](const Point& x) {
    return values.penalty(x) / scale;
  };
  MetPoints candidates(task, history, *process, penalty);
  Vector totals = values.complete().y.unaryExpr(standard);
  for (Eigen::Index i = 0; i < totals.size(); ++i)
    totals[i] += penalty(values.complete().x[static_cast<std::size_t>(i)]);
  for (const Point& x : best_points(values.complete().x, totals, Vector::Zero(totals.size()), kStarts)) {
    for (const double optimism : kOptimism) candidates.search(x, optimism);
  }
  std::optional<double> measured;
  if (!noise) measured = totals.minCoeff();
  const double best = measured.value_or(process->predict({&answer.x, 1}).mean[0] + penalty(answer.x));
  std::vector<Point> points = candidates.likeliest(best);
  if (noise) {
    std::erase(points, answer.x);
    points.insert(points.begin(), answer.x);
  }
  if (points.empty()) return not_known("the search met only known points");
  Rng rng(task.seed, "remaining", static_cast<std::uint64_t>(history.size()));
  const auto gains = drawn_gains(*process, points, penalty, measured, widening(task.space), rng);

  const double unit = standard.scale() / values.unit();
  const auto quantile = [&](double share) { return unit * gains[static_cast<std::size_t>(share * kDraws)]; };
  Remaining remaining{0, quantile(0.05), quantile(0.95), 0};
  for (const double gain : gains) remaining.mean += unit * gain / kDraws;
  remaining.chance_optimal = static_cast<double>(std::count(gains.begin(), gains.end(), 0.0)) / kDraws;
  return remaining;
}

}  // namespace bocs
