#pragma once
// What every method promises, as checks that you can hold a method of your own against. Header only; needs no test
// framework:
//
//   for (const auto& broken : bocs::testing::check_method(make)) std::puts(broken.c_str());
//
// With GoogleTest, one test per promise: tests/conformance/method_test.cpp. From Python: bocs.testing.check_method.

#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "bocs/base/error.hpp"
#include "bocs/method/method.hpp"
#include "bocs/run/optimizer.hpp"
#include "bocs/run/work.hpp"

namespace bocs::testing {

/// Makes the method for a space. Throws InvalidArgument for spaces that it cannot treat: that is allowed.
using MethodFactory = std::function<std::shared_ptr<const Method>(const Space&, const Constraints&)>;

/// Thrown by a check: which promise is broken, and how that showed.
class Broken : public Error {
 public:
  using Error::Error;
};

inline void expect(bool holds, const std::string& otherwise) {
  if (!holds) throw Broken(otherwise);
}

/// x' Q x with a random Q: an easy program.
inline std::function<double(const Point&)> quadratic_program(int d, std::uint64_t instance) {
  Rng rng(instance, "quadratic program");
  std::vector<double> Q(static_cast<std::size_t>(d * d));
  for (double& q : Q) q = rng.normal();
  return [Q, d](const Point& x) {
    double sum = 0;
    for (int i = 0; i < d; ++i) {
      for (int j = 0; j < d; ++j) sum += Q[static_cast<std::size_t>(i * d + j)] * x[i] * x[j];
    }
    return sum;
  };
}

/// Three of ten points fail.
inline bool fails(const Point& x) { return PointHash()(x) % 10 < 3; }

inline Limits trials(int count) {
  Limits limits;
  limits.trials = count;
  return limits;
}

inline std::vector<Point> points(const Session& session) {
  std::vector<Point> result;
  for (const auto& trial : session.history().trials()) result.push_back(trial.x);
  return result;
}

/// The first `count` trials, as a history of their own; there is a next one.
inline History prefix(const History& history, int count) {
  expect(count < history.size(), "it ended after " + std::to_string(history.size()) + " trials of a larger space");
  History result;
  for (const auto& trial : history.trials().first(static_cast<std::size_t>(count))) result.add(trial);
  return result;
}

inline Optimizer session(const MethodFactory& make, const Task& task, Sense sense = Sense::minimize,
                         History history = {}) {
  return {task, make(task.space, task.constraints), sense, std::move(history)};
}

inline void proposes_points_of_the_space(const MethodFactory& make) {
  const Task task{Space::binary(7), 0.1, 0, 3};
  Optimizer run = session(make, task);
  work(run, callback(quadratic_program(7, 1)), trials(40));
  expect(run.history().size() == 40, "it did not propose 40 of the 128 points");
  for (const Point& x : points(run)) expect(task.space.contains(x), "it proposed a point outside the space");
}

inline void never_proposes_a_point_twice(const MethodFactory& make) {
  Optimizer run = session(make, {Space::binary(7), 0.1, 0, 3});
  work(run, callback(quadratic_program(7, 1)), trials(40));
  expect(run.history().seen().size() == 40, "it proposed a point twice");
}

inline void says_when_a_space_is_exhausted(const MethodFactory& make) {
  Optimizer run = session(make, {Space::binary(4), 0, 0, 8});
  const WorkResult result = work(run, callback(quadratic_program(4, 2)), trials(50));
  expect(result.reason == Reason::exhausted, "after all 16 points of a space it did not throw SpaceExhausted");
  expect(run.history().seen().size() == 16, "it threw SpaceExhausted before all 16 points had been proposed");
}

inline void is_a_function_of_the_history(const MethodFactory& make) {
  const Task task{Space::binary(6), 0, 0, 5};
  Optimizer whole = session(make, task);
  const auto f = quadratic_program(6, 4);
  work(whole, callback([&](const Point& x) { return fails(x) ? kUnknown : f(x); }), trials(20));
  for (int done = 0; done < 20; ++done) {
    Optimizer resumed = session(make, task, Sense::minimize, prefix(whole.history(), done));
    const Trial next = resumed.ask();
    expect(next.x == whole.history().trials()[static_cast<std::size_t>(done)].x,
           "resumed after " + std::to_string(done) + " trials, it proposed another point than uninterrupted");
  }
}

inline void does_not_depend_on_threads(const MethodFactory& make) {
  std::vector<Point> serial;
  for (const int threads : {1, 2, 8}) {
    Optimizer run = session(make, {Space::binary(8), 0, 0, 4});
    Limits limits = trials(28);
    limits.batch = 4;
    limits.threads = threads;
    work(run, callback(quadratic_program(8, 3)), limits);
    if (threads == 1) serial = points(run);
    expect(points(run) == serial, "with " + std::to_string(threads) + " threads it proposed other points");
  }
}

inline void spreads_while_others_are_pending(const MethodFactory& make) {
  Optimizer run = session(make, {Space::binary(5), 0, 0, 6});
  work(run, callback(quadratic_program(5, 5)), trials(14));
  for (int i = 0; i < 18; ++i) run.ask();
  expect(run.history().seen().size() == 32, "it proposed a point that was still running");
}

inline void tolerates_failures(const MethodFactory& make) {
  Optimizer run = session(make, {Space::binary(7), 0, 0, 7});
  const auto f = quadratic_program(7, 6);
  const auto failing = [&](const Point& x) {
    if (fails(x)) throw std::runtime_error("no convergence");
    return f(x);
  };
  const WorkResult result = work(run, callback(failing), trials(40));
  expect(result.reason == Reason::trials && result.failures < 40, "with failed trials the run ended early");
  expect(run.best() != nullptr && !fails(run.best()->x), "the best trial is one that failed");
}

inline void survives_constant_and_extreme_values(const MethodFactory& make) {
  for (const double scale : {0.0, 1e-300, 1e300}) {
    Optimizer run = session(make, {Space::binary(5), 0, 0, 9});
    const auto f = [scale](const Point& x) { return scale * (x[0] - x[1]); };
    expect(work(run, callback(f), trials(32)).trials == 32,
           "with values of the size " + std::to_string(scale) + " the run ended early");
    expect(run.task().space.contains(run.recommend().x), "it recommends a point outside the space");
  }
}

inline void maximizes_as_it_minimizes_the_negative(const MethodFactory& make) {
  const Task task{Space::binary(7), 0.2, 0, 10};
  const auto f = quadratic_program(7, 7);
  Optimizer up = session(make, task, Sense::maximize), down = session(make, task);
  work(up, callback(f), trials(24));
  work(down, callback([f](const Point& x) { return -f(x); }), trials(24));
  expect(points(up) == points(down), "maximizing f it proposed other points than minimizing -f");
  expect(up.recommend().x == down.recommend().x, "maximizing f it recommends another point than minimizing -f");
}

inline void recommends_repeatably(const MethodFactory& make) {
  Optimizer run = session(make, {Space::binary(6), 0.1, 0, 12});
  work(run, callback(quadratic_program(6, 8)), trials(20));
  const Recommendation first = run.recommend(), second = run.recommend();
  expect(run.task().space.contains(first.x), "it recommends a point outside the space");
  expect(first.x == second.x && std::bit_cast<std::uint64_t>(first.value) == std::bit_cast<std::uint64_t>(second.value),
         "asked twice, it recommends two things");
}

/// Cardinality, exclusion and implication over bits; points that satisfy them are few among all.
inline Task constrained_task(std::uint64_t seed) {
  using namespace constraint;
  const Space space = Space::binary(12);
  return {
      .space = space,
      .l1 = 0.1,
      .seed = seed,
      .constraints = Constraints(space, {exactly(4, switched_on(space)), mutually_exclusive({{"x0"}, {"x1"}, {"x2"}}),
                                         required({{"x3"}}, {{"x4"}})})};
}

inline void keeps_the_constraints(const MethodFactory& make) {
  const Task task = constrained_task(4);
  Optimizer run = session(make, task);
  work(run, callback(quadratic_program(12, 9)), trials(40));
  for (const Point& x : points(run)) expect(task.constraints.satisfied(x), "it proposed a point that is forbidden");
  expect(run.history().seen().size() == 40, "under constraints it proposed a point twice");
  expect(task.constraints.satisfied(run.recommend().x), "it recommends a point that is forbidden");
}

inline void treats_mixed_spaces_or_refuses_them(const MethodFactory& make) {
  const Space space({integer("n", -2, 3), categorical("kind", {"red", "green", "blue"}), binary("b")});
  const Task task{space, 0, 0.1, 3};
  std::shared_ptr<const Method> method;
  try {
    method = make(space, {});
  } catch (const InvalidArgument& refusal) {
    return expect(*refusal.what() != '\0', "it refuses a mixed space without a word");
  }
  Optimizer run(task, method);
  const auto f = [](const Point& x) { return std::pow(x[0] - 3, 2) + (x[1] == 2 ? -2 : 0) + 0.5 * x[2]; };
  const WorkResult result = work(run, callback(f), trials(100));
  expect(result.reason == Reason::exhausted && run.history().seen().size() == 36,
         "it did not propose each of the 36 points of a mixed space");
}

/// Two numbers that pull apart, one that has a limit, and points that fail.
inline Outcome several_numbers(const Space& /*space*/, const Trial& trial) {
  if (fails(trial.x)) return Outcome::failure("no convergence");
  Outcome outcome = Outcome::value(quadratic_program(7, 13)(trial.x));
  outcome.metrics["cost"] = std::accumulate(trial.x.begin(), trial.x.end(), 0.0);
  outcome.metrics["heat"] = quadratic_program(7, 14)(trial.x);
  return outcome;
}

/// With a limit on what is reported, and with several goals beside it, which a method may refuse.
inline void is_a_function_of_goals_and_outcomes(const MethodFactory& make) {
  for (const bool several : {false, true}) {
    Task task{Space::binary(7), 0.1, 0, 15};
    task.outcomes = {{"heat", -1, 1.5}};
    if (several) task.goals = {{"value"}, {"cost"}};
    if (several && !make(task.space, {})->has_fronts()) return;
    Optimizer whole = session(make, task), threads = session(make, task);
    Limits limits = trials(27);
    limits.batch = 3;
    work(whole, several_numbers, limits);
    limits.threads = 4;
    work(threads, several_numbers, limits);
    expect(points(whole) == points(threads), "with limits and 4 threads it proposed other points");
    for (const int done : {9, 15, 24}) {
      Optimizer resumed = session(make, task, Sense::minimize, prefix(whole.history(), done));
      expect(resumed.ask().x == points(whole)[static_cast<std::size_t>(done)],
             "with limits, resumed after " + std::to_string(done) + " trials, it proposed another point");
    }
    if (whole.best() == nullptr) continue;
    const Point recommended = whole.recommend().x;
    const double heat = quadratic_program(7, 14)(recommended);
    expect(heat >= -1 && heat <= 1.5, "it recommends a point that breaks a limit");
  }
}

struct Promise {
  std::string name;
  void (*check)(const MethodFactory& make);  // throws Broken
};

inline std::vector<Promise> method_promises() {
  return {
      {"proposes_points_of_the_space", proposes_points_of_the_space},
      {"never_proposes_a_point_twice", never_proposes_a_point_twice},
      {"says_when_a_space_is_exhausted", says_when_a_space_is_exhausted},
      {"is_a_function_of_the_history", is_a_function_of_the_history},
      {"does_not_depend_on_threads", does_not_depend_on_threads},
      {"spreads_while_others_are_pending", spreads_while_others_are_pending},
      {"tolerates_failures", tolerates_failures},
      {"survives_constant_and_extreme_values", survives_constant_and_extreme_values},
      {"maximizes_as_it_minimizes_the_negative", maximizes_as_it_minimizes_the_negative},
      {"recommends_repeatably", recommends_repeatably},
      {"keeps_the_constraints", keeps_the_constraints},
      {"is_a_function_of_goals_and_outcomes", is_a_function_of_goals_and_outcomes},
      {"treats_mixed_spaces_or_refuses_them", treats_mixed_spaces_or_refuses_them},
  };
}

/// The promises that the method breaks, each with how that showed; empty: none. Whatever else a method throws passes.
inline std::vector<std::string> check_method(const MethodFactory& make) {
  std::vector<std::string> broken;
  for (const Promise& promise : method_promises()) {
    try {
      promise.check(make);
    } catch (const Error& error) {
      broken.push_back(promise.name + ": " + error.what());
    }
  }
  return broken;
}

}  // namespace bocs::testing
