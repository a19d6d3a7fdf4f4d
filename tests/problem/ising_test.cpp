#include "bocs/problem/ising.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "bocs/base/error.hpp"
#include "golden.hpp"
#include "problem/brute_force.hpp"
#include "temporary_folder.hpp"

namespace bocs {
namespace {

Problem golden_problem(std::size_t number, const std::string& more = "") {
  return make_problem(
      std::string("ising:instance=") + BOCS_TEST_DATA + "/ising.json,case=" + std::to_string(number) + more, 0);
}

// Differences of numbers of size logZ: rounding is relative to that.
TEST(Ising, DivergencesOfGoldenInstances) {
  const auto cases = test::golden("ising.json")["cases"];
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Problem problem = golden_problem(k);
    const double size = cases[k]["logZp"];
    for (std::size_t n = 0; n < cases[k]["x"].size(); ++n) {
      const double truth = cases[k]["kl"][n];
      EXPECT_NEAR(problem.f(test::bits(cases[k]["x"][n])), truth, 1e-12 * size) << "case " << k << ", point " << n;
    }
  }
}

TEST(Ising, OptimaOfGoldenInstances) {
  const auto cases = test::golden("ising.json")["cases"];
  int compared = 0;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    if (!cases[k].contains("optimum")) continue;
    const Problem problem = golden_problem(k);
    for (const auto& truth : cases[k]["optimum"]) {
      const auto optimum = problem.optimum(truth["lam"]);
      ASSERT_TRUE(optimum);
      EXPECT_NEAR(optimum->value, truth["value"].get<double>(), 1e-10);
      EXPECT_EQ(problem.space.format(optimum->x), truth["x"].get<std::string>());
      ++compared;
    }
  }
  EXPECT_GE(compared, 9);
}

TEST(Ising, DivergenceIsNeverNegativeAndZeroWhenAllIsKept) {
  for (const char* spec : {"ising", "ising:rows=3,columns=5", "ising:rows=6,columns=6"}) {
    for (std::uint64_t instance = 0; instance < 5; ++instance) {
      const Problem problem = make_problem(spec, instance);
      Point all(problem.space.dimension(), 1);
      EXPECT_EQ(problem.f(all), 0) << spec;
      for (auto& bit : all) {  // cut one edge: close to 0, where rounding would show
        bit = 0;
        EXPECT_GE(problem.f(all), 0) << spec;
        bit = 1;
      }
    }
  }
}

TEST(Ising, OptimumIsThatOfBruteForce) {
  for (const char* spec : {"ising:rows=2,columns=4", "ising:rows=4,columns=2", "ising:rows=3,columns=3,flip=9",
                           "ising:rows=1,columns=9", "ising:rows=3,columns=4,flip=1"}) {
    const Problem problem = make_problem(spec, 5);
    for (const double l1 : {0.0, 1e-2, 1.0}) {
      const auto optimum = problem.optimum(l1);
      ASSERT_TRUE(optimum);
      EXPECT_NEAR(optimum->value, test::brute_force(problem, l1), 1e-12) << spec << " l1=" << l1;
    }
  }
  EXPECT_FALSE(make_problem("ising:rows=5,columns=5", 1).optimum(0));
}

/// Descent from x by flips of one or two bits.
double descend(const Problem& problem, Point x, double l1) {
  double value = test::penalized(problem, x, l1);
  for (bool better = true; better;) {
    better = false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = i; j < x.size(); ++j) {
        Point other = x;
        other[i] ^= 1;
        if (j > i) other[j] ^= 1;
        const double other_value = test::penalized(problem, other, l1);
        if (other_value >= value) continue;
        value = other_value;
        x = std::move(other);
        better = true;
      }
    }
  }
  return value;
}

// 2^24 masks are too many to referee one by one; no search may end below the stated optimum, and a good one reaches it.
TEST(Ising, NoSearchEndsBelowTheOptimumOfA4x4Grid) {
  for (const double l1 : {1e-4, 1e-2, 0.3}) {
    const Problem problem = golden_problem(3, ",flip=2");
    const double optimum = problem.optimum(l1)->value;
    Rng rng(7, "test");
    double best = INFINITY;
    for (int n = 0; n < 3000; ++n) EXPECT_GE(test::penalized(problem, problem.space.random(rng), l1), optimum);
    for (int n = 0; n < 12; ++n) best = std::min(best, descend(problem, problem.space.random(rng), l1));
    EXPECT_NEAR(best, optimum, 1e-12);
  }
}

TEST(Ising, CouplingsFollowTheirLaw) {
  int positive = 0;
  double mean = 0;
  const int instances = 400;
  for (int n = 0; n < instances; ++n) {
    const auto J = nlohmann::json::parse(make_problem("ising", static_cast<std::uint64_t>(n)).instance_json())["J"];
    ASSERT_EQ(J.size(), 24u);
    for (const double value : J) {
      EXPECT_GE(std::abs(value), 0.05);
      EXPECT_LE(std::abs(value), 5);
      positive += value > 0 ? 1 : 0;
      mean += std::abs(value) / (24 * instances);
    }
  }
  EXPECT_NEAR(positive / (24.0 * instances), 0.5, 5 * 0.5 / std::sqrt(24.0 * instances));
  EXPECT_NEAR(mean, 2.525, 5 * 4.95 / std::sqrt(12 * 24.0 * instances));
}

TEST(Ising, PictureShowsKeptEdgesAndSigns) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "square.json";
  std::ofstream(file) << R"({"rows": 2, "columns": 2, "J": [1, -1, 2, -2]})";
  const Problem problem = make_problem("ising:instance=" + file, 0);
  const std::string legend = "+ and -: kept edge and the sign of its coupling; dots: cut edge\n";
  EXPECT_EQ(problem.picture({1, 1, 1, 1}), "o-(+)-o\n|     |\n+     -\n|     |\no-(-)-o\n" + legend);
  EXPECT_EQ(problem.picture({1, 0, 0, 1}), "o-(+)-o\n      |\n.     -\n      |\no . . o\n" + legend);
}

TEST(Ising, RefusesBadOptions) {
  for (const char* spec : {"ising:rows=0", "ising:columns=-4", "ising:rows=1,columns=1", "ising:rows=20,columns=20",
                           "ising:instance=no_such_file.json", "ising:size=4"}) {
    EXPECT_THROW(make_problem(spec, 1), InvalidArgument) << spec;
  }
}

}  // namespace
}  // namespace bocs
