#include "bocs/regress/mle.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "regress/data.hpp"

namespace bocs {
namespace {

TEST(Mle, RecoversAQuadraticFromEnoughPoints) {
  Rng rng(1, "mle");
  const Space space = Space::binary(6);
  const auto basis = std::make_shared<Basis>(space, 2);
  Vector truth(basis->size());
  for (auto& e : truth) e = rng.normal();
  const Design design(basis, test::random_points(space, 60, rng));
  const Vector y = design.times(truth).array() + 4.0;
  const Draw draw = Mle().sample(design, y, 1, rng).front();
  EXPECT_LT((draw.alpha - truth).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR(draw.intercept, 4, 1e-9);
  EXPECT_LT(draw.sigma2, 1e-18);
}

TEST(Mle, ShortestInterpolantFromFewPoints) {
  Rng rng(2, "mle");
  const Space space = Space::binary(9);
  const auto basis = std::make_shared<Basis>(space, 2);
  const auto points = test::random_points(space, 12, rng);
  const Design design(basis, points);
  Vector y(12);
  for (auto& e : y) e = rng.normal();
  const Draw draw = Mle().sample(design, y, 1, rng).front();
  EXPECT_LT((design.times(draw.alpha).array() + draw.intercept - y.array()).abs().maxCoeff(), 1e-9);
  // Shortest <=> no part outside the row space of the centred X: alpha = X' w for some w.
  std::vector<int> all(static_cast<std::size_t>(basis->size()));
  for (int k = 0; k < basis->size(); ++k) all[static_cast<std::size_t>(k)] = k;
  Matrix X = design.columns(all);
  X.rowwise() -= design.means().transpose();
  const Vector w = X.transpose().completeOrthogonalDecomposition().solve(draw.alpha);
  EXPECT_LT((X.transpose() * w - draw.alpha).norm(), 1e-9 * draw.alpha.norm());
}

TEST(Mle, SurvivesRepeatedPointsAndOneObservation) {
  Rng rng(3, "mle");
  const auto basis = std::make_shared<Basis>(Space::binary(4), 2);
  const std::vector<Point> points(5, Point{1, 0, 1, 0});
  Vector y(5);
  y << 1, 2, 3, 4, 5;
  const Draw draw = Mle().sample(Design(basis, points), y, 2, rng).back();
  EXPECT_TRUE(draw.alpha.allFinite());
  EXPECT_NEAR(draw.intercept + Design(basis, points).times(draw.alpha)(0), 3, 1e-9);
  const Draw one = Mle().sample(Design(basis, std::vector<Point>{{1, 1, 0, 0}}), Vector::Constant(1, 7), 1, rng)[0];
  EXPECT_NEAR(one.intercept, 7, 1e-12);
}

}  // namespace
}  // namespace bocs
