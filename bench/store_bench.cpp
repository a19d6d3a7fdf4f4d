// What the store adds to an ask and a tell, besides the method's own time, which is nearly nothing for random search.
// BOCS_BENCH_STORE names another store than a file of SQLite in the folder of temporary files.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>

#include "bocs/store/process.hpp"
#include "bocs/store/store.hpp"

namespace bocs {
namespace {

/// A study of 24 bits with so many finished trials, removed at the end.
class BigStudy {
 public:
  explicit BigStudy(int trials) : store_(url(), {.create = true}) {
    StudySpec spec{name_, {Space::binary(24)}};
    spec.method = "random";
    Study study = store_.create(spec);
    Rng rng(1, "bench");
    for (int i = 0; i < trials; ++i) study.add(study.task().space.random(rng), rng.normal());
  }
  ~BigStudy() { store_.remove(name_); }
  BigStudy(const BigStudy&) = delete;
  BigStudy& operator=(const BigStudy&) = delete;
  Study open() { return store_.open(name_); }

 private:
  static std::string url() {
    const char* given = std::getenv("BOCS_BENCH_STORE");
    return given != nullptr ? given : "sqlite:" + (std::filesystem::temp_directory_path() / "bocs_bench.db").string();
  }
  std::string name_ = "bench " + unique_name();
  Store store_;
};

void ask(benchmark::State& state) {
  BigStudy big(static_cast<int>(state.range(0)));
  Study study = big.open();
  for (auto _ : state) {
    const Trial trial = study.ask();
    state.PauseTiming();
    study.tell(trial.number, 1.0);
    state.ResumeTiming();
  }
}
BENCHMARK(ask)->Arg(0)->Arg(1000)->Arg(10000)->Iterations(200)->Unit(benchmark::kMillisecond);

void tell(benchmark::State& state) {
  BigStudy big(static_cast<int>(state.range(0)));
  Study study = big.open();
  for (auto _ : state) {
    state.PauseTiming();
    const Trial trial = study.ask();
    state.ResumeTiming();
    study.tell(trial.number, 1.0);
  }
}
BENCHMARK(tell)->Arg(0)->Arg(10000)->Iterations(200)->Unit(benchmark::kMillisecond);

void open(benchmark::State& state) {
  BigStudy big(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(big.open().history().size());
}
BENCHMARK(open)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bocs
