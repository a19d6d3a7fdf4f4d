// What limits and goals cost: one proposal without them, with two limits on outcomes, and with two goals besides. The
// arguments are the variables, the trials and the case.

#include <benchmark/benchmark.h>

#include "bocs/method/method.hpp"

namespace {

using namespace bocs;

enum Case { value_alone, two_limits, two_limits_two_goals };

/// Binary quadratic functions; after the first points four of five trials are within four flips of the best one.
History make_history(int d, int trials) {
  Rng rng(1, "bench", static_cast<std::uint64_t>(d));
  std::vector<std::vector<double>> functions(4);
  for (auto& weights : functions) {
    for (int k = 0; k < d * d; ++k)
      weights.push_back(rng.normal() * std::exp(-0.1 * (k / d - k % d) * (k / d - k % d)));
  }
  const Space space = Space::binary(d);
  History history;
  Point best;
  double smallest = INFINITY;
  while (history.size() < trials) {
    Point x = space.random(rng);
    if (history.size() >= 20 && rng.uniform() < 0.8) {
      x = best;
      for (int k = 0; k < 4; ++k) x[rng.below(static_cast<std::uint32_t>(d))] ^= 1;
    }
    if (history.seen().contains(x)) continue;
    std::vector<double> values;
    for (const auto& weights : functions) {
      double sum = 0;
      for (int k = 0; k < d * d; ++k) sum += weights[k] * x[k / d] * x[k % d];
      values.push_back(sum);
    }
    if (values[0] < smallest) {
      smallest = values[0];
      best = x;
    }
    Trial trial;
    trial.number = history.size();
    trial.x = std::move(x);
    history.add(trial);
    Outcome outcome = Outcome::value(values[0]);
    outcome.metrics = {{"gain", values[1]}, {"growth", values[2]}, {"memory", values[3]}};
    history.finish(trial.number, outcome);
  }
  return history;
}

void propose(benchmark::State& state, const char* spec) {
  const int d = static_cast<int>(state.range(0)), trials = static_cast<int>(state.range(1));
  Task task{Space::binary(d), 0, 0, 1};
  if (state.range(2) >= two_limits) task.outcomes = {{"growth", -1}, {"memory", -2, 2}};
  if (state.range(2) >= two_limits_two_goals) task.goals = {{"value"}, {"gain", Sense::maximize}};
  const History history = make_history(d, trials);
  const auto method = make_method(spec, task.space);
  int number = trials;
  benchmark::DoNotOptimize(method->propose(task, history, number++));  // what is kept from here on
  for (auto _ : state) benchmark::DoNotOptimize(method->propose(task, history, number++));
}

void cases(benchmark::internal::Benchmark* bench) {
  for (const auto& [d, trials] : {std::pair{24, 170}, {100, 300}}) {
    for (const int which : {value_alone, two_limits, two_limits_two_goals}) bench->Args({d, trials, which});
  }
  bench->Unit(benchmark::kMillisecond)->ArgNames({"d", "N", "case"});
}

BENCHMARK_CAPTURE(propose, ei, "ei")->Apply(cases);
BENCHMARK_CAPTURE(propose, bocs, "bocs")->Apply(cases);

}  // namespace
