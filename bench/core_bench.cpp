// Random numbers and the Cholesky factor: what every proposal is made of.

#include <benchmark/benchmark.h>

#include "bocs/numeric/linalg.hpp"
#include "bocs/numeric/rng.hpp"

namespace {

void uniform(benchmark::State& state) {
  bocs::Rng rng(1, "bench");
  for (auto _ : state) benchmark::DoNotOptimize(rng.uniform());
}
BENCHMARK(uniform);

void normal(benchmark::State& state) {
  bocs::Rng rng(1, "bench");
  for (auto _ : state) benchmark::DoNotOptimize(rng.normal());
}
BENCHMARK(normal);

void inverse_gamma(benchmark::State& state) {
  bocs::Rng rng(1, "bench");
  for (auto _ : state) benchmark::DoNotOptimize(rng.inverse_gamma(2.5, 1));
}
BENCHMARK(inverse_gamma);

void stream(benchmark::State& state) {  // how expensive a stream per loop index is
  std::uint64_t index = 0;
  for (auto _ : state) benchmark::DoNotOptimize(bocs::Rng(1, "bench", index++).bits());
}
BENCHMARK(stream);

bocs::Matrix positive(Eigen::Index n) {
  bocs::Matrix A = bocs::Matrix::Identity(n, n);
  bocs::add_outer(A, bocs::Matrix::Random(n, n));
  return A;
}

}  // namespace
