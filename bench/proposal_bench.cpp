// One proposal of a method on a history of N trials, whatever the method keeps from the last one being there: the table
// of docs/performance.md, made by `scripts/bench table`. Binary quadratic function; after the first points four of five
// trials are within four flips of the best one, as in a run that goes well.

#include <benchmark/benchmark.h>

#include <cmath>

#include "bocs/method/method.hpp"

namespace {

using namespace bocs;

struct Case {
  const char* spec;
  int d, N;
  bool near;  // the best point; otherwise all points are random
};
constexpr Case kCases[] = {{"bocs:order=2", 24, 170, true},
                           {"bocs:order=3", 24, 170, true},
                           {"bocs:order=4", 24, 170, true},
                           {"ei", 24, 170, true},
                           {"ei", 100, 300, true},
                           {"bocs", 200, 1000, true},
                           {"bocs", 300, 300, true},
                           {"bocs", 1000, 500, true},
                           {"bocs", 5000, 100, true},
                           {"bocs:order=2", 50, 125, true},
                           {"bocs:order=2", 50, 250, true},
                           {"bocs:order=2", 50, 500, true},
                           {"bocs:order=2", 100, 300, true},
                           {"bocs:order=2", 100, 500, true},
                           {"bocs:order=2", 200, 500, true},
                           {"bocs:order=2", 200, 1000, false},
                           {"bocs:order=2", 24, 100000, false}};

History make_history(const Case& c, const Space& space) {
  Rng rng(1, "bench", static_cast<std::uint64_t>(c.d));
  const auto flips = [&](int count) { return rng.below(static_cast<std::uint32_t>(count)); };
  std::vector<double> Q(static_cast<std::size_t>(c.d) * c.d);
  for (int i = 0; i < c.d; ++i) {
    for (int j = 0; j < c.d; ++j) Q[i * c.d + j] = rng.normal() * std::exp(-0.1 * (i - j) * (i - j));
  }
  History history;
  Point best;
  double smallest = INFINITY;
  while (history.size() < c.N) {
    Point x = space.random(rng);
    if (c.near && history.size() >= 20 && rng.uniform() < 0.8) {
      x = best;
      for (auto k = 1 + flips(4); k > 0; --k) x[flips(c.d)] ^= 1;
    }
    if (history.seen().contains(x)) continue;
    double y = 0;
    for (int i = 0; i < c.d; ++i) {
      for (int j = 0; j < c.d; ++j) y += Q[i * c.d + j] * x[i] * x[j];
    }
    if (y < smallest) {
      smallest = y;
      best = x;
    }
    Trial trial;
    trial.number = history.size();
    trial.x = std::move(x);
    history.add(trial);
    history.finish(trial.number, Outcome::value(y));
  }
  return history;
}

void propose(benchmark::State& state, const Case& c) {
  const Task task{Space::binary(c.d), 0, 0, 1};
  const History history = make_history(c, task.space);
  const auto method = make_method(c.spec, task.space);
  int number = c.N;
  benchmark::DoNotOptimize(method->propose(task, history, number++));  // what is kept from here on
  for (auto _ : state) benchmark::DoNotOptimize(method->propose(task, history, number++));
}

const bool registered = [] {
  for (const Case& c : kCases) {
    const std::string name = std::string(c.spec) + "/" + std::to_string(c.d) + "/" + std::to_string(c.N);
    benchmark::RegisterBenchmark(name.c_str(), propose, c)->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
