// The aero-structural problem: set-up, one evaluation, enumeration of all 2^21 cut models.
#include <benchmark/benchmark.h>

#include "bocs/problem/aerostruct/aerostruct.hpp"

namespace bocs {
namespace {

void set_up(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Aerostruct());
}
BENCHMARK(set_up)->Unit(benchmark::kMillisecond);

/// Argument: in how many of ten variables the couplings are kept.
void evaluate(benchmark::State& state) {
  const Aerostruct model;
  Rng rng(1, "bench");
  std::vector<Point> points(64, Point(aerostruct::kCouplings));
  for (auto& x : points) {
    for (auto& bit : x) bit = 10 * rng.uniform() < static_cast<double>(state.range(0)) ? 1 : 0;
  }
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(model.divergence(points[i++ % points.size()]));
}
BENCHMARK(evaluate)->Arg(0)->Arg(5)->Arg(10)->Unit(benchmark::kMicrosecond);

void optimum(benchmark::State& state) {
  const bocs::Aerostruct model;
  const bocs::Point natural(21, 0);
  for (auto _ : state) benchmark::DoNotOptimize(model.best_by_ones(natural));
}
BENCHMARK(optimum)->Unit(benchmark::kMillisecond)->Iterations(2)->UseRealTime();

}  // namespace
}  // namespace bocs

BENCHMARK_MAIN();
