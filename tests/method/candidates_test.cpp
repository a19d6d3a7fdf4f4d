// Methods over a table of candidates: only its rows are proposed, each once, and the best by the model.

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "bocs/method/options.hpp"
#include "bocs/model/gaussian_process.hpp"
#include "bocs/run/optimizer.hpp"

namespace bocs {
namespace {

const Space kSpace({categorical("ligand", {"a", "b", "c", "d", "e"}), real("temperature", 20, 100),
                    integer("n", 1, 9)});

Task table_task(std::size_t rows, std::uint64_t seed) {
  Rng rng(seed, "table");
  std::vector<Point> points;
  PointSet taken;
  while (points.size() < rows) {
    Point x = kSpace.random(rng);
    if (taken.insert(x).second) points.push_back(std::move(x));
  }
  Task task{kSpace, 0, 0, seed};
  task.constraints = Constraints(kSpace, {}, std::make_shared<const Candidates>(kSpace, points));
  return task;
}

double measured(const Point& x) {
  const double t = kSpace[1].value(x[1]);
  return std::abs(t - 61) / 10 + (x[0] == 2 ? 0 : 2) + 0.3 * std::abs(x[2] - 4);
}

TEST(MethodsOverCandidates, ProposeEachRowOnceUntilNoneIsLeft) {
  for (const char* method : {"bocs", "bocs:order=2", "bocs:minimizer=tabu", "ei", "smac", "random"}) {
    const Task task = table_task(40, 3);
    Optimizer optimizer(task, method);
    PointSet seen;
    for (int k = 0; k < 40; ++k) {
      const Trial trial = optimizer.ask();
      EXPECT_TRUE(task.constraints.candidates()->find(trial.x)) << method;
      EXPECT_TRUE(seen.insert(trial.x).second) << method;
      if (k % 9 == 8) {
        optimizer.tell(trial.number, Outcome::failure("broken"));
      } else {
        optimizer.tell(trial.number, measured(trial.x));
      }
    }
    EXPECT_THROW(optimizer.ask(), SpaceExhausted) << method;
  }
}

TEST(MethodsOverCandidates, ExpectedImprovementLooksAtAllRows) {
  // The score is the expected value alone, so that the answer can be found by predicting every row.
  const Score lowest{"lowest mean", [](double mean, double, const ScoreContext&) { return -mean; }};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Task task = table_task(3000, seed);
    Optimizer optimizer(task, make_ei(kSpace, {.initial = 15, .score = lowest}));
    for (int k = 0; k < 15; ++k) {
      const Trial trial = optimizer.ask();
      optimizer.tell(trial.number, measured(trial.x));
    }
    Data data{{}, Vector(15)};
    for (const Trial& trial : optimizer.history().trials()) {
      data.y[static_cast<Eigen::Index>(data.x.size())] = trial.y;
      data.x.push_back(trial.x);
    }
    const Standard standard(data.y);
    data.y = data.y.unaryExpr(standard);
    const auto posterior = GaussianProcessModel(default_kernel(kSpace), usual_steps(kSpace)).fit(data, Rng(1, "fit"));
    double least = std::numeric_limits<double>::infinity();
    const Candidates& table = *task.constraints.candidates();
    for (std::size_t row = 0; row < table.size(); ++row) {
      const Point x = table.point(row);
      if (!optimizer.history().seen().contains(x)) least = std::min(least, posterior->predict({&x, 1}).mean[0]);
    }
    const Point proposed = optimizer.ask().x;
    EXPECT_NEAR(posterior->predict({&proposed, 1}).mean[0], least, 1e-9);
  }
}

TEST(MethodsOverCandidates, ThoseThatStepToNeighboursAreRefused) {
  const Task task = table_task(10, 1);
  for (const char* method : {"local", "annealing"}) {
    try {
      Optimizer optimizer(task, method);
      FAIL() << method;
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find("a table of candidates has none"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace bocs
