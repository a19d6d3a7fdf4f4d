#include "bocs/method/remaining.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

const Space kSpace = Space::binary(12);

/// Smooth for a Gaussian process: single effects of different size, and two pairs. Its optimum is found by enumeration.
double smooth(const Point& x) {
  double value = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    value += (i % 2 == 0 ? 1.0 : -1.0) * (1 + 0.3 * static_cast<double>(i)) * x[i];
  return value + 4 * x[0] * x[1] - 3 * x[2] * x[5];
}

History observed(const Task& task, int count, double (*f)(const Point&) = smooth) {
  Rng rng(task.seed, "remaining test");
  History history;
  while (history.size() < count) {
    Trial trial;
    trial.number = history.size();
    do trial.x = task.space.random(rng);
    while (history.seen().contains(trial.x));
    const int number = trial.number;
    const double y = f(trial.x);
    history.add(std::move(trial));
    history.finish(number, Outcome::value(y));
  }
  return history;
}

double smallest(const Space& space) {
  double least = std::numeric_limits<double>::infinity();
  for (int code = 0; code < 1 << space.dimension(); ++code) {
    Point x(static_cast<std::size_t>(space.dimension()));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = code >> i & 1;
    least = std::min(least, smooth(x));
  }
  return least;
}

TEST(Remaining, TheRangeHoldsWhatIsLeftInMostCasesAndIsNoTruism) {
  const double least = smallest(kSpace);
  int covered = 0, known = 0, narrow = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Task task{kSpace, 0, 0, seed};
    const History history = observed(task, 30);
    const auto method = make_method("bocs", kSpace);
    const Remaining remaining = remaining_gain(*method, task, history);
    if (!remaining.is_known()) continue;
    const double left = history.best(task)->y - least;
    ++known;
    covered += left >= remaining.low - 1e-9 && left <= remaining.high + 1e-9 ? 1 : 0;
    narrow += remaining.high < 25 ? 1 : 0;  // the values themselves range over 40
    EXPECT_LE(remaining.low, remaining.mean);
    EXPECT_LE(remaining.mean, remaining.high);
    EXPECT_GE(remaining.low, 0);
  }
  EXPECT_GE(known, 30);
  EXPECT_GE(covered, known * 8 / 10);
  EXPECT_GE(narrow, known * 8 / 10);
}

TEST(Remaining, IsAFunctionOfItsArgumentsAndOfTheScaleOfTheValues) {
  const Task task{kSpace, 0.1, 0, 3};
  const History history = observed(task, 30);
  const auto method = make_method("bocs", kSpace);
  const Remaining first = remaining_gain(*method, task, history), second = remaining_gain(*method, task, history);
  EXPECT_EQ(first.mean, second.mean);
  EXPECT_EQ(first.high, second.high);
  const Task larger{kSpace, 0.1 * 8, 0, 3};
  const History scaled = observed(larger, 30, [](const Point& x) { return 8 * smooth(x); });
  EXPECT_NEAR(remaining_gain(*method, larger, scaled).mean, 8 * first.mean, 1e-6 * first.mean);
}

TEST(Remaining, NothingIsLeftOfASpaceThatHasBeenSeen) {
  const Task task{Space::binary(6), 0, 0, 1};
  const Remaining remaining = remaining_gain(*make_method("bocs", task.space), task, observed(task, 64));
  EXPECT_EQ(remaining.chance_optimal, 1);
  EXPECT_EQ(remaining.high, 0);
}

TEST(Remaining, IsNotKnownTooEarlyWithLimitsAndForValuesUnlikeAProcess) {
  Task task{kSpace, 0, 0, 1};
  const auto method = make_method("bocs:initial=20", kSpace);
  EXPECT_NE(remaining_gain(*method, task, {}).why_not, "");
  EXPECT_EQ(remaining_gain(*method, task, observed(task, 19)).why_not,
            "it takes 20 complete trials, the initial design among them");
  EXPECT_TRUE(std::isnan(remaining_gain(*method, task, observed(task, 19)).mean));
  const History skewed = observed(task, 60, [](const Point& x) { return std::exp(smooth(x)); });
  EXPECT_EQ(remaining_gain(*method, task, skewed).why_not, "the values are too skewed to tell");
  task.outcomes = {{"growth", 0, 1}};
  EXPECT_NE(remaining_gain(*method, task, observed(task, 30)).why_not, "");
}

TEST(StopRule, ReadsWhatItWritesAndRefusesTheRest) {
  EXPECT_EQ(StopRule::parse("gain < 0.01").gain, 0.01);
  EXPECT_EQ(StopRule::parse("gain<1e-3").text(), "gain < 0.001");
  for (const char* text : {"", "gain", "gain < ", "gain > 1", "gain < -1", "gain < 0", "gain < x", "loss < 1"}) {
    EXPECT_THROW(StopRule::parse(text), InvalidArgument) << text;
  }
  Remaining remaining{0.1, 0, 0.4, 0.5};
  EXPECT_TRUE(StopRule{0.5}.is_met(remaining));
  EXPECT_FALSE(StopRule{0.3}.is_met(remaining));
  remaining.why_not = "too early";
  EXPECT_FALSE(StopRule{0.5}.is_met(remaining));
}

}  // namespace
}  // namespace bocs
