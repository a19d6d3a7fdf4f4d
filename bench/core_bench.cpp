// Random numbers and the Cholesky factor: what every proposal is made of.

#include <benchmark/benchmark.h>

#include "bocs/core/linalg.hpp"
#include "bocs/core/rng.hpp"

extern "C" void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);  // LAPACK

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

void stream(benchmark::State& state) {  // how dear a stream per loop index is
  std::uint64_t index = 0;
  for (auto _ : state) benchmark::DoNotOptimize(bocs::Rng(1, "bench", index++).bits());
}
BENCHMARK(stream);

bocs::Matrix positive(Eigen::Index n) {
  bocs::Matrix A = bocs::Matrix::Identity(n, n);
  bocs::add_outer(A, bocs::Matrix::Random(n, n));
  return A;
}

void cholesky(benchmark::State& state) {
  const bocs::Matrix A = positive(state.range(0));
  bocs::Matrix L;
  for (auto _ : state) {
    L = A;
    benchmark::DoNotOptimize(bocs::cholesky(L, [&](bocs::Matrix& target) { target = A; }));
  }
}
BENCHMARK(cholesky)->Arg(20)->Arg(55)->Arg(170)->Arg(270)->Arg(500);

void cholesky_of_openblas(benchmark::State& state) {
  const bocs::Matrix A = positive(state.range(0));
  const int n = static_cast<int>(A.rows());
  bocs::Matrix L;
  for (auto _ : state) {
    L = A;
    int info = 0;
    dpotrf_("L", &n, L.data(), &n, &info);
    benchmark::DoNotOptimize(info);
  }
}
BENCHMARK(cholesky_of_openblas)->Arg(20)->Arg(55)->Arg(170)->Arg(270)->Arg(500);

}  // namespace
