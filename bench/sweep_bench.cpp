// The speed table of docs/performance.md: one Gibbs sweep as a ratio to the machine's own BLAS, and one whole cold
// proposal, one core, all in one run. Prints the table after Google Benchmark's own report.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>

#include "bocs/minimize/minimizer.hpp"
#include "bocs/numeric/linalg.hpp"
#include "bocs/regress/horseshoe.hpp"
#include "openblas.hpp"

namespace {

using bocs::Basis;
using bocs::Design;
using bocs::Matrix;
using bocs::Point;
using bocs::Rng;
using bocs::Space;
using bocs::Vector;

struct Size {
  int d, order, N;
  double ratio_target, seconds_target;  // what the design asks for
};
constexpr Size kSizes[] = {{10, 2, 120, 0.5, 2e-3},  {24, 2, 170, 0.6, 15e-3}, {24, 3, 170, 0.3, 40e-3},
                           {50, 2, 500, 0.75, 0.5},  {100, 2, 500, 0.5, 1},    {200, 2, 1000, 0.3, 6},
                           {1000, 2, 1000, 0.15, 45}};

/// Random points, a sparse truth and a little noise.
struct Data {
  std::shared_ptr<const Basis> basis;
  std::vector<Point> points;
  Vector y;

  explicit Data(const Size& size) : basis(std::make_shared<Basis>(Space::binary(size.d), size.order)) {
    Rng rng(1, "bench", static_cast<std::uint64_t>(size.d));
    for (int n = 0; n < size.N; ++n) points.push_back(basis->space().random(rng));
    Vector truth = Vector::Zero(basis->size());
    for (int i = 0; i < 15 + size.d / 4; ++i)
      truth(rng.below(static_cast<std::uint32_t>(basis->size()))) += rng.normal();
    y = Design(basis, points).times(truth);
    for (auto& e : y) e += 0.1 * rng.normal();
  }
};

/// CPU seconds of this thread: the machines are shared.
double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// dsyrk of the N x p design, dpotrf of N x N, two dgemv. Very wide designs are walked in blocks: same work, less
/// memory.
void blas_sweep(benchmark::State& state, const Size& size) {
  const int p = Basis(Space::binary(size.d), size.order).size();
  const int block = std::min(p, 20000);
  Matrix X(size.N, block);
  Rng rng(2, "blas");
  for (auto& e : X.reshaped()) e = rng.below(2);
  for (auto _ : state) {
    Matrix G = Matrix::Zero(size.N, size.N);
    Vector u = Vector::Ones(block);
    for (int done = 0; done < p; done += block) {
      openblas::add_outer(G, X.leftCols(std::min(block, p - done)));
      Vector v = openblas::times(X, u, false);
      benchmark::DoNotOptimize(v.data());
      Vector w = openblas::times(X, v, true);
      benchmark::DoNotOptimize(w.data());
    }
    G.diagonal().array() += 1;
    benchmark::DoNotOptimize(openblas::cholesky(G));
  }
}

/// Seconds from `warm` to `warm + count` sweeps of one chain, by difference.
void plain_sweep(benchmark::State& state, const Size& size) {
  const Data data(size);
  const Design X(data.basis, data.points);
  bocs::HorseshoeOptions options;
  options.sampler = size.d >= 200
                        ? bocs::Sampler::collapsed
                        : bocs::Sampler::auxiliary;  // with gradients, a collapsed sweep has no extra Cholesky
  const int warm =
      size.d >= 200 ? 2 : 10;  // large sizes: many sweeps, or the difference drowns in the noise of the start
  const int count = size.d >= 200 ? 16 : 40;
  const auto seconds = [&](int sweeps) {
    options.sweeps = sweeps;
    Rng rng(3, "sweep");
    const double start = now();
    benchmark::DoNotOptimize(bocs::Horseshoe(options).sample(X, data.y, 1, rng));
    return now() - start;
  };
  for (auto _ : state) {
    const double base = seconds(warm);
    state.SetIterationTime(std::max(1e-9, (seconds(warm + count) - base) / count));
  }
}

/// Points to proposal: design, cold chain, one draw, minimizer with the points excluded.
void proposal(benchmark::State& state, const Size& size) {
  const Data data(size);
  const auto minimizer = bocs::make_minimizer(bocs::Spec{"auto", {}});
  const bocs::PointSet seen(data.points.begin(), data.points.end());
  bocs::HorseshoeOptions options;
  options.intercept = size.order == 2 ? bocs::Intercept::flat : bocs::Intercept::mean;
  std::uint64_t number = 0;
  for (auto _ : state) {
    Rng rng(4, "proposal", number++);
    const Design X(data.basis, data.points);
    const bocs::Draw draw = bocs::Horseshoe(options).sample(X, data.y, 1, rng).front();
    const bocs::Polynomial f(data.basis, draw.alpha, draw.intercept);
    benchmark::DoNotOptimize(minimizer->minimize(f, seen, rng));
  }
}

std::string label(const char* what, const Size& s) {
  return std::string(what) + "/" + std::to_string(s.d) + "/" + std::to_string(s.order) + "/" + std::to_string(s.N);
}

/// Keeps the median seconds of every benchmark besides printing the usual report.
class Collector : public benchmark::ConsoleReporter {
 public:
  std::map<std::string, double> seconds;
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const auto& run : runs) {
      if (run.run_type == Run::RT_Aggregate && run.aggregate_name != "median") continue;
      seconds[run.run_name.function_name] =
          (run.run_name.time_type.empty() ? run.GetAdjustedCPUTime() : run.GetAdjustedRealTime()) /
          benchmark::GetTimeUnitMultiplier(run.time_unit);
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  for (const Size& size : kSizes) {
    const bool large = size.d >= 100;
    for (const auto& [what, body] :
         {std::pair{"blas", &blas_sweep}, {"sweep", &plain_sweep}, {"proposal", &proposal}}) {
      auto* b = benchmark::RegisterBenchmark(label(what, size).c_str(), body, size)->Unit(benchmark::kMillisecond);
      if (std::string(what) == "sweep") b->UseManualTime();
      if (large)
        b->Iterations(size.d >= 1000 ? 1 : 3);
      else if (std::string(what) == "sweep")
        b->Iterations(30);
    }
  }
  benchmark::Initialize(&argc, argv);
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  std::printf(
      "\n| d, order, N | BLAS sweep, ms | sweep, ms | ratio | target | proposal, s | target "
      "|\n|---|---|---|---|---|---|---|\n");
  for (const Size& s : kSizes) {
    auto& t = collector.seconds;
    const double blas = t[label("blas", s)];
    const double sweep = t[label("sweep", s)];
    if (blas == 0 || sweep == 0) continue;
    std::printf("| %d, %d, %d | %.3g | %.3g | %.2f | %.2f | %.3g | %.3g |\n", s.d, s.order, s.N, 1e3 * blas,
                1e3 * sweep, sweep / blas, s.ratio_target, t[label("proposal", s)], s.seconds_target);
  }
}
