#include "bocs/model/polynomial_model.hpp"

#include <gtest/gtest.h>

#include "bocs/regress/bayes.hpp"
#include "bocs/regress/mle.hpp"

namespace bocs {
namespace {

double f(const Point& x) { return 1 + 2.0 * x[0] - 3.0 * x[1] * x[2]; }

std::vector<Point> all_points(int d) {
  std::vector<Point> points;
  for (int code = 0; code < 1 << d; ++code) {
    Point& x = points.emplace_back(d);
    for (int i = 0; i < d; ++i) x[i] = code >> i & 1;
  }
  return points;
}

Data data_of(std::vector<Point> points, double noise) {
  Rng rng(2, "data");
  Data data{std::move(points), {}};
  data.y.resize(static_cast<Eigen::Index>(data.x.size()));
  for (std::size_t i = 0; i < data.x.size(); ++i) data.y[i] = f(data.x[i]) + noise * rng.normal();
  return data;
}

TEST(PolynomialModel, PredictsAPolynomialOfItsOrderExactly) {
  const PolynomialModel model(Space::binary(4), {.order = 2}, std::make_shared<Mle>());
  auto points = all_points(4);
  const auto posterior = model.fit(data_of({points.begin() + 1, points.end() - 1}, 0), Rng(1, "fit"));
  const Prediction prediction = posterior->predict(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_NEAR(prediction.mean[i], f(points[i]), 1e-9);
    EXPECT_NEAR(prediction.variance[i], 0, 1e-15);
  }
}

/// Against the posterior of the conjugate model, which is known in closed form.
TEST(PolynomialModel, PredictsTheMiddleAndTheVarianceOfItsPosterior) {
  const Space space = Space::binary(6);
  const auto regression = std::make_shared<Bayes>();
  const PolynomialModel model(space, {.order = 2}, regression);
  const Data data = data_of(all_points(6), 0.5);
  const auto points = all_points(6);
  const Design X(model.basis(), points);
  const NormalInverseGamma exact = regression->posterior(Design(model.basis(), data.x), data.y);
  const Vector mean = X.times(exact.mean.tail(X.cols())).array() + exact.mean[0];
  // The draws of one prediction move together; over many fits their mean must be the posterior's.
  Vector middle = Vector::Zero(64), variance = Vector::Zero(64);
  constexpr int kFits = 100;
  for (int k = 0; k < kFits; ++k) {
    const Prediction prediction = model.fit(data, Rng(static_cast<std::uint64_t>(k), "fit"))->predict(points);
    middle += prediction.mean / kFits;
    variance += prediction.variance / kFits;
  }
  EXPECT_GT(variance.minCoeff(), 0);
  for (Eigen::Index i = 0; i < 64; ++i) {
    EXPECT_NEAR(middle[i], mean[i], 5 * std::sqrt(variance[i] / 15 * 1.6 / kFits));  // a median of 15 has 1.6 / 15
  }
}

TEST(PolynomialModel, OfAnotherOrderIsTheSameOtherwise) {
  const PolynomialModel model(Space::binary(5), {.order = 1, .extra = {"x0*x1*x2"}, .excluded = {"x3"}},
                              std::make_shared<Mle>());
  const PolynomialModel other = model.of_order(2);
  EXPECT_EQ(other.basis()->regular_order(), 2);
  EXPECT_EQ(other.basis()->size(), 5 + 10 + 1);
  EXPECT_EQ(other.basis()->excluded().size(), 1U);
}

}  // namespace
}  // namespace bocs
