#include "bocs/problem/contamination.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bocs/base/error.hpp"
#include "golden.hpp"
#include "problem/brute_force.hpp"

namespace bocs {
namespace {

Problem golden_problem(std::size_t number, const std::string& more = "") {
  return make_problem(std::string("contamination:instance=") + BOCS_TEST_DATA +
                          "/contamination.json,case=" + std::to_string(number) + more,
                      0);
}

TEST(Contamination, ValuesOfGoldenInstances) {
  const auto cases = test::golden("contamination.json")["cases"];
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Problem problem = golden_problem(k);
    const Problem printed = golden_problem(k, ",constant=false");
    const double d = cases[k]["d"];
    for (std::size_t n = 0; n < cases[k]["x"].size(); ++n) {
      const Point x = test::bits(cases[k]["x"][n]);
      const double truth = cases[k]["value"][n];
      EXPECT_NEAR(problem.f(x), truth, 1e-10);
      EXPECT_NEAR(printed.f(x), truth + 0.05 * d, 1e-10);
    }
  }
}

TEST(Contamination, OptimaOfGoldenInstances) {
  const auto cases = test::golden("contamination.json")["cases"];
  int compared = 0;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    if (!cases[k].contains("optimum")) continue;
    const Problem problem = golden_problem(k);
    for (const auto& truth : cases[k]["optimum"]) {
      EXPECT_NEAR(problem.optimum(truth["lam"])->value, truth["value"].get<double>(), 1e-10);
      ++compared;
    }
  }
  EXPECT_GE(compared, 4);
}

TEST(Contamination, OptimumIsThatOfBruteForce) {
  for (const char* spec : {"contamination:d=1", "contamination:d=12", "contamination:d=12,flip=4",
                           "contamination:d=15,samples=33", "contamination:d=10,constant=false"}) {
    for (std::uint64_t instance = 0; instance < 3; ++instance) {
      const Problem problem = make_problem(spec, instance);
      for (const double l1 : {0.0, 1e-4, 1e-2, 0.4, 2.0}) {
        EXPECT_NEAR(problem.optimum(l1)->value, test::brute_force(problem, l1), 1e-10) << spec << " l1=" << l1;
      }
    }
  }
}

// Exhaustive at the full size: every one of the 2^25 points, through nothing but the recursion as it is written in the
// paper, on 4 paths so that it takes a second.
TEST(Contamination, OptimumOf25StagesIsThatOfEnumeration) {
  const Problem problem = make_problem("contamination:samples=4,constant=false", 3);
  const auto data = nlohmann::json::parse(problem.instance_json());
  const int d = 25;
  const int T = 4;
  std::vector<std::vector<double>> Z(d + 1, std::vector<double>(T));
  std::vector<std::vector<double>> Lambda = data["Lambda"];
  std::vector<std::vector<double>> Gamma = data["Gamma"];
  Z[0] = data["Z0"].get<std::vector<double>>();
  int best = 1 << 30;  // in units of 1/T
  const auto visit = [&](const auto& self, int stage, int cost) -> void {
    if (stage == d) {
      best = std::min(best, cost);
      return;
    }
    for (int x = 0; x < 2; ++x) {
      int above = 0;
      for (int k = 0; k < T; ++k) {
        const double z = Z[stage][k];
        Z[stage + 1][k] = Lambda[stage][k] * (1 - x) * (1 - z) + (1 - Gamma[stage][k] * x) * z;
        above += Z[stage + 1][k] > 0.1 ? 1 : 0;
      }
      self(self, stage + 1, cost + T * x + above);
    }
  };
  visit(visit, 0, 0);
  EXPECT_NEAR(problem.optimum(0)->value, best / static_cast<double>(T), 1e-10);
}

TEST(Contamination, DrawsHaveTheirMeans) {
  const auto data = nlohmann::json::parse(make_problem("contamination:d=200,samples=200", 1).instance_json());
  const auto mean = [](const nlohmann::json& rows) {
    double sum = 0;
    int count = 0;
    for (const auto& row : rows) {
      for (const double value : row) sum += value, ++count;
    }
    return sum / count;
  };
  // Beta(1, b): mean 1/(1+b); 40 000 draws of deviation below 0.31, 5 standard errors are 0.008.
  EXPECT_NEAR(mean(data["Lambda"]), 3.0 / 20, 0.008);
  EXPECT_NEAR(mean(data["Gamma"]), 7.0 / 10, 0.008);
  double initial = 0;
  for (const double value : data["Z0"]) initial += value / 200;
  EXPECT_NEAR(initial, 1.0 / 31, 5 * 0.032 / std::sqrt(200.0));
}

// The published level: doing nothing costs 23.3 on average at d = 25 (the table's value at l1 = 1).
TEST(Contamination, DoingNothingCostsWhatIsPublished) {
  double mean = 0;
  for (std::uint64_t n = 0; n < 50; ++n) mean += make_problem("contamination", n).f(Point(25, 0)) / 50;
  EXPECT_NEAR(mean, 23.33, 0.06);
}

TEST(Contamination, RefusesBadOptions) {
  for (const char* spec : {"contamination:d=0", "contamination:samples=-1", "contamination:constant=maybe"}) {
    EXPECT_THROW(make_problem(spec, 1), InvalidArgument) << spec;
  }
}

}  // namespace
}  // namespace bocs
