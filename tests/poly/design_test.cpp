#include "bocs/poly/design.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

struct Case {
  std::string name;
  Space space;
  int order;
  int points;
  BasisOptions more = {};  // all but the order

  [[nodiscard]] std::shared_ptr<const Basis> basis() const {
    BasisOptions options = more;
    options.order = order;
    return std::make_shared<Basis>(space, options);
  }
};

Space mixed_space() {
  return Space(
      {binary("a"), integer("n", -2, 5), categorical("c", {"r", "g", "b"}), binary("b"), integer("one", 3, 3)});
}

/// Integers among many binary variables, before and after them.
Space wide_mixed_space() {
  std::vector<Variable> list = {integer("n", -2, 5)};
  for (int i = 0; i < 80; ++i) {
    if (i == 33) list.push_back(integer("m", 0, 3));
    if (i == 50) list.push_back(categorical("c", {"r", "g", "b"}));
    list.push_back(binary("x" + std::to_string(i)));
  }
  list.push_back(integer("two", 0, 1));
  return Space(list);
}

Space integer_space() { return Space({integer("a", 0, 3), integer("b", -5, 5), integer("c", 1, 2)}); }

Space categorical_space(int variables, int levels) {
  std::vector<Variable> list;
  for (int i = 0; i < variables; ++i) {
    std::vector<std::string> labels;
    for (int level = 0; level < levels; ++level) labels.push_back("l" + std::to_string(level));
    list.push_back(categorical("v" + std::to_string(i), labels));
  }
  return Space(list);
}

const BasisOptions kNamed = {.extra = {"x0*x1*x2", "x3*x4*x5*x6", "x7*x8*x9*x10*x11"}, .excluded = {"x0", "x2*x5"}};

class DesignTest : public testing::TestWithParam<Case> {
 protected:
  DesignTest() : basis_(GetParam().basis()), rng_(7, GetParam().name) {
    for (int n = 0; n < GetParam().points; ++n) points_.push_back(GetParam().space.random(rng_));
    X_.resize(GetParam().points, basis_->size());  // the definition, one product at a time
    for (int n = 0; n < X_.rows(); ++n) {
      for (int k = 0; k < X_.cols(); ++k) X_(n, k) = basis_->value(k, points_[static_cast<std::size_t>(n)]);
    }
  }
  Vector random(Eigen::Index n) {
    Vector v(n);
    for (auto& e : v) e = rng_.normal();
    return v;
  }
  std::shared_ptr<const Basis> basis_;
  Rng rng_;
  std::vector<Point> points_;
  Matrix X_;
};

TEST_P(DesignTest, ProductsEqualTheDefinition) {
  const Design design(basis_, points_);
  ASSERT_EQ(design.rows(), X_.rows());
  ASSERT_EQ(design.cols(), X_.cols());
  const Vector u = random(X_.cols());
  const Vector w = random(X_.rows());
  EXPECT_LT((design.times(u) - X_ * u).cwiseAbs().maxCoeff(), 1e-11 * basis_->size());
  EXPECT_LT((design.transposed_times(w) - X_.transpose() * w).cwiseAbs().maxCoeff(), 1e-12 * GetParam().points);
  const Design::Two two = {random(X_.cols()), u}, other = {random(X_.rows()), w};
  for (int k = 0; k < 2; ++k) {
    EXPECT_LT((design.times_both(two)[k] - X_ * two[k]).cwiseAbs().maxCoeff(), 1e-11 * basis_->size());
    EXPECT_LT((design.transposed_times_both(other)[k] - X_.transpose() * other[k]).cwiseAbs().maxCoeff(),
              1e-12 * GetParam().points);
  }
  const Vector D = random(X_.cols()).cwiseAbs2().cwiseAbs2();
  const Matrix G = X_ * D.asDiagonal() * X_.transpose();
  const Matrix difference = (design.weighted_gram(D) - G).triangularView<Eigen::Lower>();
  EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-12 * G.diagonal().maxCoeff());
}

TEST_P(DesignTest, MeansAndConstantColumns) {
  const Design design(basis_, points_);
  for (int k = 0; k < X_.cols(); ++k) {
    EXPECT_NEAR(design.means()(k), X_.col(k).mean(), 1e-13);
    const bool excluded = std::ranges::count(basis_->excluded(), k) > 0;
    EXPECT_EQ(design.included()(k), excluded ? 0 : 1) << basis_->name(k);
    EXPECT_EQ(design.varying()(k) == 1, !excluded && X_.col(k).maxCoeff() > X_.col(k).minCoeff()) << basis_->name(k);
  }
  const std::vector<int> which = {0, basis_->size() - 1};
  EXPECT_EQ(design.columns(which).col(1), X_.col(X_.cols() - 1));
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, DesignTest,
    testing::Values(Case{"one", Space::binary(1), 1, 3}, Case{"order_above_d", Space::binary(2), 4, 5},
                    Case{"linear", Space::binary(14), 1, 9}, Case{"quadratic", Space::binary(10), 2, 40},
                    Case{"quadratic24", Space::binary(24), 2, 70}, Case{"single", Space::binary(24), 2, 1},
                    Case{"cubic", Space::binary(13), 3, 60}, Case{"quartic", Space::binary(11), 4, 25},
                    Case{"wide", Space::binary(65), 2, 33}, Case{"wider", Space::binary(150), 2, 90},
                    Case{"categories", categorical_space(6, 4), 3, 40}, Case{"pest", categorical_space(12, 5), 2, 50},
                    Case{"mixed", mixed_space(), 3, 30}, Case{"integers", integer_space(), 2, 20},
                    Case{"curves", mixed_space(), 4, 30, {.integers = Integers::curve}},
                    Case{"wide_mixed", wide_mixed_space(), 2, 60},
                    Case{"wide_curves",
                         wide_mixed_space(),
                         2,
                         60,
                         {.integers = Integers::curve, .extra = {"n*x3*x7"}, .excluded = {"n*x3", "m^2"}}},
                    Case{"wide_levels", wide_mixed_space(), 2, 60, {.integers = Integers::levels}},
                    Case{"extra_linear", Space::binary(9), 1, 20, {.extra = {"x0*x8", "x1*x2*x3"}}},
                    Case{"extra_tables", Space::binary(12), 2, 30, kNamed},
                    Case{"extra_cubic", Space::binary(12), 3, 30, kNamed},
                    Case{"extra_wide", Space::binary(65), 2, 33, kNamed},
                    Case{"extra_mixed", mixed_space(), 2, 30, {.extra = {"a*n*c=g*b", "n*c=b*b"}, .excluded = {"n*b"}}},
                    Case{"levels",
                         mixed_space(),
                         2,
                         40,
                         {.integers = Integers::levels, .extra = {"a*n=3*c=g", "n=-1*c=b*b"}, .excluded = {"n=0"}}}),
    [](const auto& c) { return c.param.name; });

TEST(Design, RefusesWhatDoesNotFitIntoMemory) {
  std::vector<Variable> list;
  for (int i = 0; i < 1500; ++i) list.push_back(integer("n" + std::to_string(i), 0, 9));
  const auto basis = std::make_shared<Basis>(Space(list), 2);
  Rng rng(1, "many");
  std::vector<Point> points;
  for (int n = 0; n < 500; ++n) points.push_back(basis->space().random(rng));
  EXPECT_THROW(Design(basis, points), InvalidArgument);
}

TEST(Design, RefusesPointsOutsideTheSpace) {
  const auto basis = std::make_shared<Basis>(Space::binary(3), 2);
  const std::vector<Point> outside = {{0, 1, 2}};
  EXPECT_THROW(Design(basis, outside), InvalidArgument);
  EXPECT_THROW(Design(basis, std::vector<Point>{}), InvalidArgument);
}

TEST(Design, OfASpaceWithoutFeaturesIsEmpty) {
  const Space space({integer("one", 1, 1), categorical("only", {"this"})});
  for (const int order : {1, 2, 4}) {
    const auto basis = std::make_shared<const Basis>(space, order);
    ASSERT_EQ(basis->size(), 0);
    const std::vector<Point> points(3, Point{0, 0});
    const Design X(basis, points);
    EXPECT_EQ(X.cols(), 0);
    EXPECT_EQ(X.times(Vector(0)), Vector::Zero(3));
    EXPECT_EQ(X.transposed_times(Vector::Ones(3)).size(), 0);
    EXPECT_EQ(X.weighted_gram(Vector(0)), Matrix::Zero(3, 3));
  }
}

}  // namespace
}  // namespace bocs
