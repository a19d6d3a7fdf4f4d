#include "bocs/regress/factorization.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "regress/data.hpp"

namespace bocs {
namespace {

/// Values of a machine of rank 2 at random points of 12 binary variables.
struct Truth {
  std::shared_ptr<Basis> basis = std::make_shared<Basis>(Space::binary(12), 2);
  Vector alpha = Vector(basis->size());

  explicit Truth(Rng& rng) {
    Matrix V(12, 2);
    for (double& v : V.reshaped()) v = rng.normal();
    for (int k = 0; k < basis->size(); ++k) {
      const auto features = basis->monomial(k);
      alpha[k] = features.size() == 1 ? rng.normal() : V.row(features[0]).dot(V.row(features[1]));
    }
  }
};

TEST(Factorization, PredictsAMachineWithFewerDataThanCoefficients) {
  Rng rng(1, "factorization");
  const Truth truth(rng);
  const Design data(truth.basis, test::random_points(truth.basis->space(), 70, rng));  // 78 coefficients
  const Design unseen(truth.basis, test::random_points(truth.basis->space(), 300, rng));
  const Vector y = data.times(truth.alpha).array() + 3.0, expected = unseen.times(truth.alpha).array() + 3.0;
  const FactorizationOptions options{.factors = 2, .sweeps = 300, .ridge = 1e-3};
  const Draw draw = Factorization(options).sample(data, y, 1, rng).front();
  const Vector predicted = unseen.times(draw.alpha).array() + draw.intercept;
  EXPECT_LT((predicted - expected).norm(), 0.05 * (expected.array() - expected.mean()).matrix().norm());
}

TEST(Factorization, ADrawsAlphaIsWhatTheMachineFits) {
  Rng rng(2, "factorization");
  const auto basis =
      std::make_shared<Basis>(Space({binary("a"), categorical("b", {"x", "y", "z"}), integer("c", 1, 5), binary("d")}),
                              BasisOptions{2, Integers::curve});
  const auto points = test::random_points(basis->space(), 60, rng);
  const Design data(basis, points);
  Vector y(60);
  for (double& e : y) e = rng.normal();
  const Draw draw = Factorization({.factors = 3, .sweeps = 40, .ridge = 0.1}).sample(data, y, 1, rng).front();
  const Vector residual = y.array() - draw.intercept - data.times(draw.alpha).array();
  EXPECT_NEAR(draw.sigma2, residual.squaredNorm() / 60, 1e-9);
  EXPECT_LT(draw.sigma2, 0.7 * y.squaredNorm() / 60);
}

TEST(Factorization, DrawsDifferAndRepeat) {
  Rng rng(3, "factorization"), again(3, "factorization");
  const Truth truth(rng);
  (void)Truth(again);
  const Design data(truth.basis, test::random_points(truth.basis->space(), 30, rng));
  (void)test::random_points(truth.basis->space(), 30, again);
  const Vector y = data.times(truth.alpha);
  const auto first = Factorization().sample(data, y, 2, rng), second = Factorization().sample(data, y, 2, again);
  EXPECT_EQ(first[0].alpha, second[0].alpha);
  EXPECT_NE(first[0].alpha, first[1].alpha);
}

TEST(Factorization, RefusesWhatItDoesNotHave) {
  EXPECT_THROW(Factorization().check(Basis(Space::binary(4), 3)), InvalidArgument);
  EXPECT_THROW(Factorization().check(Basis(Space::binary(4), BasisOptions{2, Integers::curve, {}, {"x0*x1"}})),
               InvalidArgument);
}

}  // namespace
}  // namespace bocs
