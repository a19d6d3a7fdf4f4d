#include "bocs/method/baseline/particle.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "bocs/base/error.hpp"
#include "bocs/method/replay.hpp"
#include "bocs/run/optimizer.hpp"
#include "bocs/run/work.hpp"

namespace bocs {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double effective(const Vector& w) { return w.sum() * w.sum() / w.squaredNorm(); }

TEST(TemperingStep, LeavesTheFractionAskedFor) {
  Rng rng(1, "values");
  Vector values(40);
  for (double& v : values) v = 1e6 + 3 * rng.normal();
  for (const double keep : {0.2, 0.5, 0.9}) {
    const double r = tempering_step(values, keep);
    EXPECT_GT(r, 0);
    EXPECT_NEAR(effective((-r * (values.array() - 1e6)).exp()), 40 * keep, 1e-6);
  }
}

TEST(TemperingStep, IgnoresFailuresAndSurvivesEqualValues) {
  EXPECT_EQ(tempering_step(Vector::Constant(5, 2.0), 0.5), 0);
  const double r = tempering_step(Vector{{1, 2, kInfinity, 3, kInfinity}}, 0.3);
  EXPECT_NEAR(effective(Vector{{1, std::exp(-r), std::exp(-2 * r)}}), 1.5, 1e-6);
}

TEST(ParticleSearch, RefusesWhatIsNotBinary) {
  EXPECT_THROW(make_method("particle", Space({binary("a"), integer("n", 0, 3)})), InvalidArgument);
}

TEST(ParticleSearch, StartsUniformlyAndMovesTowardsGoodPoints) {
  const int n = 20;
  double first = 0, last = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Task task{Space::binary(20), 0, 0, seed};
    Optimizer session(task, "particle:particles=20");
    Limits limits;
    limits.trials = 6 * n;
    const auto ones = [](const Point& x) { return std::accumulate(x.begin(), x.end(), 0.0); };
    work(session, callback(ones), limits);
    for (int j = 0; j < n; ++j) {
      const auto slot = static_cast<std::size_t>(j);
      EXPECT_EQ(session.history().trials()[slot].x, random_start(task, j));
      first += ones(session.history().trials()[slot].x) / (5 * n);
      last += ones(session.history().trials()[5 * n + slot].x) / (5 * n);
    }
  }
  EXPECT_NEAR(first, 10, 4 * std::sqrt(20 * 0.25 / (5 * n)));
  EXPECT_LT(last, 5);
}

TEST(ParticleSearch, AGenerationIsABatch) {
  // All moves of a generation come from one fit: asked at once or one by one, they are the same.
  const Task task{Space::binary(30), 0, 0, 3};
  const auto f = [](const Point& x) { return x[0] + 2.0 * x[1] - x[2] + x[3] * x[4]; };
  std::vector<std::vector<Point>> runs;
  for (const int batch : {1, 10}) {
    Optimizer session(task, "particle:particles=10");
    Limits limits;
    limits.trials = 30;
    limits.batch = batch;
    work(session, callback(f), limits);
    runs.emplace_back();
    for (const Trial& trial : session.history().trials()) runs.back().push_back(trial.x);
  }
  EXPECT_EQ(runs[0], runs[1]);
}

}  // namespace
}  // namespace bocs
