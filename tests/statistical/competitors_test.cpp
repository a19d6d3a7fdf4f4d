// The paper's competitors, each on its own merits: on quadratic programs of [BP18] Sec. 5.1 (d = 10, 120 evaluations)
// they must be far better than random search, or comparing with them says nothing.

#include <gtest/gtest.h>

#include "bocs/problem/problem.hpp"
#include "bocs/run/optimizer.hpp"
#include "bocs/run/work.hpp"

namespace bocs {
namespace {

double mean_regret(const std::string& method) {
  constexpr int kInstances = 12;
  double sum = 0;
  for (std::uint64_t instance = 1; instance <= kInstances; ++instance) {
    const Problem problem = make_problem("bqp:d=10,lc=10", instance);
    Optimizer session({problem.space, 0, 0, instance}, method, problem.sense);
    Limits limits;
    limits.trials = 120;
    work(session, callback(problem.f), limits);
    sum += std::abs(session.value(*session.best()) - problem.optimum(0)->value);
  }
  return sum / kInstances;
}

class Competitor : public testing::TestWithParam<std::pair<const char*, double>> {};

TEST_P(Competitor, IsFarBetterThanRandomSearchOnQuadraticPrograms) {
  const auto& [method, share] = GetParam();
  EXPECT_LT(mean_regret(method), share * mean_regret("random"));
}

// The share of random search's regret that is allowed, several times what 40 to 120 other runs had: 0 (ei), 0.005
// (smac), 0.01 (annealing), 0.07 (particle), 0.05 (local).
INSTANTIATE_TEST_SUITE_P(Methods, Competitor,
                         testing::Values(std::pair{"ei", 0.05}, std::pair{"smac", 0.1}, std::pair{"annealing", 0.1},
                                         std::pair{"particle", 0.3}, std::pair{"local", 0.3}),
                         [](const auto& test) { return std::string(test.param.first); });

}  // namespace
}  // namespace bocs
