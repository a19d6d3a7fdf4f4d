// Time of one evaluation, and of the search for the true optimum, of each problem.

#include <benchmark/benchmark.h>

#include "bocs/problem/problem.hpp"

namespace bocs {
namespace {

void evaluate(benchmark::State& state, const char* spec) {
  const Problem problem = make_problem(spec, 1);
  Rng rng(1, "bench");
  std::vector<Point> points;
  for (int n = 0; n < 64; ++n) points.push_back(problem.space.random(rng));
  std::size_t n = 0;
  for (auto _ : state) benchmark::DoNotOptimize(problem.f(points[n++ % points.size()]));
}

/// The first optimum of a new problem: nothing is remembered from the iteration before.
void optimum(benchmark::State& state, const char* spec) {
  std::uint64_t instance = 0;
  for (auto _ : state) benchmark::DoNotOptimize(make_problem(spec, ++instance).optimum(1e-2));
}

BENCHMARK_CAPTURE(evaluate, bqp, "bqp");
BENCHMARK_CAPTURE(evaluate, bqp_100, "bqp:d=100");
BENCHMARK_CAPTURE(evaluate, ising_4x4, "ising");
BENCHMARK_CAPTURE(evaluate, ising_6x6, "ising:rows=6,columns=6");
BENCHMARK_CAPTURE(evaluate, contamination, "contamination");
BENCHMARK_CAPTURE(evaluate, labs_50, "labs");
BENCHMARK_CAPTURE(evaluate, pest_fixed, "pest");
BENCHMARK_CAPTURE(evaluate, pest_noisy_reference, "pest:variant=noisy");

BENCHMARK_CAPTURE(optimum, bqp_10, "bqp")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(optimum, bqp_20, "bqp:d=20")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(optimum, ising_4x4, "ising")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(optimum, contamination, "contamination")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(optimum, labs_20, "labs:n=20")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bocs
