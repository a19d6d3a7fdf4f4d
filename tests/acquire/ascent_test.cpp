#include "bocs/acquire/ascent.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "bocs/base/error.hpp"
#include "bocs/method/model_based.hpp"
#include "bocs/method/options.hpp"
#include "bocs/run/optimizer.hpp"
#include "bocs/run/work.hpp"

namespace bocs {
namespace {

/// Knows f, is equally unsure everywhere: expected improvement must go to the minimum of f + penalty.
struct Oracle : Posterior {
  [[nodiscard]] Prediction predict(std::span<const Point> points) const override {
    Prediction p{Vector(points.size()), Vector::Constant(static_cast<Eigen::Index>(points.size()), 0.01)};
    for (std::size_t k = 0; k < points.size(); ++k) {
      double f = 0;
      for (const auto bit : points[k]) f -= bit;
      p.mean[static_cast<Eigen::Index>(k)] = f;
    }
    return p;
  }
};

/// Keeps what it was fitted to, so that a test can look.
struct OracleModel : Model {
  explicit OracleModel(Data& data) : fitted(data) {}
  [[nodiscard]] std::unique_ptr<Posterior> fit(const Data& data, const Rng&) const override {
    fitted = data;
    return std::make_unique<Oracle>();
  }
  Data& fitted;
};

/// Three initial points, then expected improvement under the oracle.
ModelBased with_oracle(Data& fitted, double random_fraction = 0) {
  const auto improvement = std::make_shared<Ascent>(std::make_shared<OracleModel>(fitted), expected_improvement());
  return {{{.points = 3}, random_fraction}, Portfolio({{"oracle", improvement}})};
}

History history_of(const std::vector<Trial>& trials) {
  History history;
  for (Trial trial : trials) {
    trial.number = history.size();
    history.add(trial);
  }
  return history;
}

Trial trial(State state, Point x, double y) { return {0, state, std::move(x), y, {}, 0, {}, {}}; }

TEST(ExpectedImprovement, FindsTheBestUnseenPointPenaltyIncluded) {
  Data log;
  const ModelBased method = with_oracle(log);
  const History history = history_of({trial(State::complete, {0, 0, 0, 0}, 0), trial(State::complete, {1, 0, 0, 0}, 2),
                                      trial(State::complete, {1, 1, 1, 1}, 4)});
  // Standardized, f falls by 1 for each one; the known maximum at 1111 is not to be proposed again.
  const Point x = method.propose({Space::binary(4), 0, 0, 1}, history, 3).x;
  EXPECT_EQ(x[0] + x[1] + x[2] + x[3], 3);
  // The penalty of a one is 10, over the standard deviation of y: it outweighs the fall.
  const Point y = method.propose({Space::binary(4), 10, 0, 1}, history, 3).x;
  EXPECT_EQ(y[0] + y[1] + y[2] + y[3], 1);
  EXPECT_EQ(y[0], 0);
}

TEST(ExpectedImprovement, FitsCompleteTrialsStandardizedAndFailedOnesAtTheWorstAndNamesThoseUnderWay) {
  Data log;
  const ModelBased method = with_oracle(log);
  const History history =
      history_of({trial(State::complete, {0, 0, 0, 0}, 10), trial(State::failed, {1, 0, 0, 0}, kUnknown),
                  trial(State::running, {0, 1, 0, 0}, kUnknown), trial(State::complete, {0, 0, 1, 0}, 30)});
  const Proposal proposal = method.propose({Space::binary(4), 0, 0, 1}, history, 4);
  EXPECT_EQ(log.x, (std::vector<Point>{{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}}));
  EXPECT_TRUE(log.y.isApprox(Vector{{-1, 1, 1}}));
  EXPECT_EQ(log.under_way, (std::vector<Point>{{0, 1, 0, 0}}));
  EXPECT_EQ(proposal.x, (Point{1, 1, 1, 1}));
  EXPECT_DOUBLE_EQ(proposal.info.predicted, 20 - 4 * 10);
}

TEST(ExpectedImprovement, StartsAtTheInitialDesignAndInterleavesRandomPoints) {
  Data log;
  const Task task{Space::binary(12), 0, 0, 4};
  History history;
  for (int k = 0; k < 3; ++k) {
    const Point x = with_oracle(log).propose(task, history, k).x;
    EXPECT_EQ(x, design_point(task, history, k, {.points = 3}));
    history.add({k, State::complete, x, static_cast<double>(k), {}, 0, {}, {}});
  }
  int random = 0;
  for (int number = 3; number < 403; ++number) {
    random += with_oracle(log, 0.25).propose(task, history, number).info.how == "random: interleaved" ? 1 : 0;
  }
  EXPECT_NEAR(random, 100, 4 * std::sqrt(400 * 0.25 * 0.75));
}

/// Of mean and deviation, as three kinds of score.
Score bound(bool optimistic) {
  return {"bound", [](double mean, double variance, const ScoreContext&) { return 2 * std::sqrt(variance) - mean; },
          optimistic};
}

TEST(Ascent, AScoreOfYourOwnIsTheSameOneByOneAndTogether) {
  const Space space({integer("n", 0, 9), binary("a"), binary("b"), categorical("kind", {"x", "y", "z"})});
  const auto run = [&](const Score& score) {
    Optimizer session({space, 0.1, 0, 4}, make_ei(space, {.initial = 6, .score = score}));
    std::vector<Point> points;
    for (int n = 0; n < 20; ++n) {
      const Trial trial = session.ask();
      points.push_back(trial.x);
      EXPECT_TRUE(n < 6 || trial.info.how == score.name) << trial.info.how;
      session.tell(trial.number, std::sin(trial.x[0] * 1.3) + trial.x[1] * trial.x[2] - 0.5 * trial.x[3]);
    }
    return points;
  };
  const Score together{
      "bound", {}, false, [](const Vector& mean, const Vector& variance, const ScoreContext&) -> Vector {
        return 2 * variance.array().sqrt() - mean.array();
      }};
  EXPECT_EQ(run(bound(true)), run(bound(false)));
  EXPECT_EQ(run(together), run(bound(false)));
  EXPECT_NE(run(bound(true)), run(expected_improvement()));
}

TEST(Ascent, TellsAScoreWhatItKnows) {
  Data fitted;
  std::vector<ScoreContext> seen;
  const Score score{"look", [&](double, double, const ScoreContext& context) {
                      seen.push_back(context);
                      return 0.0;
                    }};
  const Ascent ascent(std::make_shared<OracleModel>(fitted), score);
  const Task task{Space::binary(3), 0, 0, 1};
  const History history = history_of({trial(State::complete, {0, 0, 0}, 10), trial(State::failed, {1, 0, 0}, kUnknown),
                                      trial(State::complete, {0, 1, 0}, 30)});
  (void)ascent.choose({task, history, 7, false, false});
  ASSERT_FALSE(seen.empty());
  EXPECT_DOUBLE_EQ(seen.front().best, -1);  // of 10 and 30, standardized
  EXPECT_EQ(seen.front().number, 7);
  EXPECT_EQ(seen.front().evaluations, 2);
}

// What is expected of a trial under way need not be found again: with a limit on another outcome, only if it is
// expected to be allowed, and never before some trial is.
TEST(Ascent, ImprovesOnTheBestThatIsExpectedOfTrialsUnderWay) {
  Data fitted;
  std::optional<double> best;
  const Score score{"look", [&](double, double, const ScoreContext& context) { return *(best = context.best); }};
  const Ascent ascent(std::make_shared<OracleModel>(fitted), score);
  const auto best_with = [&](double penalty, std::vector<OutcomeLimit> limits) {
    Task task{Space::binary(3), penalty, 0, 1};
    task.outcomes = std::move(limits);
    Trial first = trial(State::complete, {0, 0, 0}, 10), second = trial(State::complete, {0, 0, 0}, 30);
    first.metrics["size"] = 1;
    second.metrics["size"] = 5;
    best.reset();
    (void)ascent.choose(
        {task, history_of({first, trial(State::running, {1, 1, 0}, kUnknown), second}), 3, false, false});
    return best;
  };
  constexpr double kNone = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(best_with(0, {}).value(), -2, 1e-12);                     // of the oracle, at two ones
  EXPECT_NEAR(best_with(5, {}).value(), -1, 1e-12);                     // two penalties of 5 are one deviation of y
  EXPECT_NEAR(best_with(0, {{"size", -2, kNone}}).value(), -2, 1e-12);  // expected is 3 - 2 * 2
  EXPECT_NEAR(best_with(0, {{"size", 0, kNone}}).value(), -1, 1e-12);   // of the first trial
  EXPECT_FALSE(best_with(0, {{"size", -kNone, 0}}));                    // nothing but the chance to be allowed counts
}

TEST(Ascent, AScoreThatIsNoNumberIsNeverTheBest) {
  Data fitted;
  const Score score{"broken", [](double mean, double, const ScoreContext&) {
                      return mean > -2.5 ? kUnknown : -mean;  // only 111 has a score
                    }};
  const Ascent ascent(std::make_shared<OracleModel>(fitted), score);
  const Task task{Space::binary(3), 0, 0, 1};
  const History history = history_of({trial(State::complete, {0, 1, 1}, 0), trial(State::complete, {0, 0, 1}, 1)});
  EXPECT_EQ(ascent.choose({task, history, 2, false, false}).x, (Point{1, 1, 1}));
  const Score few{"few", {}, false, [](const Vector&, const Vector&, const ScoreContext&) { return Vector(1); }};
  EXPECT_THROW((void)Ascent(std::make_shared<OracleModel>(fitted), few).choose({task, history, 2, false, false}),
               InvalidArgument);
}

/// One point measured by luck at -3: over that, only where the model knows little there is hope; over what the model
/// predicts at the measured points, 0, the sure gain is better.
TEST(ExpectedImprovement, UnderNoiseTheIncumbentIsWhatTheModelPredicts) {
  struct Opinion : Posterior {  // where x0 = 1 surely -1, else 0 with much doubt
    [[nodiscard]] Prediction predict(std::span<const Point> points) const override {
      Prediction p{Vector(points.size()), Vector(points.size())};
      for (std::size_t k = 0; k < points.size(); ++k) {
        p.mean[k] = points[k][0] == 1 ? -1 : 0;
        p.variance[k] = points[k][0] == 1 ? 1e-4 : 1;
      }
      return p;
    }
  };
  struct OpinionModel : Model {
    [[nodiscard]] std::unique_ptr<Posterior> fit(const Data& data, const Rng&) const override {
      noise = data.noise;
      return std::make_unique<Opinion>();
    }
    mutable double noise = 0;
  };
  const auto model = std::make_shared<OpinionModel>();
  const Ascent improvement(model, expected_improvement());
  const Task task{Space::binary(3), 0, 0, 1};
  const History history = history_of({trial(State::complete, {0, 0, 0}, -3), trial(State::complete, {0, 1, 0}, 0),
                                      trial(State::complete, {0, 0, 1}, 0)});
  EXPECT_EQ(improvement.choose({task, history, 3, false, true}).x[0], 1);
  EXPECT_GT(model->noise, 0);
  EXPECT_EQ(improvement.choose({task, history, 3, false, false}).x, (Point{0, 1, 1}));
  EXPECT_EQ(model->noise, 0);
}

/// The true values differ by 2, the noise by 1: the recommendation must not follow the luck, whatever the model.
TEST(ExpectedImprovement, UnderNoiseEveryModelMeasuresAgainAndRecommendsTheLikelyBest) {
  const auto f = [](const Point& x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (i % 2 == 0 ? 2.0 : -2.0) * x[i];
    return sum;
  };
  for (const char* method : {"ei:noise=true", "smac:noise=true"}) {
    double value = 0;
    int again = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Optimizer optimizer({Space::binary(8), 0, 0, seed}, method);
      Rng noise(seed, "noise");
      for (int t = 0; t < 80; ++t) {
        const Trial trial = optimizer.ask();
        again += trial.info.member == "again" ? 1 : 0;
        optimizer.tell(t, f(trial.x) + noise.normal());
      }
      value += f(optimizer.recommend().x);
    }
    EXPECT_GE(again, 12) << method;        // of 48 occasions
    EXPECT_LE(value, 3 * -7.3) << method;  // the optimum is -8; of three runs at most one is one step off
  }
}

class WithModel : public testing::TestWithParam<const char*> {};

TEST_P(WithModel, FindsTheMinimumOfAMixedFunction) {
  const Task task{Space({integer("n", 0, 9), categorical("kind", {"a", "b", "c", "d"}), binary("x"), binary("y"),
                         integer("m", -20, 20)}),
                  0, 0, 2};
  const auto f = [](const Point& x) {
    return std::pow(x[0] - 6, 2) + (x[1] == 2 ? 0 : 8) + 3 * x[2] - 3 * x[2] * x[3] + 0.1 * std::pow(x[4] - 13, 2);
  };
  double regret = 0, random_regret = 0;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    Optimizer session({task.space, 0, 0, seed}, GetParam()), random({task.space, 0, 0, seed}, "random");
    Limits limits;
    limits.trials = 60;
    work(session, callback(f), limits);
    work(random, callback(f), limits);
    regret += session.value(*session.best());
    random_regret += random.value(*random.best());
  }
  EXPECT_LT(regret, 0.5 * random_regret);
}

INSTANTIATE_TEST_SUITE_P(Models, WithModel, testing::Values("ei", "smac"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace bocs
