#include "bocs/acquire/measure_again.hpp"

#include <gtest/gtest.h>

namespace bocs {
namespace {

const Task kTask{Space::binary(6), 0.5, 0, 1};

void add(History& history, const Point& x, double y) {
  Trial trial;
  trial.number = history.size();
  trial.x = x;
  history.add(trial);
  history.finish(trial.number, Outcome::value(y));
}

TEST(MeasureAgain, NoiseShowsOnlyWhenMeasurementsOfAPointDiffer) {
  History history;
  EXPECT_FALSE(shows_noise(history));
  add(history, {0, 0, 0, 0, 0, 0}, 1);
  add(history, {1, 0, 0, 0, 0, 0}, 2);
  add(history, {1, 0, 0, 0, 0, 0}, 2);
  EXPECT_FALSE(shows_noise(history));
  add(history, {1, 0, 0, 0, 0, 0}, 2.5);
  EXPECT_TRUE(shows_noise(history));
}

TEST(MeasureAgain, TheMeanIsBetweenMeasurementsAndModelByTheirPrecision) {
  const Data data{{{0}, {0}, {1}}, Vector{{1, 3, 7}}, 2};
  // Residuals 2 - 6 and 7 - 2, less their noise: (16 - 1 + 25 - 2) / 2 = 19.
  const auto result = weigh(data, Vector{{6, 6, 2}});
  ASSERT_EQ(result.size(), 2U);
  EXPECT_EQ(result[0].measurements, 2);
  EXPECT_NEAR(result[0].mean, (2.0 / 2 * 2 + 6.0 / 19) / (2.0 / 2 + 1.0 / 19), 1e-12);
  EXPECT_NEAR(result[1].mean, (1.0 / 2 * 7 + 2.0 / 19) / (1.0 / 2 + 1.0 / 19), 1e-12);
  EXPECT_NEAR(result[1].deviation, 1 / std::sqrt(1.0 / 2 + 1.0 / 19), 1e-12);
}

TEST(MeasureAgain, MeasurementsWithoutNoiseAreBelieved) {
  Data data;
  for (int n = 0; n < 20; ++n) data.x.push_back({n % 2});
  data.y = Vector::NullaryExpr(20, [](Eigen::Index n) { return n % 2 == 0 ? 3.0 : -4.0; });
  const auto result = weigh(data, Vector::Constant(20, 1));
  EXPECT_NEAR(result[0].mean, 3, 1e-9);
  EXPECT_NEAR(result[1].mean, -4, 1e-9);
  EXPECT_LT(result[1].deviation, 1e-9);
}

/// Truths f ~ N(prediction, v), measurements with noise: the stated deviations must hold the truth as often as a normal
/// distribution does, and the mean must be nearer to the truth than measurement and model are.
TEST(MeasureAgain, IsCalibrated) {
  Rng rng(5, "worth");
  std::vector<double> truth;
  const double noise = 0.8;
  const double error = 0.5;
  Data data{{}, Vector(400), noise * noise};
  Vector predictions(400);
  for (int k = 0; k < 200; ++k) {
    const double prediction = 3 * rng.normal();
    truth.push_back(prediction + error * rng.normal());
    for (int n = 0; n < 2; ++n) {
      data.x.push_back({k});
      data.y[2 * k + n] = truth.back() + noise * rng.normal();
      predictions[2 * k + n] = prediction;
    }
  }
  const auto result = weigh(data, predictions);
  int inside = 0;
  double squares = 0;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    const double z = (result[k].mean - truth[k]) / result[k].deviation;
    inside += std::abs(z) < 1 ? 1 : 0;
    squares += (result[k].mean - truth[k]) * (result[k].mean - truth[k]) / 200;
  }
  EXPECT_NEAR(inside / 200.0, 0.683, 4 * std::sqrt(0.683 * 0.317 / 200));
  EXPECT_LT(squares, 0.8 * std::min(error * error, noise * noise / 2));
}

/// Predicts the same value everywhere, in the units it was fitted in.
struct ConstantModel : Model {
  struct Constant : Posterior {
    explicit Constant(double v) : value(v) {}
    [[nodiscard]] Prediction predict(std::span<const Point> points) const override {
      const auto n = static_cast<Eigen::Index>(points.size());
      return {Vector::Constant(n, value), Vector::Zero(n)};
    }
    double value;
  };
  explicit ConstantModel(double v) : value(v) {}
  [[nodiscard]] std::unique_ptr<Posterior> fit(const Data&, const Rng&) const override {
    return std::make_unique<Constant>(value);
  }
  double value;
};

TEST(MeasureAgain, JudgesTheHistoryInItsOwnUnitsPenaltyIncluded) {
  History history;
  const double scale = 1e200;  // squares overflow
  for (int n = 0; n < 40; ++n) add(history, {n % 2, 0, 0, 0, 0, 0}, scale * (n % 2 == 0 ? 10 : 20));
  const Task task{kTask.space, scale, 0, 1};
  const auto points = measured_points(task, history, ConstantModel(0), Rng(1, "test"));
  ASSERT_EQ(points.size(), 2U);
  EXPECT_NEAR(points[0].mean / scale, 10, 0.1);  // measured twenty times, always with the same result
  EXPECT_NEAR(points[1].mean / scale, 21, 0.1);
  EXPECT_EQ(points[1].measurements, 20);
  EXPECT_TRUE(measured_points(task, history, ConstantModel(kUnknown), Rng(1, "test")).empty());
}

TEST(MeasureAgain, MeasuresAgainWhereThereIsDoubt) {
  std::vector<MeasuredPoint> points;
  for (int k = 0; k < 5; ++k) points.push_back({{k}, static_cast<double>(k), 1, 2});
  std::vector<int> chosen(5, 0);
  int none = 0;
  Rng rng(1, "again");
  for (int n = 0; n < 2000; ++n) {
    const MeasuredPoint* again = best_in_doubt(points, rng);
    again == nullptr ? ++none : ++chosen[static_cast<std::size_t>(again->x[0])];
  }
  for (std::size_t k = 1; k < 5; ++k) EXPECT_LE(chosen[k], chosen[k - 1]);
  EXPECT_GT(chosen[1], 200);  // one deviation from the best: worth a look
  EXPECT_LT(chosen[4], 40);   // four: hardly
  EXPECT_GT(none, 400);       // two draws often agree on the best
  points[0].measurements = 3;
  for (int n = 0; n < 100; ++n) {
    const MeasuredPoint* again = best_in_doubt(points, rng);
    EXPECT_TRUE(again == nullptr || again->x[0] != 0);  // measured more often than any other it is compared with
  }
  for (MeasuredPoint& point : points) point.deviation = 0.1;
  for (int n = 0; n < 100; ++n) EXPECT_EQ(best_in_doubt(points, rng), nullptr);
  for (MeasuredPoint& point : points) point.measurements = 1;
  EXPECT_EQ(best_in_doubt(points, rng), &points[0]);  // nothing is known of the noise yet
  EXPECT_EQ(best_in_doubt({}, rng), nullptr);
}

TEST(MeasureAgain, AtLastDrawsGoOnUntilThereIsDoubtAndElseTheLikelyBestIsMeasured) {
  std::vector<MeasuredPoint> points;
  for (int k = 0; k < 5; ++k) points.push_back({{k}, std::abs(k - 2.0), 0.5, 3});
  Rng rng(1, "at last");
  std::vector<int> chosen(5, 0);
  for (int n = 0; n < 1000; ++n) ++chosen[static_cast<std::size_t>(best_in_doubt_or_likely(points, rng)->x[0])];
  EXPECT_GT(chosen[2], 300);
  EXPECT_GT(chosen[1] + chosen[3], 300);
  EXPECT_LT(chosen[0] + chosen[4], 50);
  for (MeasuredPoint& point : points) point.deviation = 0.01;
  for (int n = 0; n < 20; ++n) EXPECT_EQ(best_in_doubt_or_likely(points, rng), &points[2]);
  EXPECT_EQ(best_in_doubt_or_likely({}, rng), nullptr);
}

}  // namespace
}  // namespace bocs
