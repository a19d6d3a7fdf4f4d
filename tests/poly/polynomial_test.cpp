#include "bocs/poly/polynomial.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "random_polynomial.hpp"

namespace bocs {
namespace {

using test::for_each_point;
using test::random_basis;
using test::random_polynomial;
using test::random_space;

TEST(Polynomial, IsTheSumOfItsMonomials) {
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    Rng rng(1, "polynomial", trial);
    const Space space = random_space(rng, 200);
    const Polynomial f = trial % 2 == 0 ? random_polynomial(space, 1 + static_cast<int>(trial % 4), rng)
                                        : random_polynomial(space, random_basis(space, rng), rng);
    for_each_point(space, [&](const Point& x) {
      double sum = f.constant();
      for (int k = 0; k < f.basis().size(); ++k) sum += f.alpha()[k] * f.basis().value(k, x);
      EXPECT_NEAR(f(x), sum, 1e-12);
    });
  }
}

TEST(Polynomial, AddsThePenaltyOfTheTask) {
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    Rng rng(2, "polynomial", trial);
    const Task task{.space = random_space(rng, 200), .l1 = rng.uniform(), .l2 = rng.uniform()};
    const Polynomial plain = trial % 2 == 0 ? random_polynomial(task.space, 1 + static_cast<int>(trial % 3), rng)
                                            : random_polynomial(task.space, random_basis(task.space, rng), rng);
    Polynomial f = plain;
    f.add_penalty(task);
    f.add_penalty(task);  // penalties add up
    for_each_point(task.space, [&](const Point& x) { EXPECT_NEAR(f(x), plain(x) + 2 * penalty(task, x), 1e-12); });
  }
}

TEST(Polynomial, QuadraticFormHasTheSameValues) {
  const Space space = Space::binary(6);
  for (const BasisOptions& options :
       {BasisOptions{.order = 1}, BasisOptions{.order = 2}, BasisOptions{.order = 1, .extra = {"x0*x5", "x1*x2"}}}) {
    Rng rng(3, "polynomial");
    Polynomial f = random_polynomial(space, options, rng);
    f.add_penalty({.space = space, .l1 = 0.3, .l2 = 0.2});
    const auto q = f.quadratic();
    ASSERT_TRUE(q.has_value());
    EXPECT_EQ(q->A, q->A.transpose());
    EXPECT_EQ(q->A.diagonal().norm(), 0);
    for_each_point(space, [&](const Point& x) {
      Vector v(6);
      for (int i = 0; i < 6; ++i) v[i] = x[static_cast<std::size_t>(i)];
      EXPECT_NEAR(v.dot(q->A * v) + q->b.dot(v) + q->c, f(x), 1e-12);
    });
  }
}

TEST(Polynomial, HasNoQuadraticFormBeyondBinaryAndOrderTwo) {
  Rng rng(4, "polynomial");
  EXPECT_FALSE(random_polynomial(Space::binary(4), 3, rng).quadratic().has_value());
  const BasisOptions triple{.order = 2, .extra = {"x0*x1*x2"}};
  EXPECT_FALSE(random_polynomial(Space::binary(4), triple, rng).quadratic().has_value());
  EXPECT_FALSE(random_polynomial(Space({binary("a"), integer("n", 0, 1)}), 2, rng).quadratic().has_value());
}

TEST(Polynomial, RefusesWrongSizesAndNumbers) {
  const auto basis = std::make_shared<const Basis>(Space::binary(3), 2);
  EXPECT_THROW(Polynomial(basis, Vector::Zero(5)), InvalidArgument);
  EXPECT_THROW(Polynomial(basis, Vector::Constant(6, kUnknown)), InvalidArgument);
  EXPECT_THROW(Polynomial(basis, Vector::Zero(6), kUnknown), InvalidArgument);
  EXPECT_THROW(Polynomial(basis, Vector::Zero(6)).add_penalty({.space = Space::binary(4), .l1 = 1}), InvalidArgument);
}

}  // namespace
}  // namespace bocs
