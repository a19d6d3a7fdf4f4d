#include "bocs/problem/bqp.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bocs/base/error.hpp"
#include "bocs/numeric/linalg.hpp"
#include "golden.hpp"
#include "problem/brute_force.hpp"

namespace bocs {
namespace {

const std::string kGolden = std::string("bqp:instance=") + BOCS_TEST_DATA + "/bqp.json";

TEST(Bqp, OptimaOfGoldenInstances) {
  const auto cases = test::golden("bqp.json")["cases"];
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Problem problem = make_problem(kGolden + ",case=" + std::to_string(k), 0);
    EXPECT_EQ(problem.sense, Sense::maximize);
    for (const auto& truth : cases[k]["optimum"]) {
      const double l1 = truth["lam"];
      const auto optimum = problem.optimum(l1);
      ASSERT_TRUE(optimum);
      EXPECT_EQ(problem.space.format(optimum->x), truth["x"].get<std::string>());
      EXPECT_NEAR(optimum->value, truth["value"].get<double>(), 1e-10);
      EXPECT_NEAR(test::penalized(problem, test::bits(truth["x"]), l1), truth["value"].get<double>(), 1e-10);
    }
  }
}

TEST(Bqp, ValueIsTheFullQuadraticForm) {
  const Problem problem = make_problem("bqp:d=7", 3);
  const auto Q = nlohmann::json::parse(problem.instance_json())["Q"];
  Rng rng(1, "test");
  for (int n = 0; n < 20; ++n) {
    const Point x = problem.space.random(rng);
    double sum = 0;
    for (int i = 0; i < 7; ++i) {
      for (int j = 0; j < 7; ++j) sum += x[i] * Q[i][j].get<double>() * x[j];
    }
    EXPECT_NEAR(problem.f(x), sum, 1e-12);
  }
}

TEST(Bqp, OptimumIsThatOfBruteForce) {
  for (const char* spec : {"bqp:d=1", "bqp:d=9,lc=100", "bqp:d=9,lc=2.5,decay=lc2", "bqp:d=13", "bqp:d=9,flip=5"}) {
    for (const double l1 : {0.0, 0.3, 100.0}) {
      const Problem problem = make_problem(spec, 11);
      const auto optimum = problem.optimum(l1);
      ASSERT_TRUE(optimum);
      EXPECT_NEAR(optimum->value, test::brute_force(problem, l1), 1e-12) << spec << " l1=" << l1;
    }
  }
  EXPECT_FALSE(make_problem("bqp:d=40", 1).optimum(0));
}

// With G standard normal, E Q_ij^2 = exp(-2 (i-j)^2 / c).
TEST(Bqp, InteractionsDecayAsAsked) {
  for (const auto& [spec, scale] : {std::pair{"bqp:d=6,lc=3", 3.0}, std::pair{"bqp:d=6,lc=3,decay=lc2", 9.0}}) {
    const int instances = 3000;
    Matrix squares = Matrix::Zero(6, 6);
    for (int n = 0; n < instances; ++n) {
      const auto Q = nlohmann::json::parse(make_problem(spec, static_cast<std::uint64_t>(n)).instance_json())["Q"];
      for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) squares(i, j) += std::pow(Q[i][j].get<double>(), 2) / instances;
      }
    }
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {  // a mean of n squared normals has relative standard error sqrt(2/n) = 0.026
        EXPECT_NEAR(squares(i, j) * std::exp(2.0 * (i - j) * (i - j) / scale), 1, 0.13) << spec;
      }
    }
  }
}

TEST(Bqp, RefusesBadOptions) {
  for (const char* spec :
       {"bqp:d=0", "bqp:d=-3", "bqp:lc=0", "bqp:lc=-1", "bqp:decay=linear", "bqp:case=1", "bqp:flip=-1"}) {
    EXPECT_THROW(make_problem(spec, 1), InvalidArgument) << spec;
  }
  EXPECT_THROW(make_problem(kGolden + ",d=5", 0), InvalidArgument);  // the file decides d
  EXPECT_THROW(make_problem(kGolden + ",case=9", 0), InvalidArgument);
}

}  // namespace
}  // namespace bocs
