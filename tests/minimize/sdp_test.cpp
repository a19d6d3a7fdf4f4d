#include "bocs/minimize/sdp.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "random_polynomial.hpp"

namespace bocs {
namespace {

using test::brute_force;
using test::for_each_point;
using test::random_polynomial;

TEST(Sdp, LiftingHasTheValuesOfThePolynomial) {
  Rng rng(1, "sdp");
  const Polynomial f = random_polynomial(Space::binary(7), 2, rng);
  const Lifting lifted = lift(*f.quadratic());
  for_each_point(f.space(), [&](const Point& x) {
    Vector z = Vector::Ones(8);
    for (int i = 0; i < 7; ++i) z[i] = 2 * x[static_cast<std::size_t>(i)] - 1;
    EXPECT_NEAR(lifted.constant + z.dot(lifted.B * z), f(x), 1e-12);
  });
}

TEST(Sdp, BoundIsValidAndNotVacuous) {
  for (std::uint64_t trial = 0; trial < 30; ++trial) {
    Rng rng(2, "sdp", trial);
    const Polynomial f = random_polynomial(Space::binary(12), 2, rng);
    const auto truth = brute_force(f);
    const Minimum m = Sdp(SdpOptions{.tolerance = 1e-6}).minimize(f, {}, rng);
    EXPECT_LE(m.lower_bound, truth.lowest);
    EXPECT_GE(m.lower_bound, truth.lowest - 0.25 * (truth.largest + std::abs(truth.lowest)));
    EXPECT_NEAR(m.value, truth.best, 1e-9);
    EXPECT_EQ(m.status, Status::ok);
  }
}

TEST(Sdp, BoundIsTightWhenTheProblemIsSeparable) {
  Rng rng(3, "sdp");
  const Polynomial f = random_polynomial(Space::binary(9), 1, rng);
  const Minimum m = Sdp(SdpOptions{.tolerance = 1e-7}).minimize(f, {}, rng);
  const auto truth = brute_force(f);
  EXPECT_NEAR(m.value, truth.best, 1e-12);
  EXPECT_NEAR(m.lower_bound, truth.best, 1e-5);
}

TEST(Sdp, HyperplaneRoundingOfEqualOrOppositeVectorsIsCertain) {
  Matrix V = Matrix::Zero(3, 4);
  V(0, 0) = V(0, 2) = V(0, 3) = 1;  // the last is the reference
  V(0, 1) = -1;
  for (std::uint64_t k = 0; k < 50; ++k) {
    Rng rng(4, "sdp", k);
    EXPECT_EQ(round_hyperplane(V, rng), (Point{1, 0, 1}));
  }
}

TEST(Sdp, HyperplaneRoundingSeparatesByTheAngle) {
  // P(different signs) = angle / pi (Goemans & Williamson).
  const double angle = 1.0;
  Matrix V(2, 2);
  V << 1, std::cos(angle), 0, std::sin(angle);
  int different = 0;
  const int n = 40000;
  Rng rng(5, "sdp");
  for (int k = 0; k < n; ++k) different += 1 - round_hyperplane(V, rng)[0];
  const double p = angle / M_PI;
  EXPECT_NEAR(different, n * p, 5 * std::sqrt(n * p * (1 - p)));
}

TEST(Sdp, CharikarWirthRoundingHasItsExpectation) {
  // E[y0 y1] = <v0, v1> / T^2 up to the cut, which has probability P(|N(0,1)| > T); n = 1000 makes T = 5.26.
  Matrix V = Matrix::Zero(2, 1000);
  V.row(0).setOnes();
  const double T2 = 4 * std::log(1000.0);
  double agree = 0;
  double count = 0;
  Rng rng(6, "sdp");
  for (int k = 0; k < 400; ++k) {
    const Point x = round_charikar_wirth(V, rng);
    // Pairs of different coordinates given the direction are independent: use neighbours.
    for (std::size_t i = 0; i + 1 < x.size(); i += 2) {
      agree += x[i] == x[i + 1] ? 1 : -1;
      count += 1;
    }
  }
  EXPECT_NEAR(agree / count, 1 / T2, 0.015);
}

TEST(Sdp, RefusesOtherSpacesAndOrdersAndSaysWhatToUse) {
  const auto message = [](const Space& space, int order) -> std::string {
    try {
      Sdp().check(space, kNoConstraints, order);
    } catch (const InvalidArgument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message(Space::binary(3), 2), "");
  const std::string integers = message(Space({binary("a"), integer("n", 0, 3)}), 2);
  EXPECT_NE(integers.find("n is a number"), std::string::npos);
  EXPECT_NE(integers.find("tabu"), std::string::npos);
  EXPECT_NE(message(Space({categorical("c", {"x", "y"})}), 1).find("categorical"), std::string::npos);
  EXPECT_NE(message(Space::binary(3), 3).find("not 3"), std::string::npos);
  Rng rng(7);
  EXPECT_THROW((void)Sdp().minimize(random_polynomial(Space::binary(3), 3, rng), {}, rng), InvalidArgument);
  const BasisOptions triple{.extra = {"x0*x1*x2"}};
  EXPECT_THROW((void)Sdp().minimize(random_polynomial(Space::binary(3), triple, rng), {}, rng), InvalidArgument);
}

TEST(Sdp, StopsAtItsLimitWithAValidBound) {
  Rng rng(8, "sdp");
  const Polynomial f = random_polynomial(Space::binary(12), 2, rng);
  const Minimum m = Sdp(SdpOptions{.sweeps = 2}).minimize(f, {}, rng);
  EXPECT_EQ(m.status, Status::limit);
  EXPECT_LE(m.lower_bound, brute_force(f).lowest);
}

}  // namespace
}  // namespace bocs
