// The dense kernels of numeric/linalg beside OpenBLAS with one thread, CPU time.

#include <benchmark/benchmark.h>

#include "bocs/numeric/rng.hpp"
#include "openblas.hpp"

namespace {

using bocs::Matrix;
using bocs::Vector;

const bool kOneThread = (openblas::use_one_thread(), true);

Matrix random_matrix(benchmark::IterationCount rows, benchmark::IterationCount cols) {
  bocs::Rng rng(1, "bench");
  Matrix A(rows, cols);
  for (auto& e : A.reshaped()) e = rng.normal();
  return A;
}

template <bool kOurs>
void outer(benchmark::State& state) {
  const Matrix A = random_matrix(state.range(0), state.range(1));
  Matrix C = Matrix::Zero(A.rows(), A.rows());
  for (auto _ : state) {
    if constexpr (kOurs) {
      bocs::add_outer(C, A);
    } else {
      openblas::add_outer(C, A);
    }
    benchmark::DoNotOptimize(C.data());
  }
}

template <bool kOurs>
void product(benchmark::State& state) {
  const Matrix A = random_matrix(state.range(0), state.range(0));
  const Matrix B = random_matrix(state.range(0), state.range(1));
  Matrix C(A.rows(), B.cols());
  for (auto _ : state) {
    if constexpr (kOurs) {
      bocs::multiply(A, B, C);
    } else {
      openblas::multiply(A, B, C);
    }
    benchmark::DoNotOptimize(C.data());
  }
}

template <bool kOurs>
void vector_product(benchmark::State& state) {
  const Matrix A = random_matrix(state.range(0), state.range(1));
  const Vector x = Vector::Ones(A.cols());
  for (auto _ : state) {
    const Vector y = kOurs ? bocs::times(A, x) : openblas::times(A, x, false);
    const Vector z = kOurs ? bocs::transposed_times(A, y) : openblas::times(A, y, true);
    benchmark::DoNotOptimize(z.data());
  }
}

template <bool kOurs>
void cholesky(benchmark::State& state) {
  Matrix A = Matrix::Identity(state.range(0), state.range(0)) * static_cast<double>(state.range(0));
  bocs::add_outer(A, random_matrix(state.range(0), state.range(0)));
  Matrix L;
  for (auto _ : state) {
    L = A;
    const bool positive = kOurs ? bocs::cholesky(L, [](Matrix&) {}) == 0 : openblas::cholesky(L);
    if (!positive) state.SkipWithError("not positive");
  }
}

#define BOCS_BOTH(name, ...)                                        \
  BENCHMARK_TEMPLATE(name, true)->Name(#name "/ours")->__VA_ARGS__; \
  BENCHMARK_TEMPLATE(name, false)->Name(#name "/openblas")->__VA_ARGS__

BOCS_BOTH(outer, Args({170, 300})->Args({500, 5000})->Args({1000, 1000}));
BOCS_BOTH(product, Args({170, 24})->Args({300, 100})->Args({1000, 100}));
BOCS_BOTH(vector_product, Args({170, 300})->Args({500, 5000}));
BOCS_BOTH(cholesky, Arg(20)->Arg(55)->Arg(170)->Arg(300)->Arg(500)->Arg(1000));

}  // namespace
