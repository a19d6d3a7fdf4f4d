// One wrong value, or a large number for "not allowed", must not blind the models (model/values.hpp).
#include <gtest/gtest.h>

#include "bocs/method/explain.hpp"
#include "bocs/numeric/rng.hpp"
#include "bocs/run/optimizer.hpp"

namespace bocs {
namespace {

constexpr double kOptimum = -12.75;

double f(const Point& x) {
  double sum = 2 * x[0] * x[3] - 3 * x[1] * x[2];
  for (int i = 0; i < 12; ++i) sum += (i % 2 == 0 ? 1 : -1) * (i + 1) / 4.0 * x[i];
  return sum;
}

/// The smallest true value of the trials whose value was not replaced.
template <class Replace>
double best_of(const std::string& method, std::uint64_t seed, int trials, const Replace& replace) {
  Optimizer optimizer({Space::binary(12), 0, 0, seed}, method);
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < trials; ++i) {
    const Trial trial = optimizer.ask();
    const double value = f(trial.x), told = replace(trial, value);
    optimizer.tell(trial.number, Outcome::value(told));
    if (told == value) best = std::min(best, value);
  }
  return best;
}

/// In how many of 4 runs the optimum is found. Random search finds it in none.
template <class Replace>
int found(const std::string& method, int trials, double optimum, const Replace& replace) {
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    count += best_of(method, seed, trials, replace) <= optimum + 1e-9 ? 1 : 0;
  }
  return count;
}

TEST(RobustValues, AWrongMeasurementDoesNotBlindTheModels) {
  for (const char* method : {"bocs", "ei"}) {
    for (const double glitch : {100.0, 1e3, 1e6}) {
      const auto replace = [&](const Trial& trial, double value) { return trial.number == 6 ? glitch : value; };
      EXPECT_GE(found(method, 40, kOptimum, replace), 3) << method << " " << glitch;
    }
  }
}

TEST(RobustValues, ALargeNumberForNotAllowedDoesNotBlindTheModels) {
  for (const char* method : {"bocs", "ei"}) {
    for (const double penalty : {1e3, 1e6, 1e300}) {
      const auto replace = [&](const Trial& trial, double value) {
        return trial.x[5] == 1 && trial.x[7] == 1 ? penalty : value;
      };
      EXPECT_GE(found(method, 45, -11.25, replace), 3) << method << " " << penalty;
    }
  }
}

TEST(RobustValues, ValuesOfAnySizeAreLearnt) {
  for (const double size : {1e300, 1e-300}) {
    int count = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      Optimizer optimizer({Space::binary(12), 0, 0, seed}, "bocs:order=2");
      for (int i = 0; i < 45; ++i) {
        const Trial trial = optimizer.ask();
        optimizer.tell(trial.number, Outcome::value(size * f(trial.x)));
      }
      count += f(optimizer.best()->x) <= kOptimum + 1e-9 ? 1 : 0;
    }
    EXPECT_GE(count, 2) << size;  // 0 where squares overflow
  }
}

TEST(RobustValues, TheEndsOfTheRangeDoNotStopAStudyWithNoise) {
  Optimizer optimizer({Space::binary(12), 0, 0, 1}, "bocs:noise=true");
  for (int i = 0; i < 32; ++i) {
    const Trial trial = optimizer.ask();
    optimizer.tell(trial.number, Outcome::value(trial.number % 5 == 0 ? -1.7e308 : 1.7e308));
  }
  EXPECT_EQ(optimizer.history().size(), 32);
}

TEST(RobustValues, PredictionsAndBoundsAreShownOnTheUsersScale) {
  for (const char* method : {"bocs:order=2", "ei", "bocs:noise=true"}) {
    Optimizer optimizer({Space::binary(12), 1e299, 0, 1}, method);
    int predictions = 0;
    for (int i = 0; i < 40; ++i) {
      const Trial trial = optimizer.ask();
      optimizer.tell(trial.number, Outcome::value(1e300 * f(trial.x)));
      if (!std::isfinite(trial.info.predicted)) continue;
      ++predictions;
      EXPECT_LT(std::abs(trial.info.predicted), 1e302) << method << " " << trial.number;
      EXPECT_GT(std::abs(trial.info.predicted), 1e297) << method << " " << trial.number;
      EXPECT_FALSE(trial.info.lower_bound > trial.info.predicted) << method << " " << trial.number;
    }
    EXPECT_GE(predictions, 10) << method;
  }
}

TEST(RobustValues, AnExplanationSeesThroughAWrongMeasurement) {
  const Task task{Space::binary(12), 0, 0, 1};
  History history;
  for (int i = 0; i < 80; ++i) {
    Trial trial;
    trial.number = i;
    Rng rng(3, "x", static_cast<std::uint64_t>(i));
    trial.x = task.space.random(rng);
    history.add(trial);
    history.finish(i, Outcome::value(i == 6 ? 1e6 : f(trial.x)));
  }
  const Explanation explanation = explain(*make_method("bocs:order=2", task.space), task, history, Sense::maximize);
  // The largest of -f: 3 x1 x2 and 3 x11, then 2.75 of x10. A value of 1e6 among them would make effects of 1e5.
  EXPECT_NEAR(explanation.effects.front().mean, 3, 1);
  EXPECT_TRUE(explanation.effects.front().is_sure());
}

}  // namespace
}  // namespace bocs
