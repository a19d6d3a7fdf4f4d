// What every registered problem must do, with its default options and with some others.

#include "bocs/problem/problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numeric>

#include "bocs/base/error.hpp"
#include "bocs/numeric/parallel.hpp"
#include "bocs/rule/feasible.hpp"
#include "bocs/rule/moves.hpp"
#include "paths.hpp"
#include "temporary_folder.hpp"

namespace bocs {
namespace {

std::vector<std::string> specs() {
  const std::string wcnf = std::string("maxsat:file=") + BOCS_TEST_DATA + "/small.wcnf";
  std::vector<std::string> all{"bqp:d=12,lc=3,decay=lc2,flip=7",
                               "ising:rows=3,columns=5,flip=2",
                               "ising:rows=6,columns=6",
                               "contamination:d=18,samples=40,constant=false,flip=11",
                               "labs:n=15",
                               "labs:n=12,flip=5",
                               wcnf + ",normalise=false,flip=3",
                               "pest:stages=6",
                               "pest:variant=noisy",
                               "subset:d=13,k=5,density=0.5",
                               "subset:d=13,k=5,density=0.5,flip=3",
                               "mixed:blocks=2",
                               "maxsat:n=12,density=3",
                               "maxsat:n=13,density=2,length=2,flip=4",
                               "nk:n=12,k=3",
                               "nk:n=10,k=0,flip=6",
                               "maxcut:n=12,density=0.5",
                               "maxcut:n=13,signs=true,flip=9",
                               "nk:n=30,noise=0.1",
                               "features:data=digits",
                               "ackley:d=3,levels=5"};
  for (const auto& entry : list_problems()) all.push_back(entry.name == "maxsat" ? wcnf : entry.name);
  return all;
}

double penalized(const Problem& problem, const Point& x, double l1) {
  const Task task{.space = problem.space, .l1 = l1};
  return problem.sense == Sense::minimize ? problem.f(x) + penalty(task, x) : problem.f(x) - penalty(task, x);
}

class EveryProblem : public testing::TestWithParam<std::string> {
 protected:
  Problem problem = make_problem(GetParam(), 42);

  [[nodiscard]] std::vector<Point> points(int count) const {
    Rng rng(1, "conformance");
    std::vector<Point> all;
    for (int n = 0; n < count; ++n) all.push_back(random_point(problem.space, problem.constraints, rng));
    return all;
  }
};

TEST_P(EveryProblem, RemembersItsSpec) { EXPECT_EQ(problem.name, GetParam()); }

TEST_P(EveryProblem, IsAPureFunctionOfThePointOnAnyThread) {
  const auto x = points(40);
  const Problem same = make_problem(GetParam(), 42);
  std::vector<double> serial(x.size()), parallel(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) serial[n] = problem.f(x[n]);
  parallel_for(static_cast<int>(x.size()), 4, [&](int n) { parallel[n] = same.f(x[n]); });
  for (std::size_t n = 0; n < x.size(); ++n) {
    EXPECT_TRUE(std::isfinite(serial[n]));
    EXPECT_EQ(serial[n], parallel[n]);
  }
}

TEST_P(EveryProblem, RefusesPointsOutsideItsSpace) {
  Point x = points(1)[0];
  x[0] = problem.space[0].levels;
  EXPECT_THROW((void)problem.f(x), InvalidArgument);
  EXPECT_THROW((void)problem.f(Point{}), InvalidArgument);
}

TEST_P(EveryProblem, RefusesPointsAgainstItsConstraints) {
  if (problem.constraints.empty()) return;
  Rng rng(2, "conformance");
  int refused = 0;
  for (int n = 0; n < 200; ++n) {
    const Point x = problem.space.random(rng);
    if (problem.constraints.satisfied(x)) continue;
    EXPECT_THROW((void)problem.f(x), InvalidArgument);
    ++refused;
  }
  EXPECT_GT(refused, 0);
}

TEST_P(EveryProblem, StatedOptimumIsAttainedAndNotBeaten) {
  for (const double l1 : {0.0, 1e-2, 1.0}) {
    const auto optimum = problem.optimum(l1);
    if (!optimum) continue;
    EXPECT_EQ(penalized(problem, optimum->x, l1), optimum->value);
    const auto not_better = [&](const Point& x) {
      if (!problem.constraints.satisfied(x)) return;
      const double gap = penalized(problem, x, l1) - optimum->value;
      EXPECT_GE(problem.sense == Sense::minimize ? gap : -gap, -1e-12) << problem.space.format(x);
    };
    for (const Point& x : points(300)) not_better(x);
    for_each_neighbour(problem.space, problem.constraints, optimum->x, not_better);
    if (problem.space.all_binary() && problem.space.dimension() <= 13) {
      for (int code = 0; code < 1 << problem.space.dimension(); ++code) {
        Point x(problem.space.dimension());
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = code >> i & 1;
        not_better(x);
      }
    }
  }
}

// A flipped problem is the same one in another code: the same set of values, the same optimum without penalty.
TEST_P(EveryProblem, FlippedIsTheSameProblemRecoded) {
  if (!problem.space.all_binary() || GetParam().find("flip=") != std::string::npos) return;
  const Problem flipped =
      make_problem(GetParam() + (GetParam().find(':') == std::string::npos ? ":" : ",") + "flip=13", 42);
  // The documented stream of the mask.
  Rng rng(13, "flip");
  Point mask;
  for (int i = 0; i < problem.space.dimension(); ++i) mask.push_back(static_cast<int>(rng.below(2)));
  for (const Point& z : points(30)) {
    Point x = z;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] ^= mask[i];
    EXPECT_EQ(flipped.f(x), problem.f(z));
    if (problem.picture) {
      EXPECT_EQ(flipped.picture(x), problem.picture(z));
    }
  }
  const auto optimum = problem.optimum(0);
  if (optimum) {
    EXPECT_NEAR(flipped.optimum(0)->value, optimum->value, 1e-12);
  }
}

TEST_P(EveryProblem, InstancesRoundTripToTheBit) {
  if (!problem.instance_json) return;
  const TemporaryFolder folder;
  const std::string file = folder.path() / "instance.json";
  std::ofstream(file) << problem.instance_json();
  Spec spec = Spec::parse(GetParam());
  std::erase_if(spec.settings, [](const auto& s) { return s.first != "flip" && s.first != "constant"; });
  spec.settings.emplace_back("instance", file);
  const Problem copy = make_problem(spec.text(), 7);
  EXPECT_EQ(copy.instance_json(), problem.instance_json());
  for (const Point& x : points(40)) EXPECT_EQ(copy.f(x), problem.f(x));
}

TEST_P(EveryProblem, SeedsGiveDifferentInstances) {
  if (!problem.instance_json) return;
  EXPECT_NE(make_problem(GetParam(), 43).instance_json(), problem.instance_json());
}

TEST_P(EveryProblem, MeasurementsRepeatWithTheirStream) {
  if (!problem.noisy) return;
  for (const Point& x : points(5)) {
    Rng one(3, "trial"), same(3, "trial");
    EXPECT_EQ(problem.noisy(x, one), problem.noisy(x, same));
  }
}

TEST_P(EveryProblem, RefusesUnknownOptions) {
  const std::string separator = GetParam().find(':') == std::string::npos ? ":" : ",";
  EXPECT_THROW(make_problem(GetParam() + separator + "no_such_option=1", 42), InvalidArgument);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(0, info.param.find(':'));
  return name + "_" + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryProblem, testing::ValuesIn(specs()), test_name);

}  // namespace
}  // namespace bocs
