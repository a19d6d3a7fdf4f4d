#include "bocs/acquire/ascent_data.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace bocs {

Data all_data(const History& history, const Values& values, const Vector& complete, const Matrix& measured,
              Matrix& others) {
  const double worst = complete.maxCoeff();
  Eigen::Index next = 0, row = 0;  // of the complete ones, of all
  Data data{{}, Vector(history.size())};
  others = Matrix::Zero(history.size(), measured.cols());
  for (const Trial& trial : history.trials()) {
    if (!values.counts(trial) && !values.has_failed(trial)) continue;
    data.x.push_back(trial.x);
    data.y[row] = worst;
    if (values.counts(trial)) {
      data.y[row] = complete[next];
      others.row(row) = measured.row(next++);
    }
    ++row;
  }
  data.y.conservativeResize(row);
  others.conservativeResize(row, Eigen::NoChange);
  data.under_way = values.under_way();
  return data;
}

std::vector<Point> best_points(const std::vector<Point>& x, const Vector& totals, const Vector& violations,
                               std::size_t count) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return violations[a] != violations[b] ? violations[a] < violations[b] : totals[a] < totals[b];
  });
  std::vector<Point> points;
  PointSet taken;
  for (const std::size_t i : order) {
    if (points.size() == count) break;
    if (taken.insert(x[i]).second) points.push_back(x[i]);
  }
  return points;
}

Vector totals_of(const ProposalContext& now, const Values& values, const Vector& standardized,
                 const Posterior& posterior, const OtherNumbers& others, const Penalty& penalty) {
  const auto& trials = values.trials();
  Vector totals = standardized;
  if (now.noise) {
    std::vector<Prediction> outputs = posterior.predict_all(values.complete().x, all_matter);
    totals = others.objective(outputs, values.complete().x).mean;
  } else if (others.has_front()) {
    for (Eigen::Index i = 0; i < totals.size(); ++i) totals[i] = others.objective(*trials[i]);
  }
  for (Eigen::Index i = 0; i < totals.size(); ++i) totals[i] += penalty(values.complete().x[i]);
  return totals;
}

double best_expected(const std::vector<Point>& under_way, const Posterior& posterior, const Penalty& penalty,
                     const OtherNumbers& others) {
  double best = std::numeric_limits<double>::infinity();
  if (under_way.empty()) return best;
  std::vector<Prediction> outputs = posterior.predict_all(under_way, all_matter);
  const Vector expected = others.objective(outputs, under_way).mean;
  for (Eigen::Index i = 0; i < expected.size(); ++i) {
    if (others.is_expected_within(outputs, i)) best = std::min(best, expected[i] + penalty(under_way[i]));
  }
  return best;
}

}  // namespace bocs
