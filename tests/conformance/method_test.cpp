// What every method promises (bocs/testing/method.hpp), run over every registered one.

#include "bocs/testing/method.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "bocs/method/options.hpp"
#include "bocs/rule/feasible.hpp"

namespace bocs {

using namespace constraint;
using namespace bocs::testing;  // NOLINT(google-build-using-namespace)

namespace {

/// Every registered method and shorthand, and combinations of parts worth their own run.
std::vector<std::string> all_specs() {
  std::vector<std::string> specs;
  for (const auto& method : list_methods()) {
    specs.push_back(method.name);
    for (const auto& shorthand : method.shorthands) specs.push_back(shorthand.substr(0, shorthand.find(' ')));
  }
  for (const char* spec :
       {"bocs:model=bayes", "bocs:minimizer=tabu,order=4", "bocs:minimizer=exact", "bocs:polish=1"}) {
    specs.emplace_back(spec);
  }
  return specs;
}

class EveryMethod : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] Optimizer optimizer(const Task& task, Sense sense = Sense::minimize, History history = {}) const {
    return Optimizer(task, GetParam(), sense, std::move(history));
  }
};

TEST_P(EveryMethod, SolvesMixedSpacesUnderConstraints) {
  const Space space({real("n", -1, 1.5, {.step = 0.5}), categorical("kind", {"red", "green", "blue"}), binary("b"),
                     ordinal("m", {0, 0.5, 1, 1.5, 2})});
  // The sum of two numbers is fixed: neither can move alone.
  const Task task{
      .space = space,
      .seed = 2,
      .constraints = Constraints(space, {linear({{"n"}, {"m"}}, "==", 1.5), forbidden({{"kind", "red"}, {"b"}})})};
  std::unique_ptr<Method> method;
  try {
    method = make_method(GetParam(), space);
  } catch (const InvalidArgument&) {
    return;  // binary spaces only
  }
  const double all = *task.constraints.feasible().count();
  EXPECT_EQ(all, 25);  // 5 pairs (n, m) and 5 pairs (kind, b)
  Optimizer session = optimizer(task);
  Limits limits = trials(1000);
  const auto worked = work(session, callback([](const Point& x) { return x[0] * x[1] - 2.0 * x[2] + x[3]; }), limits);
  for (const Point& x : points(session)) EXPECT_TRUE(task.constraints.satisfied(x));
  if (GetParam() != "bocs-sdp" && worked.reason == Reason::exhausted) {
    EXPECT_EQ(worked.trials, 25);  // every one, none twice
  }
}

TEST_P(EveryMethod, SolvesStructuresAndConditions) {
  const Space space({permutation("route", {"a", "b", "c"}), subset("panel", {"x", "y", "z"}, 1, 2),
                     assignment("plan", {"i", "j"}, {"p", "q"}, {.capacity = {1, 2}}),
                     mixture("blend", {"u", "v", "w"}, {.step = 0.5, .at_most = 2}), multiset("slots", {"m", "n"}, 2),
                     categorical("tool", {"saw", "laser"}), when("tool == laser", integer("speed", 1, 3))});
  const Task task{.space = space,
                  .seed = 4,
                  .constraints = Constraints(space, {rule("before(a, c)"), rule("chosen(x) or speed >= 2")})};
  try {
    (void)make_method(GetParam(), space, task.constraints);
  } catch (const InvalidArgument&) {
    return;  // binary spaces only
  }
  PointSet all;
  task.constraints.feasible().for_each([&](const Point& x) { all.insert(x); });
  EXPECT_EQ(*task.constraints.feasible().count(), static_cast<double>(all.size()));
  const auto f = callback([](const Point& x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (i % 3 == 0 ? -1.0 : 0.7) * x[i];
    return sum;
  });
  Optimizer whole = optimizer(task), resumed = optimizer(task);
  work(whole, f, trials(40));
  PointSet different;
  for (const Point& x : points(whole)) {
    EXPECT_TRUE(all.contains(x)) << space.format(x);
    different.insert(x);
  }
  EXPECT_EQ(different.size(), 40U);
  EXPECT_TRUE(all.contains(whole.recommend().x));
  resumed = optimizer(task, Sense::minimize, prefix(whole.history(), 25));
  work(resumed, f, trials(15));
  EXPECT_EQ(points(whole), points(resumed));
}

TEST_P(EveryMethod, UnderConstraintsResumedEqualsUninterruptedForAnyThreads) {
  const Task task = constrained_task(6);
  const auto f = callback(quadratic_program(12, 11));
  Optimizer whole = optimizer(task), threads = optimizer(task);
  Limits limits = trials(36);
  limits.batch = 3;
  work(whole, f, limits);
  limits.threads = 4;
  work(threads, f, limits);
  EXPECT_EQ(points(whole), points(threads));
  Optimizer resumed = optimizer(task, Sense::minimize, prefix(whole.history(), 18));
  limits.trials = 18;
  work(resumed, f, limits);
  EXPECT_EQ(points(whole), points(resumed));
}

TEST_P(EveryMethod, IsNotWorseThanRandomSearchOnAnEasyProgram) {
  double difference = 0;  // of the best values, summed; both start from the same points
  for (std::uint64_t instance = 0; instance < 5; ++instance) {
    const Task task{Space::binary(10), 0, 0, instance};
    const auto f = quadratic_program(10, 100 + instance);
    Optimizer session = optimizer(task), random(task, "random");
    work(session, callback(f), trials(50));
    work(random, callback(f), trials(50));
    difference += session.value(*session.best()) - random.value(*random.best());
  }
  EXPECT_LE(difference, 0);
}

/// The spec, and the place of the promise.
class EveryPromise : public ::testing::TestWithParam<std::tuple<std::string, std::size_t>> {};

TEST_P(EveryPromise, IsKept) {
  const auto& [spec, promise] = GetParam();
  const auto make = [&spec = spec](const Space& space, const Constraints& constraints) {
    return make_method(spec, space, constraints);
  };
  EXPECT_NO_THROW(method_promises()[promise].check(make));
}

std::string identifier(std::string name) {
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryPromise,
                         ::testing::Combine(::testing::ValuesIn(all_specs()),
                                            ::testing::Range<std::size_t>(0, method_promises().size())),
                         [](const auto& test) {
                           return identifier(std::get<0>(test.param) + "_" +
                                             method_promises()[std::get<1>(test.param)].name);
                         });

/// Random points, but for one fault each.
struct Faulty : Method {
  enum class Fault { outside, twice, stateful, forbidden, gives_up };
  explicit Faulty(Fault given) : fault(given) {}
  [[nodiscard]] Proposal propose(const Task& task, const History& history, int number) const override {
    static std::atomic<int> calls = 0;
    switch (fault) {
      case Fault::outside:
        return {Point(static_cast<std::size_t>(task.space.dimension()), 7), {}};
      case Fault::twice:
        return make_random({.repeats = true})->propose(task, history, number);
      case Fault::stateful:
        return make_random()->propose(task, history, number + ++calls);
      case Fault::forbidden: {
        Rng rng(task.seed, "forbidden", static_cast<std::uint64_t>(number));
        return {task.space.random(rng), {}};
      }
      case Fault::gives_up:
        if (number > 5) throw SpaceExhausted("tired");
    }
    return make_random()->propose(task, history, number);
  }
  Fault fault;
};

TEST(MethodPromises, AreBrokenByEveryFault) {
  using Fault = Faulty::Fault;
  for (const auto& [fault, name] :
       std::vector<std::pair<Fault, std::string>>{{Fault::outside, "proposes_points_of_the_space"},
                                                  {Fault::twice, "never_proposes_a_point_twice"},
                                                  {Fault::stateful, "is_a_function_of_the_history"},
                                                  {Fault::forbidden, "keeps_the_constraints"},
                                                  {Fault::gives_up, "says_when_a_space_is_exhausted"}}) {
    const auto broken = check_method(
        [fault = fault](const Space&, const Constraints&) { return std::make_shared<const Faulty>(fault); });
    EXPECT_TRUE(std::ranges::any_of(broken, [&](const auto& text) { return text.starts_with(name + ": "); })) << name;
  }
  EXPECT_TRUE(check_method([](const Space&, const Constraints&) { return make_random(); }).empty());
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::ValuesIn(all_specs()),
                         [](const auto& test) { return identifier(test.param); });

}  // namespace
}  // namespace bocs
