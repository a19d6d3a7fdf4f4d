// Times of the minimizers and their parts on random quadratics, d variables. Coefficients are ratios of normals: as
// heavy-tailed as the draws of a horseshoe posterior.

#include <benchmark/benchmark.h>

#include "bocs/minimize/diagonal_sdp.hpp"
#include "bocs/minimize/minimizer.hpp"
#include "bocs/poly/walker.hpp"

namespace bocs {
namespace {

Polynomial heavy_tailed(int d, int order) {
  Rng rng(1, "bench");
  auto basis = std::make_shared<const Basis>(Space::binary(d), order);
  Vector alpha(basis->size());
  for (auto& a : alpha) a = rng.normal() / rng.normal();
  return Polynomial(std::move(basis), std::move(alpha));
}

void minimize(benchmark::State& state, const std::string& spec, int order) {
  const Polynomial f = heavy_tailed(static_cast<int>(state.range(0)), order);
  const auto minimizer = make_minimizer(Spec::parse(spec));
  double value = 0;
  double bound = 0;
  for (auto _ : state) {
    Rng rng(2, "bench");
    const Minimum m = minimizer->minimize(f, {}, rng);
    value = m.value;
    bound = m.lower_bound;
  }
  state.counters["value"] = value;
  state.counters["bound"] = bound;
}

void BM_relaxation(benchmark::State& state, bool certify) {
  const auto n = state.range(0);
  Rng rng(3, "bench");
  Matrix C(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) C(i, j) = C(j, i) = rng.normal();
  }
  for (auto _ : state) {
    Rng start(4, "bench");
    const DiagonalSdp s = solve_diagonal_sdp(C, {.tolerance = 1e-4, .certify = certify}, start);
    state.counters["sweeps"] = s.sweeps;
    state.counters["gap"] = certify ? (s.value - s.lower_bound) / std::abs(s.value) : 0;
  }
}

void BM_move(benchmark::State& state) {
  const int d = static_cast<int>(state.range(0));
  const Polynomial f = heavy_tailed(d, static_cast<int>(state.range(1)));
  Walker walker(f, Point(static_cast<std::size_t>(d), 0));
  Rng rng(5, "bench");
  for (auto _ : state) {
    const int i = static_cast<int>(rng.below(static_cast<std::uint32_t>(d)));
    walker.move(i, 1 - walker.point()[static_cast<std::size_t>(i)]);
    benchmark::DoNotOptimize(walker.value());
  }
}

BENCHMARK(BM_move)->Args({24, 2})->Args({100, 2})->Args({1000, 2})->Args({24, 3})->Args({50, 3});
BENCHMARK_CAPTURE(BM_relaxation, fast, false)
    ->Arg(25)
    ->Arg(51)
    ->Arg(101)
    ->Arg(201)
    ->Arg(1001)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_relaxation, certified, true)
    ->Arg(25)
    ->Arg(51)
    ->Arg(101)
    ->Arg(201)
    ->Arg(1001)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(minimize, auto, "auto", 2) -> Arg(10) -> Arg(24) -> Arg(50) -> Arg(100) -> Arg(200) -> Arg(1000)
    -> Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(minimize, tabu, "tabu", 2)
    ->Arg(24)
    ->Arg(50)
    ->Arg(100)
    ->Arg(200)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(minimize, annealing, "annealing", 2)
    ->Arg(24)
    ->Arg(50)
    ->Arg(100)
    ->Arg(200)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(minimize, sdp, "sdp", 2)->Arg(24)->Arg(50)->Arg(100)->Arg(200)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(minimize, exact, "exact", 2)
    ->Arg(10)
    ->Arg(20)
    ->Arg(24)
    ->Arg(30)
    ->Arg(50)
    ->Arg(100)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(minimize, exact_cubic, "exact", 3)->Arg(10)->Arg(20)->Arg(24)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(minimize, tabu_cubic, "tabu", 3)->Arg(24)->Arg(50)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace bocs

BENCHMARK_MAIN();
